/** Asks for the state of the seal and prints it. */
import type { Client } from "../client/client.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Printer } from "./output/printer.ts";
import { sealStatusRows } from "./output/seal-status.ts";

export async function printSealStatus(client: Client, print: Printer, status: JsonObject): Promise<number> {
  // A sealed server does not say who leads.
  const leader = await client.get("sys/leader").then(
    ({ data }) => data,
    () => ({}) as JsonObject,
  );
  return print.data({ ...status, ...leader }, sealStatusRows(status, leader));
}
