/** A request as a plain object, in the shape that CEL programs know as `parsed_csr`. */
import type { CertificateRequest } from "./certificate-request.ts";
import type { KeyType } from "./key.ts";
import { subjectOf } from "./name.ts";
import { signatureAlgorithmOf } from "./signature.ts";

const keyAlgorithms: Record<KeyType, string> = { rsa: "RSA", ec: "ECDSA", ed25519: "Ed25519", "ml-dsa": "ML-DSA" };

/** Subject{CommonName, Country[], …}, DNSNames, EmailAddresses, IPAddresses, URIs, Extensions{oid: bytes}, PublicKeyAlgorithm, SignatureAlgorithm, Raw…. */
export function requestSummary(request: CertificateRequest): Readonly<Record<string, unknown>> {
  const { names, all } = request.extensions;
  const { type, bits } = request.publicKey.kind;
  return {
    Raw: request.der,
    RawTBSCertificateRequest: request.toBeSigned,
    RawSubjectPublicKeyInfo: request.publicKey.spki,
    RawSubject: request.subject.der,
    Version: 0n,
    Signature: request.signature,
    SignatureAlgorithm: signatureAlgorithmText(request.signatureAlgorithm),
    PublicKey: request.publicKey.spki,
    PublicKeyAlgorithm: keyAlgorithms[type],
    PublicKeyBits: BigInt(type === "ed25519" ? 256 : bits),
    Subject: subjectSummary(request),
    DNSNames: names.dnsNames,
    EmailAddresses: names.emails,
    IPAddresses: names.ips,
    URIs: names.uris,
    OtherNames: names.otherNames.map(({ oid, value }) => ({ OID: oid, Value: value })),
    Extensions: Object.fromEntries(all.map(({ oid, value }) => [oid, value])),
    ExtraExtensions: [],
  };
}

function subjectSummary({ subject }: CertificateRequest) {
  const fields = subjectOf(subject);
  return {
    CommonName: fields.commonName,
    SerialNumber: fields.serialNumber,
    Country: fields.country,
    Organization: fields.organization,
    OrganizationalUnit: fields.organizationalUnit,
    Locality: fields.locality,
    Province: fields.province,
    StreetAddress: fields.streetAddress,
    PostalCode: fields.postalCode,
    UserIDs: fields.userIds,
    ExtraNames: fields.extra.map(({ oid }) => oid),
  };
}

/** The names that Go gives to them: `SHA256-RSA`, `ECDSA-SHA384`. */
function signatureAlgorithmText(identifier: Uint8Array): string {
  const algorithm = signatureAlgorithmOf(identifier);
  if (!algorithm) return "unknown";
  const hash = algorithm.hash?.toUpperCase() ?? "";
  if (algorithm.keyType === "rsa") return `${hash}-RSA${algorithm.isPss ? "PSS" : ""}`;
  return algorithm.keyType === "ec" ? `ECDSA-${hash}` : algorithm.name;
}
