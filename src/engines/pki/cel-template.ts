/** Turns the certificate that a program describes into one that can be signed. */
import { invalidRequest } from "../../api/errors.ts";
import { subjectAltName } from "../../lib/x509/alternative-names.ts";
import { basicConstraints } from "../../lib/x509/basic-constraints.ts";
import type { Certificate } from "../../lib/x509/certificate.ts";
import { certificatePolicies, inhibitAnyPolicy } from "../../lib/x509/certificate-policies.ts";
import { type Extension, extension } from "../../lib/x509/extension.ts";
import { hasNames, noNames } from "../../lib/x509/general-name.ts";
import { extendedKeyUsages, type KeyUsage, keyUsageNames } from "../../lib/x509/key-usage.ts";
import { encodeSubject, isEmptyName } from "../../lib/x509/name.ts";
import { nameConstraints } from "../../lib/x509/name-constraints.ts";
import type { Fields } from "./cel-message.ts";
import { isObjectIdentifier } from "./object-identifier.ts";
import { refusing } from "./refusal.ts";
import { issuerExtensionIds } from "./signing.ts";
import { extendedUsageExtension, keyUsageExtension } from "./usage-extensions.ts";

/** Subject and extensions; dates are the caller's concern. */
export function templateParts(template: Fields, issuer: Certificate) {
  const subject = subjectOf(template.message("Subject"));
  const names = {
    ...noNames,
    dnsNames: template.texts("DNSNames"),
    emails: template.texts("EmailAddresses"),
    ips: template.messages("IPAddresses").flatMap((each) => addressText(each.bytes("IP"))),
    uris: template.messages("URIs").map(uriText),
  };
  const made: Extension[] = [
    ...keyUsageExtension(usagesOf(template)),
    ...extendedUsageExtension(extendedUsages(template)),
    ...constraintsOf(template, issuer),
    ...nameConstraintsOf(template),
    ...policiesOf(template),
    ...(hasNames(names) ? [refusing(() => subjectAltName(names, isEmptyName(subject)))] : []),
  ];
  const extra = template.messages("ExtraExtensions").map(extraExtension);
  const own = new Set(extra.map(({ oid }) => oid));
  return { subject, extensions: [...made.filter(({ oid }) => !own.has(oid)), ...extra] };
}

const subjectOf = (name: Fields): Uint8Array =>
  refusing(() =>
    encodeSubject({
      country: name.texts("Country"),
      organization: name.texts("Organization"),
      organizationalUnit: name.texts("OrganizationUnit"),
      locality: name.texts("Locality"),
      province: name.texts("Province"),
      streetAddress: name.texts("StreetAddress"),
      postalCode: name.texts("PostalCode"),
      serialNumber: name.text("SerialNumber"),
      commonName: name.text("CommonName"),
    }),
  );

const isAuthority = (template: Fields): boolean => template.flag("IsCA");

/** One of the named usages (1 to 9), or, above them, the bits of several: 96 is CertSign and CRLSign. */
function usagesOf(template: Fields): KeyUsage[] {
  const value = template.number("KeyUsage");
  if (value === 0) return isAuthority(template) ? ["CertSign", "CRLSign"] : [];
  const named = value < 10 ? [keyUsageNames[value - 1]!] : keyUsageNames.filter((_, bit) => (value >> bit) & 1);
  return isAuthority(template) && value < 10
    ? keyUsageNames.filter((name) => name === "CertSign" || name === "CRLSign" || named.includes(name))
    : named;
}

const microsoftCodeSigning = ["1.3.6.1.4.1.311.2.1.22", "1.3.6.1.4.1.311.61.1.1"];
const numberedUsages: readonly string[] = [...Object.values(extendedKeyUsages), ...microsoftCodeSigning];

function extendedUsages(template: Fields): string[] {
  const known = template.numbers("ExtKeyUsage").map((number) => {
    const oid = numberedUsages[number];
    if (oid === undefined) throw invalidRequest(`there is no extended key usage number ${number}`);
    return oid;
  });
  return [...new Set([...known, ...template.messages("UnknownExtKeyUsage").map(oidText)])];
}

