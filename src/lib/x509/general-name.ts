/** Alternative names: hosts, mailboxes, addresses, URIs and names of other kinds. RFC 5280, 4.2.1.6. */

export interface OtherName {
  readonly oid: string;
  readonly value: string;
}

/** Grouped by kind, in the order in which they stood within each kind. */
export interface AlternativeNames {
  readonly otherNames: readonly OtherName[];
  readonly dnsNames: readonly string[];
  readonly emails: readonly string[];
  /** As text, IPv6 in its shortest form. */
  readonly ips: readonly string[];
  readonly uris: readonly string[];
  /** DER of directory names, registered ids and other kinds that have no place above, or other names that are no UTF-8 text. */
  readonly rest: readonly Uint8Array[];
}

export const noNames: AlternativeNames = { otherNames: [], dnsNames: [], emails: [], ips: [], uris: [], rest: [] };

export const hasNames = (names: AlternativeNames): boolean => Object.values(names).some((list) => list.length > 0);
