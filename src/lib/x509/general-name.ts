/** Alternative names: hosts, mailboxes, addresses, URIs and names of other kinds. RFC 5280, 4.2.1.6. */
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { type Element, objectIdentifierOf, readElement } from "../der/reader.ts";
import { constructed, primitive, tags } from "../der/tags.ts";
import { asciiOf, utf8Of } from "../der/text.ts";
import { explicit, implicit, utf8String } from "../der/writer.ts";
import { ipBytes, ipText } from "./ip-address.ts";
import { encodedId } from "./object-ids.ts";
import { X509Error } from "./x509-error.ts";

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

/** The numbers that RFC 5280 gives to the kinds. */
export const nameKinds = { other: 0, email: 1, dns: 2, directory: 4, uri: 6, ip: 7 } as const;

/** In the order: other names, DNS, e-mail, IP, URI, the rest. */
export const encodeNames = (names: Partial<AlternativeNames>): Uint8Array[] => [
  ...(names.otherNames ?? []).map(encodeOther),
  ...(names.dnsNames ?? []).map((name) => encodeText(nameKinds.dns, name, "DNS name")),
  ...(names.emails ?? []).map((name) => encodeText(nameKinds.email, name, "e-mail address")),
  ...(names.ips ?? []).map(encodeAddress),
  ...(names.uris ?? []).map(encodeUri),
  ...(names.rest ?? []),
];

export const encodeUri = (uri: string): Uint8Array => encodeText(nameKinds.uri, uri, "URI");

/** These kinds are ASCII; what is not must have been turned into it before (punycode, percent signs). */
export function encodeText(kind: number, text: string, what: string): Uint8Array {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new X509Error(`the ${what} ${JSON.stringify(text)} must be printable ASCII`);
  return implicit(kind, Buffer.from(text, "latin1"));
}

function encodeAddress(text: string): Uint8Array {
  const bytes = ipBytes(text);
  if (!bytes) throw new X509Error(`the value ${JSON.stringify(text)} is not a valid IP address`);
  return implicit(nameKinds.ip, bytes);
}

const encodeOther = ({ oid, value }: OtherName): Uint8Array =>
  explicit(nameKinds.other, encodedId(oid, "another name"), explicit(0, utf8String(value)));

/** Throws a DerError for what is malformed. */
export function readNames(elements: readonly Element[]): AlternativeNames {
  const names: MutableNames = { otherNames: [], dnsNames: [], emails: [], ips: [], uris: [], rest: [] };
  for (const element of elements) readInto(names, element);
  return names;
}

type MutableNames = { [Kind in keyof AlternativeNames]: AlternativeNames[Kind][number][] };

const restTags: readonly number[] = [constructed(3), constructed(nameKinds.directory), constructed(5), primitive(8)];

function readInto(names: MutableNames, { tag, content, whole }: Element): void {
  if (tag === primitive(nameKinds.dns)) names.dnsNames.push(asciiOf(content));
  else if (tag === primitive(nameKinds.email)) names.emails.push(asciiOf(content));
  else if (tag === primitive(nameKinds.uri)) names.uris.push(asciiOf(content));
  else if (tag === primitive(nameKinds.ip)) names.ips.push(addressOf(content));
  else if (tag === constructed(nameKinds.other)) readOther(names, whole);
  else if (restTags.includes(tag)) names.rest.push(whole);
  else throw new DerError("an alternative name is of an unknown kind");
}

function addressOf(content: Uint8Array): string {
  const text = ipText(content);
  if (text === undefined) throw new DerError("an IP address has neither 4 nor 16 bytes");
  return text;
}

function readOther(names: MutableNames, whole: Uint8Array): void {
  const members = new Fields(readElement(whole), constructed(nameKinds.other));
  const oid = objectIdentifierOf(members.next());
  const value = readElement(members.required(constructed(0)).content);
  members.end();
  if (value.tag === tags.utf8String) names.otherNames.push({ oid, value: utf8Of(value.content) });
  else names.rest.push(whole);
}
