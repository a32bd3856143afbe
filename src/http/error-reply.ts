/** Errors that the transport answers by itself, in the form of all others. */
import type { HttpReply } from "./server.ts";

const headers = { "content-type": "application/json", "cache-control": "no-store" } as const;

export const transportError = (status: number, ...errors: string[]): HttpReply => ({
  status,
  headers,
  body: `${JSON.stringify({ errors })}\n`,
});
