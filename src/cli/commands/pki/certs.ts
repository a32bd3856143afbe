/** `pki certs`. */
import type { Answer, Query } from "../../../client/client.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { durationFlag, integerFlag, switchFlag, textFlag } from "../../flags.ts";
import { cellText } from "../../output/cell.ts";
import { cleanPath, nothingAt } from "../../path.ts";
import { mountFlag } from "./location.ts";

const searchFlags = {
  expiring: durationFlag("Only those that are valid now and end within this time; without revoked ones"),
  name: textFlag("Only those with this common or alternative name; * stands for any text"),
  issuer: textFlag("Only those of this issuer, by id or name"),
  role: textFlag("Only those issued under this role"),
  revoked: switchFlag("Only revoked ones; -revoked=false for only others"),
  after: textFlag("Begin after this place, which a page before ended with"),
  limit: integerFlag("List at most this many"),
};

export const pkiCerts = clientCommand({
  summary: "Find certificates, those that end first before the others",
  examples: [
    { purpose: "What has to be renewed soon", line: "pki certs -expiring=30d" },
    { purpose: "Who has a certificate for a domain", line: "pki certs -mount=pki-web -name=*.example.com" },
    { purpose: "What was revoked", line: "pki certs -revoked -format=json" },
  ],
  flags: { ...formatFlag, ...mountFlag, ...searchFlags },
  async run({ client, print, during, flags, given, terminal }) {
    const path = `${cleanPath(flags.mount)}/certs/search`;
    const now = Date.now();
    const query: Query = {
      ...(flags.expiring !== undefined && window(now, flags.expiring)),
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.issuer !== undefined && { issuer_ref: flags.issuer }),
      ...(flags.role !== undefined && { role: flags.role }),
      ...(given.has("revoked")
        ? { revoked: String(flags.revoked) }
        : flags.expiring !== undefined && { revoked: "false" }),
    };
    const ask = (page: Query) => during("searching certificates", client.find(path, { query: { ...query, ...page } }));
    const found = await gather(ask, flags.after ?? "", flags.limit ?? Number.POSITIVE_INFINITY);
    if (found.keys.length === 0) throw nothingAt(path);
    if (found.next !== "" && print.isForPeople) terminal.complain(`There are more: add -after=${found.next}`);
    return print.table(heading, rowsOf(found, now), found);
  },
});

const window = (now: number, seconds: number): Query => ({
  expires_after: new Date(now).toISOString(),
  expires_before: new Date(now + seconds * 1000).toISOString(),
});

interface Found {
  readonly keys: string[];
  readonly key_info: Record<string, unknown>;
  readonly next: string;
}

/** A page has an end of its own, which is not that of the search. */
async function gather(ask: (page: Query) => Promise<Answer | undefined>, after: string, limit: number): Promise<Found> {
  const keys: string[] = [];
  const key_info: Record<string, unknown> = Object.create(null);
  let next = after;
  do {
    const rest = Math.min(limit - keys.length, largestPage);
    const data: JsonObject = (await ask({ limit: String(rest), ...(next !== "" && { after: next }) }))?.data ?? {};
    keys.push(...((data["keys"] ?? []) as string[]));
    Object.assign(key_info, data["key_info"]);
    next = typeof data["next"] === "string" ? data["next"] : "";
  } while (next !== "" && keys.length < limit);
  return { keys, key_info, next };
}

const largestPage = 1000;

const heading = ["Serial Number", "Common Name", "Names", "Role", "Expires", "State"];

const rowsOf = ({ keys, key_info }: Found, now: number) =>
  keys.map((serial) => {
    const about = isJsonObject(key_info[serial]) ? key_info[serial] : {};
    const end = Number(about["expiration"]) * 1000;
    return [
      serial,
      cellText(about["common_name"]),
      Array.isArray(about["names"]) ? about["names"].map(String).join(", ") : "",
      cellText(about["role"]),
      new Date(end).toISOString().replace(".000Z", "Z"),
      about["revoked"] === true ? "revoked" : stateAt(end, now),
    ];
  });

const day = 86_400_000;

function stateAt(end: number, now: number): string {
  if (end < now) return "expired";
  const days = Math.floor((end - now) / day);
  return days === 0 ? "ends today" : `${days} ${days === 1 ? "day" : "days"} left`;
}
