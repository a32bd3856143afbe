/** Says in plain words why PostgreSQL cannot be used, and knows which errors pass. */
import { StoreUnavailable } from "./store.ts";

const lost = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** The server rolled it back to let another one through: trying again is right. */
export function isRolledBack(error: unknown): boolean {
  return codeOf(error) === "40001" || codeOf(error) === "40P01";
}

/** The connection is gone, or the server is going: another connection may do better. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (lost.has(code) || code.startsWith("08") || code.startsWith("57P")) return true;
  // Made by the driver, which gives these no code.
  return code === "" && error instanceof Error && /terminated|timeout|not queryable|closed/i.test(error.message);
}

export function unavailable(error: unknown, options: { isOutcomeUnknown?: boolean } = {}): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(`PostgreSQL cannot be used: ${explain(error)}`, { cause: error, ...options });
}

function explain(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === "ECONNREFUSED") return "nothing answers at its address";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its host name is not known";
  if (code === "28P01" || code === "28000") return `it refuses this user (${message})`;
  if (code === "3D000") return message;
  if (code === "42501") return `this user lacks a right (${message})`;
  if (code === "53300") return "it has no connection left";
  if (code === "57014") return "it took too long";
  if (code.startsWith("57P")) return "it is shutting down or starting";
  if (isConnectionLost(error)) return `the connection was lost (${message})`;
  return message;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
