/** Certificates: built and signed, and read. RFC 5280, section 4. */
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { type Element, integerOf, readElement, smallIntegerOf } from "../der/reader.ts";
import { constructed, primitive, tags } from "../der/tags.ts";
import { time, timeOf } from "../der/time.ts";
import { explicit, integer, sequence } from "../der/writer.ts";
import type { Extension } from "./extension.ts";
import { type ExtensionSet, readExtensionSet } from "./extension-set.ts";
import { type PublicKey, parsePublicKey } from "./key.ts";
import { type Name, readName } from "./name.ts";
import type { Signer } from "./signature.ts";
import { readSigned, type Signed, signed } from "./signed.ts";
import { reading, writing, X509Error } from "./x509-error.ts";

export interface CertificateFields {
  readonly serial: bigint;
  /** Name in DER: of an issuer, `certificate.subject.der`. */
  readonly issuer: Uint8Array;
  /** Name in DER: `encodeSubject(…)`, or that of a request. */
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Extension[];
}

export interface Certificate extends Signed {
  readonly der: Uint8Array;
  readonly serial: bigint;
  readonly issuer: Name;
  readonly subject: Name;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Read at first use; then throws an X509Error for keys of unsupported kinds. */
  readonly publicKey: PublicKey;
  readonly spki: Uint8Array;
  readonly extensions: ExtensionSet;
}

const version3 = explicit(0, integer(2));

/** DER. X509Error for two extensions of one kind, or dates outside the years 0 to 9999. */
export const buildCertificate = (fields: CertificateFields, signer: Signer): Uint8Array =>
  signed(buildToBeSigned(fields, signer), signer);

function buildToBeSigned(fields: CertificateFields, { algorithm }: Signer): Uint8Array {
  const { serial, issuer, subject, notBefore, notAfter, publicKey, extensions } = fields;
  if (new Set(extensions.map(({ oid }) => oid)).size !== extensions.length) {
    throw new X509Error("a certificate cannot have two extensions of one kind");
  }
  const validity = writing("validity", () => sequence(time(notBefore), time(notAfter)));
  return sequence(
    version3,
    integer(serial),
    algorithm.der,
    issuer,
    validity,
    subject,
    publicKey,
    ...(extensions.length > 0 ? [explicit(3, sequence(...extensions.map(({ der }) => der)))] : []),
  );
}

/** X509Error for anything that is no sound certificate. */
export const parseCertificate = (der: Uint8Array): Certificate => reading("certificate", () => readCertificate(der));

/** One that was just built of these fields: the rest is read when it is first asked for, if it ever is. */
export function builtCertificate(der: Uint8Array, fields: CertificateFields, publicKey: PublicKey): Certificate {
  let read: Certificate | undefined;
  const whole = (): Certificate => {
    read ??= reading("certificate", () => readCertificate(der, publicKey));
    return read;
  };
  return {
    der,
    serial: fields.serial,
    notBefore: wholeSeconds(fields.notBefore),
    notAfter: wholeSeconds(fields.notAfter),
    publicKey,
    spki: fields.publicKey,
    get issuer() {
      return whole().issuer;
    },
    get subject() {
      return whole().subject;
    },
    get extensions() {
      return whole().extensions;
    },
    get toBeSigned() {
      return whole().toBeSigned;
    },
    get signatureAlgorithm() {
      return whole().signatureAlgorithm;
    },
    get signature() {
      return whole().signature;
    },
  };
}

/** As certificates have it. */
const wholeSeconds = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);

function readCertificate(der: Uint8Array, known?: PublicKey): Certificate {
  const outer = readSigned(der);
  const members = new Fields(readElement(outer.toBeSigned));
  const version = members.optional(constructed(0));
  const number = version ? smallIntegerOf(readElement(version.content)) : 0;
  if (number > 2) throw new DerError(`version ${number + 1} is not known`);
  const serial = integerOf(members.next());
  // Signed is only the inner one: a different outer one would be a lie (RFC 5280, 4.1.1.2).
  if (Buffer.compare(members.required(tags.sequence).whole, outer.signatureAlgorithm) !== 0) {
    throw new DerError("it names two different signature algorithms");
  }
  const issuer = readName(members.required(tags.sequence).whole);
  const validity = new Fields(members.required(tags.sequence));
  const [notBefore, notAfter] = [timeOf(validity.next()), timeOf(validity.next())];
  validity.end();
  const subject = readName(members.required(tags.sequence).whole);
  const spki = members.required(tags.sequence).whole;
  const extensions = readExtensionSet(lastOf(members, number));
  let key = known;
  return {
    ...outer,
    ...{ der, serial, issuer, subject, notBefore, notAfter, spki, extensions },
    get publicKey() {
      key ??= parsePublicKey(spki);
      return key;
    },
  };
}

/** The extensions, behind two identifiers that nobody uses. */
function lastOf(members: Fields, version: number): Element | undefined {
  const ids = [members.optional(primitive(1)), members.optional(primitive(2))];
  const wrapper = members.optional(constructed(3));
  members.end();
  if (version < 1 && ids.some((id) => id)) throw new DerError("version 1 has no unique identifiers");
  if (wrapper && version !== 2) throw new DerError("only version 3 has extensions");
  return wrapper && readElement(wrapper.content);
}

/** Whether the basic constraints say that it may sign others. */
export const isAuthority = ({ extensions }: Certificate): boolean => extensions.basicConstraints?.isAuthority === true;