function constraintsOf(template: Fields, issuer: Certificate): Extension[] {
  if (!isAuthority(template)) {
    return template.flag("BasicConstraintsValid") ? [basicConstraints({ isAuthority: false })] : [];
  }
  const limit = issuer.extensions.basicConstraints?.maxPathLength;
  if (limit === 0) {
    throw invalidRequest("signing certificate has a max path length of zero, and cannot issue further CA certificates");
  }
  const asked = template.number("MaxPathLen");
  const isSet = template.flag("MaxPathLenZero") || (template.has("MaxPathLen") && asked >= 0);
  const most = limit === undefined ? undefined : limit - 1;
  const maxPathLength = isSet ? Math.min(asked, most ?? asked) : most;
  return [basicConstraints({ isAuthority: true, maxPathLength })];
}

function nameConstraintsOf(template: Fields): Extension[] {
  const trees = (kind: "Permitted" | "Excluded") => ({
    dnsDomains: template.texts(`${kind}DNSDomains`),
    emails: template.texts(`${kind}EmailAddresses`),
    ipRanges: template.messages(`${kind}IPRanges`).map(rangeText),
    uriDomains: template.texts(`${kind}URIDomains`),
  });
  const permitted = trees("Permitted");
  const excluded = trees("Excluded");
  const isUnset = [...Object.values(permitted), ...Object.values(excluded)].every((list) => list.length === 0);
  return isUnset ? [] : [refusing(() => nameConstraints({ permitted, excluded }))];
}

function policiesOf(template: Fields): Extension[] {
  const oids = [...template.messages("PolicyIdentifiers"), ...template.messages("Policies")].map(oidText);
  const policies = [...new Set(oids)].map((oid) => ({ oid }));
  const skip = template.number("InhibitAnyPolicy");
  return [
    ...(policies.length > 0 ? [refusing(() => certificatePolicies(policies))] : []),
    ...(skip > 0 || template.flag("InhibitAnyPolicyZero") ? [inhibitAnyPolicy(skip)] : []),
  ];
}

function extraExtension(each: Fields): Extension {
  const oid = each.numbers("Id").join(".");
  if (!isObjectIdentifier(oid)) throw invalidRequest(`bad extension OID: ${JSON.stringify(oid)}`);
  if (issuerExtensionIds.has(oid)) throw invalidRequest(`the extension ${oid} is set by the issuer`);
  return refusing(() => extension(oid, each.flag("Critical"), each.bytes("Value")));
}

function oidText(message: Fields): string {
  const oid = message.numbers("arc").join(".");
  if (isObjectIdentifier(oid)) return oid;
  throw invalidRequest(`bad policy OID: ${JSON.stringify(oid)}`);
}

function addressText(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  if (bytes.length === 4) return [bytes.join(".")];
  if (bytes.length === 16) return [Buffer.from(bytes).toString("hex").match(/..../g)!.join(":")];
  throw invalidRequest(`bad IP address: invalid IP bytes: ${Buffer.from(bytes).toString("hex")}`);
}

function rangeText(range: Fields): string {
  const [address] = addressText(range.message("IP").bytes("IP"));
  const mask = range.message("Mask").bytes("IPMask");
  if (address === undefined || mask.length === 0) throw invalidRequest("bad permitted IP range: empty ip or mask");
  const bits = [...mask].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return `${address}/${bits.indexOf("0") < 0 ? bits.length : bits.indexOf("0")}`;
}

function uriText(url: Fields): string {
  const scheme = url.text("Scheme");
  const prefix = scheme === "" ? "" : `${scheme}:`;
  const query = url.text("RawQuery") === "" ? "" : `?${url.text("RawQuery")}`;
  const fragment = url.text("Fragment") === "" ? "" : `#${url.text("Fragment")}`;
  if (url.text("Opaque") !== "") return prefix + url.text("Opaque") + query + fragment;
  const user = url.message("User").text("username");
  const host = url.text("Host");
  const authority = host === "" && user === "" ? "" : `//${user === "" ? "" : `${user}@`}${host}`;
  return prefix + authority + url.text("Path") + query + fragment;
}
