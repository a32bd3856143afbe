/** The state of a server's seal as rows of a table. */
import type { JsonObject } from "../../lib/json.ts";
import { cellText } from "./cell.ts";
import type { Row } from "./table.ts";

export function sealStatusRows(status: JsonObject, leader: JsonObject): Row[] {
  const isRecovery = status["recovery_seal"] === true;
  const share = isRecovery ? "Total Recovery Shares" : "Total Shares";
  const rows: [string, unknown][] = [
    ["Seal Type", status["type"]],
    ...(isRecovery ? ([["Recovery Seal Type", status["recovery_seal_type"]]] satisfies [string, unknown][]) : []),
    ["Initialized", status["initialized"]],
    ["Sealed", status["sealed"]],
    [share, status["n"]],
    ["Threshold", status["t"]],
    ...progressRows(status),
    ["Version", status["version"]],
    ["Build Date", status["build_date"] ?? status["commit_date"]],
    ["Storage Type", status["storage_type"]],
    ...optionalRows(status, { cluster_name: "Cluster Name", cluster_id: "Cluster ID" }),
    ...optionalRows(leader, { ha_enabled: "HA Enabled" }),
  ];
  return rows.map(([name, value]) => [name, value === undefined ? "" : cellText(value)]);
}

function progressRows({ sealed, progress, t, nonce }: JsonObject): [string, unknown][] {
  if (sealed !== true || typeof progress !== "number" || progress === 0) return [];
  return [
    ["Unseal Progress", `${progress}/${cellText(t)}`],
    ["Unseal Nonce", nonce],
  ];
}

const optionalRows = (object: JsonObject, names: Record<string, string>): [string, unknown][] =>
  Object.entries(names).flatMap(([key, title]) => (object[key] === undefined ? [] : [[title, object[key]]]));
