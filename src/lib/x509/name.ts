/** Distinguished names: the subject and the issuer of a certificate. */

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

/** DER in the order C, ST, L, street, postalCode, O, OU, CN, serialNumber, UID, extra. Empty fields are left out. */
export function encodeSubject(_subject: Subject): Uint8Array {
  throw new Error("not written yet");
}

export function parseName(_der: Uint8Array): Name {
  throw new Error("not written yet");
}

/** The known fields of a name; attributes of other kinds are in `extra`. The last common name counts. */
export function subjectOf(_name: Name): Required<Subject> {
  throw new Error("not written yet");
}

/** Every value of one attribute, in order. */
export function attributeValues(_name: Name, _oid: string): readonly string[] {
  throw new Error("not written yet");
}

/** RFC 4514 text: `CN=web,O=Example,C=DE`; attributes without a short name as `1.2.3=#0c…`. */
export function nameText(_name: Name): string {
  throw new Error("not written yet");
}

/** Equality for issuer matching (RFC 5280, 7.1): letter case and runs of spaces do not matter. */
export function isSameName(_a: Uint8Array, _b: Uint8Array): boolean {
  throw new Error("not written yet");
}

export const isEmptyName = (name: Uint8Array): boolean => name.length === 2;
