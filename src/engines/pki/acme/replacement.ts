/** An order that says which certificate it is to replace (RFC 9773, section 5). */
import type { Acme } from "./acme.ts";
import type { CertificateLink } from "./certificate-link.ts";
import { type Identifier, identifierText } from "./identifier.ts";
import type { Order } from "./order.ts";
import { loadOrder } from "./order-view.ts";
import { malformed, Problem } from "./problem.ts";
import { findCertificate } from "./renewal.ts";
import type { AccountRequest } from "./signed.ts";

export interface Replaceable {
  /** As in renewal information. */
  readonly id: string;
  readonly serial: string;
  readonly link: CertificateLink;
}

/** Only a certificate of the same account, for at least one of the same names, that nothing has replaced yet. */
export async function requireReplaceable(
  given: unknown,
  identifiers: readonly Identifier[],
  { acme, account, now }: AccountRequest,
): Promise<Replaceable> {
  const { id, serial } = await findCertificate(given, acme.authority);
  const link = await acme.links.get(serial);
  if (!link || link.account !== account.id) {
    throw new Problem("unauthorized", "the certificate to replace was issued to another account", { status: 403 });
  }
  const before = await acme.orders.get(link.order);
  const names = new Set(before?.identifiers.map(identifierText));
  if (before && !identifiers.some((each) => names.has(identifierText(each)))) {
    throw malformed("the certificate to replace has none of the names of this order");
  }
  const other = link.replacedBy === undefined ? undefined : await loadOrder(acme, link.replacedBy, now);
  if (other && other.status !== "invalid") {
    throw new Problem("alreadyReplaced", "another order has replaced that certificate, or is about to");
  }
  return { id, serial, link };
}

export const announceReplacement = ({ serial, link }: Replaceable, { id }: Order, { links }: Acme): void =>
  links.put(serial, { ...link, replacedBy: id });
