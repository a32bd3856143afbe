/** What every list takes and gives: pages are cut in the store, so each costs what it shows. */
import { z } from "zod";
import { readInteger } from "./coerce.ts";
import { items, text } from "./fields.ts";

export const pageFields = {
  after: text("Entry to begin listing after; it need not exist").default(""),
  limit: z
    .preprocess((raw) => (raw === "max" ? 0 : readInteger(raw)), z.int({ error: () => 'expected an integer or "max"' }))
    .meta({ description: 'Most entries to return; 0 or "max" for all' })
    .default(0),
};

export const keysField = { keys: items("Names, in order; one that has more below it ends in a slash") };

export interface PageRequest {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** The page that a list operation's input asks for. */
export const pageOf = ({ after, limit }: { after: string; limit: number }): PageRequest => ({
  after: after === "" ? undefined : after,
  limit: limit > 0 ? limit : undefined,
});
