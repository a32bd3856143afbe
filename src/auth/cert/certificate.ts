/** A certificate with what logins look at, read once. */
import { X509Certificate } from "node:crypto";
import { DerError } from "../../lib/der/der-error.ts";
import {
  type Element,
  expectTag,
  integerOf,
  membersOf,
  objectIdentifierOf,
  readElement,
  readElements,
} from "../../lib/der/reader.ts";
import { tags } from "../../lib/der/tags.ts";
import { stringOf } from "../../lib/der/text.ts";
import { pemBlocksOf } from "../../lib/x509/pem.ts";

export interface Certificate {
  readonly x509: X509Certificate;
  readonly der: Uint8Array;
  readonly serial: bigint;
  readonly isSelfIssued: boolean;
  readonly commonName: string;
  readonly organizationalUnits: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  /** Object identifiers of extended key usages; undefined if it may be used for anything. */
  readonly usages: readonly string[] | undefined;
  readonly isAuthority: boolean;
  /** How many further authorities may stand between it and the certificate that it vouches for. */
  readonly pathLength: bigint | undefined;
  readonly subjectKeyId: Uint8Array;
  readonly authorityKeyId: Uint8Array;
  readonly extensions: ReadonlyMap<string, Extension>;
  readonly signatureAlgorithm: Element;
}

export interface Extension {
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

export const oids = {
  commonName: "2.5.4.3",
  organizationalUnit: "2.5.4.11",
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  certificatePolicies: "2.5.29.32",
  authorityKeyId: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
} as const;

/** Throws for what is no certificate. */
export function parseCertificate(der: Uint8Array): Certificate {
  const x509 = new X509Certificate(der);
  const [body, signatureAlgorithm] = membersOf(readElement(der));
  const fields = membersOf(body);
  // The version is left out where it is 1.
  if (fields[0]?.tag === 0xa0) fields.shift();
  const [serial, , issuer, , subject] = fields;
  const extensions = extensionsOf(fields.find(({ tag }) => tag === 0xa3));
  const names = attributesOf(expectTag(subject, tags.sequence));
  return {
    x509,
    der: x509.raw,
    serial: integerOf(serial),
    isSelfIssued: issuer !== undefined && Buffer.compare(issuer.whole, subject!.whole) === 0,
    commonName: names(oids.commonName).at(-1) ?? "",
    organizationalUnits: names(oids.organizationalUnit),
    ...alternativeNames(extensions.get(oids.subjectAltName)),
    usages: extensions.has(oids.extendedKeyUsage) ? (x509.keyUsage ?? []) : undefined,
    isAuthority: x509.ca,
    pathLength: pathLengthOf(extensions.get(oids.basicConstraints)),
    subjectKeyId: subjectKeyIdOf(extensions.get(oids.subjectKeyId)),
    authorityKeyId: authorityKeyIdOf(extensions.get(oids.authorityKeyId)),
    extensions,
    signatureAlgorithm: expectTag(signatureAlgorithm, tags.sequence),
  };
}

/** Every certificate of a PEM text. */
export const parseCertificates = (pem: string): Certificate[] => pemBlocksOf(pem, "CERTIFICATE").map(parseCertificate);

/** The text that an extension's value is, where it is one; else empty. */
export function extensionText({ value }: Extension): string {
  try {
    return stringOf(readElement(value)) ?? "";
  } catch {
    return "";
  }
}

function extensionsOf(wrapper: Element | undefined): Map<string, Extension> {
  const extensions = new Map<string, Extension>();
  if (!wrapper) return extensions;
  for (const element of membersOf(readElement(wrapper.content))) {
    const [id, ...rest] = membersOf(element);
    const oid = objectIdentifierOf(id);
    const critical = rest.find(({ tag }) => tag === tags.boolean);
    const value = rest.find(({ tag }) => tag === tags.octetString);
    // RFC 5280, 4.2: two of the same kind would leave open which one counts.
    if (!value || extensions.has(oid)) throw new DerError(`the extension ${oid} has no value, or is there twice`);
    extensions.set(oid, { isCritical: (critical?.content[0] ?? 0) !== 0, value: value.content });
  }
  return extensions;
}

/** The values of an attribute of a name, in their order. */
function attributesOf(name: Element): (oid: string) => string[] {
  const attributes = readElements(name.content)
    .flatMap((set) => readElements(expectTag(set, tags.set).content))
    .map((attribute) => {
      const [id, value] = membersOf(attribute);
      return { oid: objectIdentifierOf(id), text: value && stringOf(value) };
    });
  return (oid) => attributes.flatMap((attribute) => (attribute.oid === oid ? [attribute.text ?? ""] : []));
}

/** RFC 5280, 4.2.1.6: names of people, hosts and services, each with a tag of its own. */
function alternativeNames(extension: Extension | undefined) {
  const names = extension ? membersOf(readElement(extension.value)) : [];
  const withTag = (tag: number) =>
    names.filter((name) => name.tag === tag).map(({ content }) => Buffer.from(content).toString("latin1"));
  return { emails: withTag(0x81), dnsNames: withTag(0x82), uris: withTag(0x86) };
}

function pathLengthOf(extension: Extension | undefined): bigint | undefined {
  const length = extension && membersOf(readElement(extension.value)).find(({ tag }) => tag === tags.integer);
  return length && integerOf(length);
}

const nothing = new Uint8Array();

const subjectKeyIdOf = (extension: Extension | undefined): Uint8Array =>
  extension ? expectTag(readElement(extension.value), tags.octetString).content : nothing;

const authorityKeyIdOf = (extension: Extension | undefined): Uint8Array =>
  (extension && membersOf(readElement(extension.value)).find(({ tag }) => tag === 0x80)?.content) ?? nothing;
