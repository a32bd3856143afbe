/** What commands that list have in common. */
import type { Answer, Query } from "../client/client.ts";
import { integerFlag, textFlag } from "./flags.ts";
import type { Printer } from "./output/printer.ts";
import { nothingAt } from "./path.ts";

export const pageFlags = {
  after: textFlag("Begin after this key"),
  limit: integerFlag("List at most this many keys"),
};

export const pageQuery = ({ after, limit }: { after: string | undefined; limit: number | undefined }): Query => ({
  ...(after !== undefined && { after }),
  ...(limit !== undefined && { limit: String(limit) }),
});

/** An empty list is told in the same way as a missing one: scripts know the exit code. */
export function printKeys(print: Printer, answer: Answer | undefined, path: string): number {
  if (answer?.secret.wrap_info) return print.secret(answer);
  print.warn(answer?.secret.warnings ?? null);
  const keys = answer?.data["keys"];
  if (!Array.isArray(keys) || keys.length === 0) throw nothingAt(`${path}/`);
  return print.keys(keys);
}
