/** How a login through a provider fails, in words that the client, or the person at the browser, may see. */
import { ApiError } from "../../../api/errors.ts";

const prefix = "Strongroom login failed.";

/** The caller's part of the story. What a provider wrote is only logged. */
export class FlowFailure extends Error {
  override readonly name = "FlowFailure";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export const loginFailed = (detail: string) => new FlowFailure(`${prefix} ${detail}`);
export const tokenRefused = (detail: string) => new FlowFailure(`${prefix} Token verification failed. ${detail}`);
export const unknownState = () => loginFailed("Expired or missing OAuth state.");

/** Runs the part of a login that other logins share, and tells its refusals as this one does. */
export async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw loginFailed(error.message);
    if (error instanceof ApiError && error.status === 403) throw new FlowFailure(error.message, 403);
    throw error;
  }
}

/** Codes that a provider may answer with (RFC 6749, 4.1.2.1). */
const knownCodes = new Set([
  "invalid_request",
  "unauthorized_client",
  "access_denied",
  "unsupported_response_type",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
]);

/** Anything else is replaced: who wrote it is not known, and people believe what a login page says. */
export function providerRefusal(error: string): FlowFailure {
  const code = error.trim().toLowerCase();
  return loginFailed(
    knownCodes.has(code) ? code : "An unknown error occurred during OIDC authentication. Check server logs for details",
  );
}
