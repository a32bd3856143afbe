/** When a request is sent again, and after how long. */
import type { HttpReply } from "./transport.ts";

/** Answers that may be another one soon: the server is busy, failing over, or behind. 501 is none of them. */
export const isPassing = (status: number): boolean =>
  status === 412 || status === 429 || (status >= 500 && status !== 501);

/** Failures that another attempt may not meet. A certificate that is not trusted stays so. */
const passingCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);

export const isPassingFailure = (error: unknown): boolean =>
  passingCodes.has((error as { code?: string } | undefined)?.code ?? "");

const longestPause = 30_000;

/** Milliseconds before the attempt with this number, counted from 1: longer each time, and never all clients at once. */
export function pauseBefore(attempt: number, reply: HttpReply | undefined, random: () => number): number {
  const asked = Number(reply?.headers["retry-after"]);
  if (Number.isFinite(asked) && asked > 0) return Math.min(asked * 1000, longestPause);
  return attempt * (1000 + random() * 500);
}
