/** Distinguished names: the subject and the issuer of a certificate. */
import { Fields } from "../der/fields.ts";
import { membersOf, objectIdentifierOf, readElement } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import { strictStringOf } from "../der/text.ts";
import { element, objectIdentifier, sequence, setOf } from "../der/writer.ts";
import { encodedId } from "./object-ids.ts";
import { reading, X509Error } from "./x509-error.ts";

export interface NameAttribute {
  readonly oid: string;
  readonly value: string;
  /** Universal tag of the string type; chosen by the value where it is left out. */
  readonly tag?: number;
}

/** As it stood in a certificate or request. */
export interface Name {
  readonly der: Uint8Array;
  /** Each inner list is one (usually single-valued) relative name. */
  readonly relativeNames: readonly (readonly NameAttribute[])[];
}

/** What roles and requests put together; several values of one field become one multi-valued relative name. */
export interface Subject {
  readonly country?: readonly string[];
  readonly province?: readonly string[];
  readonly locality?: readonly string[];
  readonly streetAddress?: readonly string[];
  readonly postalCode?: readonly string[];
  readonly organization?: readonly string[];
  readonly organizationalUnit?: readonly string[];
  readonly commonName?: string;
  readonly serialNumber?: string;
  readonly userIds?: readonly string[];
  /** Further attributes, one relative name each, at the end. */
  readonly extra?: readonly NameAttribute[];
}

export const attributeIds = {
  country: "2.5.4.6",
  province: "2.5.4.8",
  locality: "2.5.4.7",
  streetAddress: "2.5.4.9",
  postalCode: "2.5.4.17",
  organization: "2.5.4.10",
  organizationalUnit: "2.5.4.11",
  commonName: "2.5.4.3",
  serialNumber: "2.5.4.5",
  userIds: "0.9.2342.19200300.100.1.1",
} as const;

type Field = keyof typeof attributeIds;
const fields = Object.keys(attributeIds) as Field[];
const encodedIds = new Map(Object.values(attributeIds).map((oid) => [oid as string, objectIdentifier(oid)]));
const fieldsById = new Map<string, Field>(fields.map((field) => [attributeIds[field], field]));

/** DER in the order C, ST, L, street, postalCode, O, OU, CN, serialNumber, UID, extra. Empty fields are left out. */
export function encodeSubject(subject: Subject): Uint8Array {
  const relativeNames: Uint8Array[] = [];
  for (const field of fields) {
    const given = subject[field];
    const values = typeof given === "string" ? (given === "" ? [] : [given]) : (given ?? []);
    if (values.length === 0) continue;
    relativeNames.push(setOf(...values.map((value) => attribute({ oid: attributeIds[field], value }))));
  }
  for (const extra of subject.extra ?? []) relativeNames.push(setOf(attribute(extra)));
  return sequence(...relativeNames);
}

function attribute({ oid, value, tag }: NameAttribute): Uint8Array {
  return sequence(encodedIds.get(oid) ?? encodedId(oid, "a name"), text(value, tag));
}

/** PrintableString where the value has only its characters, else UTF8String. */
function text(value: string, tag?: number): Uint8Array {
  if (!value.isWellFormed()) throw new X509Error("a name has a text that is not valid Unicode");
  const chosen = tag ?? (/^[A-Za-z\d '()+,\-./:=?]*$/.test(value) ? tags.printableString : tags.utf8String);
  if (chosen === tags.bmpString) return element(chosen, Buffer.from(value, "utf16le").swap16());
  return element(chosen, Buffer.from(value, chosen === tags.utf8String ? "utf8" : "latin1"));
}

export const parseName = (der: Uint8Array): Name => reading("name", () => readName(der));

/** Throws a DerError, for readers of larger things. */
export function readName(der: Uint8Array): Name {
  const relativeNames = membersOf(readElement(der)).map((set) => {
    const attributes = membersOf(set, tags.set);
    return attributes.map((each) => {
      const members = new Fields(each);
      const oid = objectIdentifierOf(members.next());
      const value = members.next();
      members.end();
      return { oid, value: strictStringOf(value), tag: value.tag };
    });
  });
  return { der, relativeNames };
}

/** The known fields of a name; attributes of other kinds are in `extra`. The last common name counts. */
export function subjectOf({ relativeNames }: Name): Required<Subject> {
  const lists = Object.fromEntries(fields.map((field) => [field, [] as string[]])) as Record<Field, string[]>;
  const extra: NameAttribute[] = [];
  for (const each of relativeNames.flat()) {
    const field = fieldsById.get(each.oid);
    if (field) lists[field].push(each.value);
    else extra.push(each);
  }
  return {
    ...lists,
    commonName: lists.commonName.at(-1) ?? "",
    serialNumber: lists.serialNumber.at(-1) ?? "",
    extra,
  };
}

/** Every value of one attribute, in order. */
export const attributeValues = ({ relativeNames }: Name, oid: string): readonly string[] =>
  relativeNames.flat().flatMap((each) => (each.oid === oid ? [each.value] : []));

export const isEmptyName = (name: Uint8Array): boolean => name.length === 2;

const shortNames = new Map([
  ["2.5.4.6", "C"],
  ["2.5.4.10", "O"],
  ["2.5.4.11", "OU"],
  ["2.5.4.3", "CN"],
  ["2.5.4.5", "SERIALNUMBER"],
  ["2.5.4.7", "L"],
  ["2.5.4.8", "ST"],
  ["2.5.4.9", "STREET"],
  ["2.5.4.17", "POSTALCODE"],
]);

/** RFC 4514 text: `CN=web,O=Example,C=DE`; attributes without a short name as `1.2.3=#0c…`. */
export const nameText = ({ relativeNames }: Name): string =>
  [...relativeNames]
    .reverse()
    .map((attributes) => attributes.map(attributeText).join("+"))
    .join(",");

function attributeText({ oid, value, tag }: NameAttribute): string {
  const short = shortNames.get(oid);
  if (short) return `${short}=${escaped(value)}`;
  return `${oid}=#${Buffer.from(text(value, tag)).toString("hex")}`;
}

const escaped = (value: string): string =>
  value
    .replace(/[,+"\\<>;]/g, "\\$&")
    .replace(/^[ #]/, "\\$&")
    .replace(/ $/, "\\ ");

/** Equality for issuer matching (RFC 5280, 7.1): letter case and runs of spaces do not matter. */
export function isSameName(a: Uint8Array, b: Uint8Array): boolean {
  if (Buffer.compare(a, b) === 0) return true;
  try {
    return comparable(a) === comparable(b);
  } catch {
    return false;
  }
}

/** Also tells whether a name begins with another one: each relative name ends with a mark of its own. */
export const comparable = (name: Uint8Array | Name): string =>
  (name instanceof Uint8Array ? parseName(name) : name).relativeNames
    .map((attributes) => `${JSON.stringify(attributes.map(comparableAttribute).sort())}\n`)
    .join("");

const comparableAttribute = ({ oid, value }: NameAttribute): string =>
  `${oid}=${value.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()}`;
