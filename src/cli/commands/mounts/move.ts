/** `secrets move` and `auth move`. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../client/client.ts";
import { isJsonObject } from "../../../lib/json.ts";
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { CommandFailure, exitCodes } from "../../failure.ts";
import { cleanPath } from "../../path.ts";
import type { MountKind } from "./mount-kind.ts";

export const moveCommand = (kind: MountKind) =>
  clientCommand({
    summary: `Move the ${kind.what} at a path to another one`,
    parameters: "SOURCE DESTINATION",
    flags: formatFlag,
    async run({ client, print, during, positionals }) {
      const [from, to] = positionals.map((typed) => `${kind.prefix}${withoutPrefix(cleanPath(typed), kind.prefix)}/`);
      const what = `moving ${from} to ${to}`;
      const answer = await during(what, client.post("sys/remount", { from, to }));
      print.warn(answer.secret.warnings);
      const id = String(answer.data["migration_id"] ?? "");
      if (id !== "" && !(await during(what, isMoved(client, id)))) {
        throw new CommandFailure(`Error ${what}: the move ${id} failed; the server's log says why`, exitCodes.refused);
      }
      return print.done(`Success! Moved the ${kind.what} ${from} to: ${to}`);
    },
  });

/** People write the path of an auth method with `auth/` and without. */
const withoutPrefix = (path: string, prefix: string): string =>
  prefix !== "" && path.startsWith(prefix) ? path.slice(prefix.length) : path;

const interval = 1000;

async function isMoved(client: Client, id: string): Promise<boolean> {
  for (;;) {
    const { data } = await client.get(`sys/remount/status/${id}`);
    const info = isJsonObject(data["migration_info"]) ? data["migration_info"] : {};
    if (info["status"] !== "in-progress") return info["status"] === "success";
    await sleep(interval);
  }
}
