/** Turns what the store refuses into words for the caller: a name that cannot be stored is the caller's mistake. */
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { KeyMalformed, KeyTooLong, StoreUnavailable } from "../storage/store.ts";
import type { Around } from "./pipeline.ts";

export const explainFailures: Around = async (_exchange, next) => {
  try {
    return await next();
  } catch (error) {
    if (error instanceof KeyTooLong || error instanceof KeyMalformed) throw invalidRequest(error.message);
    if (error instanceof StoreUnavailable) throw unavailable(error);
    throw error;
  }
};

const unavailable = (error: StoreUnavailable) =>
  new ApiError(
    503,
    error.isOutcomeUnknown
      ? "the store failed, and it is not known whether the change was made: read before you try again"
      : "the store is not available; try again",
    { cause: error },
  );
