/** `operator members`: the nodes of a cluster. */
import { isJsonObject } from "../../../lib/json.ts";
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { cellText } from "../../output/cell.ts";

const columns = {
  hostname: "Host Name",
  api_address: "API Address",
  cluster_address: "Cluster Address",
  active_node: "Active Node",
  version: "Version",
  last_echo: "Last Echo",
};

export const members = clientCommand({
  summary: "List the nodes of the cluster",
  flags: formatFlag,
  async run({ client, print, during }) {
    const { data } = await during("listing members", client.get("sys/ha-status"));
    const nodes = Array.isArray(data["nodes"]) ? data["nodes"].filter(isJsonObject) : [];
    const rows = nodes.map((node) => Object.keys(columns).map((name) => cellText(node[name] ?? "")));
    return print.table(Object.values(columns), rows, data);
  },
});
