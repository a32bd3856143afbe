/** Finds certificates by what is in them, a page at a time, along the order that leaves the least to look at. */
import { choice, type Fields, text, time, type Values } from "../../api/fields.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { globMatches } from "../../lib/glob.ts";
import { endAt, type Order, placeBefore, type StoredCertificate, serialAt } from "./certificate.ts";
import type { PkiServices } from "./services.ts";

export const searchFields = {
  name: text("Common or alternative name; * stands for any text").default(""),
  issuer_ref: text("Issuer, by id or name").default(""),
  role: text("Role that it was issued under").default(""),
  expires_after: time("Only those that end at this time or later").default(0),
  expires_before: time("Only those that end before this time").default(Number.MAX_SAFE_INTEGER),
  revoked: choice(["any", "true", "false"], "Only revoked ones, or only others").default("any"),
} satisfies Fields;

type Search = Values<typeof searchFields> & { readonly after: string; readonly limit: number };

const usualLimit = 100;
const mostLooks = 20_000;
const pageSize = 200;

export async function search(services: PkiServices, asked: Search) {
  const issuer = asked.issuer_ref === "" ? undefined : await services.issuers.require(asked.issuer_ref, 400);
  const order = orderFor(asked, issuer?.id);
  const limit = asked.limit > 0 ? asked.limit : usualLimit;
  const found: Found = { keys: [], key_info: {}, next: asked.after || placeBefore(asked.expires_after / 1000) };
  for (let looks = 0; looks < mostLooks; looks += pageSize) {
    const page: PageRequest = { after: found.next, limit: pageSize };
    const places = await services.certificates.places(order, page);
    for (const place of places) {
      if (endAt(place) * 1000 >= asked.expires_before) return { ...found, next: "" };
      found.next = place;
      await look(services, asked, issuer?.id, serialAt(place), found);
      if (found.keys.length === limit) return found;
    }
    if (places.length < pageSize) return { ...found, next: "" };
  }
  return found;
}

interface Found {
  readonly keys: string[];
  readonly key_info: Record<string, object>;
  next: string;
}

async function look(
  services: PkiServices,
  asked: Search,
  issuerId: string | undefined,
  serial: string,
  found: Found,
): Promise<void> {
  const stored = await services.certificates.get(serial);
  if (!stored || !matches(stored, asked, issuerId)) return;
  const isRevoked = (await services.revocations.get(serial)) !== undefined;
  if (asked.revoked !== "any" && isRevoked !== (asked.revoked === "true")) return;
  found.keys.push(serial);
  found.key_info[serial] = shown(stored, isRevoked);
}

function orderFor({ name, role }: Search, issuerId: string | undefined): Order {
  if (name !== "" && !name.includes("*")) return { by: "name", value: name };
  if (role !== "") return { by: "role", value: role };
  return issuerId === undefined ? { by: "expiry" } : { by: "issuer", value: issuerId };
}

function matches(stored: StoredCertificate, { name, role }: Search, issuerId: string | undefined): boolean {
  if (role !== "" && stored.role !== role) return false;
  if (issuerId !== undefined && stored.issuer_id !== issuerId) return false;
  if (name === "") return true;
  const pattern = name.toLowerCase();
  return [stored.common_name, ...stored.names].some((each) => globMatches(pattern, each.toLowerCase()));
}

const shown = (stored: StoredCertificate, revoked: boolean) => ({
  common_name: stored.common_name,
  names: stored.names,
  issuer_id: stored.issuer_id,
  role: stored.role,
  not_before: stored.not_before,
  expiration: stored.not_after,
  revoked,
});
