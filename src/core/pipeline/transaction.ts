/** Everything after this stage is one transaction: committed when the handler is done, run again on a conflict. */
import type { Records } from "../storage/records.ts";
import type { Stage } from "./pipeline.ts";

export const inTransaction =
  (records: Records): Stage =>
  (exchange, next) =>
    records.transaction((transaction) => {
      exchange.transaction = transaction;
      exchange.warnings.length = 0;
      return next();
    });
