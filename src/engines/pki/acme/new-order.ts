/** Takes a new order: what it may ask for, and the authorizations that it will need. */
import { readTime } from "../../../api/coerce.ts";
import type { Acme } from "./acme.ts";
import { timePrefix } from "./id.ts";
import { type Identifier, identifierText, readIdentifiers } from "./identifier.ts";
import { Orders } from "./order.ts";
import type { LoadedOrder } from "./order-view.ts";
import { malformed, Problem } from "./problem.ts";
import { requireFewer, windowMs } from "./recent.ts";
import { announceReplacement, requireReplaceable } from "./replacement.ts";
import type { AccountRequest } from "./signed.ts";

export async function createOrder(request: AccountRequest): Promise<LoadedOrder> {
  const { acme, account, directory, payload, now } = request;
  if (payload === undefined) throw malformed("a new order needs a payload");
  if (!directory.hasIssuer) {
    throw new Problem("unauthorized", "this mount has no default issuer yet, so nobody could sign", { status: 403 });
  }
  const identifiers = readIdentifiers(payload["identifiers"]);
  const replaces = payload["replaces"];
  if (payload["profile"] !== undefined) throw new Problem("invalidProfile", "this directory has no profiles");
  const replaced = replaces === undefined ? undefined : await requireReplaceable(replaces, identifiers, request);
  await requireWithinLimits(request, identifiers);
  await requireSignable(request, identifiers);
  const expires = Orders.end(now);
  const authorizations = identifiers.map((each) =>
    acme.authorizations.create(account.id, directory.path, each, now, expires),
  );
  const about = {
    account: account.id,
    directory: directory.path,
    identifiers,
    authorizations: authorizations.map(({ id }) => id),
    expires,
    ...readPeriod(payload, now),
    ...(replaced && { replaces: replaced.id }),
  };
  const order = acme.orders.create(about, now);
  if (replaced) announceReplacement(replaced, order, acme);
  acme.host.metrics.count("acme_orders_total", "Orders of ACME that were made");
  return { order, authorizations, status: "pending" };
}

async function requireWithinLimits({ acme, account, directory, now }: AccountRequest, wanted: readonly Identifier[]) {
  const { order_limit: limit, failed_validation_limit } = directory.settings;
  if (limit > 0) {
    const after = timePrefix(now.getTime() - windowMs);
    requireFewer(await acme.orders.listOf(account.id, { after, limit }), "new orders", limit, now);
  }
  for (const each of wanted) {
    await acme.recent.require("failed validations", failureSubject(account.id, each), failed_validation_limit, now);
  }
}

/** A wildcard fails where its name does. */
export const failureSubject = (account: string, { type, value }: Identifier): string =>
  `${account} ${type}:${value.replace(/^\*\./, "")}`;

/** A name that the role would not sign is refused before the client goes to the trouble of proving it. */
async function requireSignable({ acme, directory, now }: AccountRequest, identifiers: readonly Identifier[]) {
  const refusals: Problem[] = [];
  for (const identifier of identifiers) {
    const words = await refusalOf(acme, directory.role, identifier, now);
    if (words !== undefined) refusals.push(new Problem("rejectedIdentifier", words, { identifier }));
  }
  const [first] = refusals;
  if (!first) return;
  if (refusals.length === 1 && identifiers.length === 1) throw first;
  const names = refusals.map((each) => identifierText(each.document()["identifier"] as Identifier)).join(", ");
  throw new Problem("rejectedIdentifier", `not allowed: ${names}`, { subproblems: refusals });
}

async function refusalOf({ authority }: Acme, role: string | undefined, identifier: Identifier, now: Date) {
  return role === undefined ? undefined : authority.refusal(role, identifier, now);
}

/** A client may ask for less than the role gives, but not for a certificate that begins later. */
function readPeriod(payload: Readonly<Record<string, unknown>>, now: Date) {
  const [notBefore, notAfter] = [readMoment(payload, "notBefore"), readMoment(payload, "notAfter")];
  if (notBefore !== undefined && notBefore > now.getTime()) {
    throw malformed("notBefore cannot be asked for: certificates begin when they are issued");
  }
  if (notAfter !== undefined && notAfter <= now.getTime()) throw malformed("notAfter has passed");
  return notAfter === undefined ? {} : { notAfter: new Date(notAfter).toISOString() };
}

function readMoment(payload: Readonly<Record<string, unknown>>, name: "notBefore" | "notAfter"): number | undefined {
  const given = payload[name];
  if (given === undefined) return undefined;
  const read = typeof given === "string" ? readTime(given) : undefined;
  if (typeof read !== "number" || !Number.isFinite(read)) throw malformed(`${name} is not a time of RFC 3339`);
  return read;
}
