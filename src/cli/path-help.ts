/** Prints what the server says about a path. */
import { isJsonObject } from "../lib/json.ts";
import type { Session } from "./client-command.ts";
import type { Flags } from "./flags.ts";
import { nothingAt } from "./path.ts";

export async function printPathHelp({ client, print, during }: Session<Flags>, path: string): Promise<number> {
  const answer = await during(`asking for help on ${path}`, client.find(path, { query: { help: "1" } }));
  const json = answer?.json;
  if (!isJsonObject(json) || typeof json["help"] !== "string") throw nothingAt(path);
  return print.text(json["help"], json);
}
