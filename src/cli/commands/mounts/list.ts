/** `secrets list` and `auth list`. */
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { switchFlag } from "../../flags.ts";
import { cellText, humanDuration, sortedKeys } from "../../output/cell.ts";
import type { MountKind } from "./mount-kind.ts";

type Column = readonly [title: string, cell: (mount: JsonObject, config: JsonObject) => unknown];

const columns: readonly Column[] = [
  ["Type", ({ type }) => type],
  ["Accessor", ({ accessor }) => accessor],
  ["Description", ({ description }) => description],
];

const detailedColumns: readonly Column[] = [
  ["Type", ({ type }) => type],
  ["Accessor", ({ accessor }) => accessor],
  ["Default TTL", (_, { default_lease_ttl }) => lifetime(default_lease_ttl)],
  ["Max TTL", (_, { max_lease_ttl }) => lifetime(max_lease_ttl)],
  ["Token Type", (_, { token_type }) => token_type ?? ""],
  ["Visibility", (_, { listing_visibility }) => listing_visibility ?? ""],
  ["Options", ({ options }) => options ?? {}],
  ["Description", ({ description }) => description],
  ["UUID", ({ uuid }) => uuid],
  ["Version", ({ running_plugin_version }) => running_plugin_version ?? ""],
];

export const listCommand = (kind: MountKind) =>
  clientCommand({
    summary: `List enabled ${kind.plural}`,
    flags: { ...formatFlag, detailed: switchFlag("Print settings too") },
    async run({ client, print, during, flags: { detailed } }) {
      const { data } = await during(`listing ${kind.plural}`, client.get(kind.table));
      const shown = detailed ? detailedColumns : columns;
      const rows = sortedKeys(data).map((path) => {
        const mount = isJsonObject(data[path]) ? data[path] : {};
        const config = isJsonObject(mount["config"]) ? mount["config"] : {};
        return [path, ...shown.map(([, cell]) => cellText(cell(mount, config)))];
      });
      return print.table(["Path", ...shown.map(([title]) => title)], rows, data);
    },
  });

const lifetime = (seconds: unknown): string =>
  typeof seconds === "number" && seconds > 0 ? humanDuration(seconds) : "system";
