/** What a program of a PKI role makes: a certificate to be, and how to issue it. */
import type { EnumType, FieldType, MessageType } from "../message.ts";

const container = "openbao.pki";
const text: FieldType = { kind: "string" };
const flag: FieldType = { kind: "bool" };
const integer: FieldType = { kind: "int64" };
const bytes: FieldType = { kind: "bytes" };
const texts: FieldType = { kind: { list: "string" } };
const moment: FieldType = { kind: "timestamp" };

const one = (name: string): FieldType => ({ kind: { message: `${container}.${name}` } });
const several = (name: string): FieldType => ({ kind: { list: { message: `${container}.${name}` } } });

const declare = (name: string, fields: MessageType["fields"]): MessageType => ({
  name: `${container}.${name}`,
  fields,
});

const arcs: MessageType["fields"] = { arc: { kind: { list: "uint64" } } };

const template: MessageType["fields"] = {
  Version: integer,
  Subject: one("PKIX.Name"),
  NotBefore: moment,
  NotAfter: moment,
  KeyUsage: { kind: { enum: `${container}.KeyUsage` } },
  ExtraExtensions: several("PKIX.Extension"),
  ExtKeyUsage: { kind: { list: { enum: `${container}.ExtKeyUsage` } } },
  UnknownExtKeyUsage: several("ObjectIdentifier"),
  BasicConstraintsValid: flag,
  IsCA: flag,
  MaxPathLen: integer,
  MaxPathLenZero: flag,
  SubjectKeyId: bytes,
  DNSNames: texts,
  EmailAddresses: texts,
  IPAddresses: several("net.IP"),
  URIs: several("url.URL"),
  PermittedDNSDomainsCritical: flag,
  PermittedDNSDomains: texts,
  ExcludedDNSDomains: texts,
  PermittedIPRanges: several("net.IPNet"),
  ExcludedIPRanges: several("net.IPNet"),
  PermittedEmailAddresses: texts,
  ExcludedEmailAddresses: texts,
  PermittedURIDomains: texts,
  ExcludedURIDomains: texts,
  PolicyIdentifiers: several("ObjectIdentifier"),
  Policies: several("OID"),
  InhibitAnyPolicy: integer,
  InhibitAnyPolicyZero: flag,
  InhibitPolicyMapping: integer,
  InhibitPolicyMappingZero: flag,
  RequireExplicitPolicy: integer,
  RequireExplicitPolicyZero: flag,
  PolicyMappings: several("PolicyMapping"),
};

export const certificateMessages: readonly MessageType[] = [
  declare("ValidationOutput", {
    template: one("CertTemplate"),
    issuer_ref: text,
    use_pss: flag,
    signature_bits: { kind: "uint64" },
    generate_lease: flag,
    no_store: flag,
    warnings: texts,
    subject_key_id: bytes,
    key_type: text,
    key_bits: { kind: "uint64" },
  }),
  declare("CertTemplate", template),
  declare("PKIX.Name", {
    Country: texts,
    Organization: texts,
    OrganizationUnit: texts,
    Locality: texts,
    Province: texts,
    StreetAddress: texts,
    PostalCode: texts,
    SerialNumber: text,
    CommonName: text,
  }),
  declare("PKIX.Extension", { Id: { kind: { list: "int32" } }, Critical: flag, Value: bytes }),
  declare("ObjectIdentifier", arcs),
  declare("OID", arcs),
  declare("PolicyMapping", { IssuerDomainPolicy: one("OID"), SubjectDomainPolicy: one("OID") }),
  declare("net.IP", { IP: bytes }),
  declare("net.IPMask", { IPMask: bytes }),
  declare("net.IPNet", { IP: one("net.IP"), Mask: one("net.IPMask") }),
  declare("url.Userinfo", { username: text, password: text, password_set: flag }),
  declare("url.URL", {
    Scheme: text,
    Opaque: text,
    User: one("url.Userinfo"),
    Host: text,
    Path: text,
    RawPath: text,
    OmitHost: flag,
    ForceQuery: flag,
    RawQuery: text,
    Fragment: text,
    RawFragment: text,
  }),
];

const numbered = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name, index) => [name, index]));

export const certificateEnums: readonly EnumType[] = [
  {
    name: `${container}.KeyUsage`,
    values: numbered([
      "KeyUsageUnspecified",
      "KeyUsageDigitalSignature",
      "KeyUsageContentCommitment",
      "KeyUsageKeyEncipherment",
      "KeyUsageDataEncipherment",
      "KeyUsageKeyAgreement",
      "KeyUsageCertSign",
      "KeyUsageCRLSign",
      "KeyUsageEncipherOnly",
      "KeyUsageDecipherOnly",
    ]),
  },
  {
    name: `${container}.ExtKeyUsage`,
    values: numbered([
      "ExtKeyUsageAny",
      "ExtKeyUsageServerAuth",
      "ExtKeyUsageClientAuth",
      "ExtKeyUsageCodeSigning",
      "ExtKeyUsageEmailProtection",
      "ExtKeyUsageIPSECEndSystem",
      "ExtKeyUsageIPSECTunnel",
      "ExtKeyUsageIPSECUser",
      "ExtKeyUsageTimeStamping",
      "ExtKeyUsageOCSPSigning",
      "ExtKeyUsageMicrosoftServerGatedCrypto",
      "ExtKeyUsageNetscapeServerGatedCrypto",
      "ExtKeyUsageMicrosoftCommercialCodeSigning",
      "ExtKeyUsageMicrosoftKernelCodeSigning",
    ]),
  },
];
