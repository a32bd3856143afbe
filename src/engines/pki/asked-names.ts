/** The names that a request asks for: read from its fields or from its CSR, and put before the role. */
import { isIP } from "node:net";
import { invalidRequest } from "../../api/errors.ts";
import { parseCidr } from "../../lib/cidr.ts";
import type { CertificateRequest } from "../../lib/x509/certificate-request.ts";
import type { AlternativeNames, OtherName } from "../../lib/x509/general-name.ts";
import { subjectOf } from "../../lib/x509/name.ts";
import { asciiName, isPlainDnsName } from "./host-name.ts";
import {
  allowsCommonName,
  allowsName,
  allowsSerialNumber,
  allowsUri,
  allowsUserId,
  type NameRules,
} from "./name-rules.ts";
import { otherNameTexts, parseOtherName, refusedOtherName } from "./other-name.ts";

export interface NameFields {
  readonly common_name: string;
  readonly alt_names: readonly string[];
  readonly ip_sans: readonly string[];
  readonly uri_sans: readonly string[];
  readonly other_sans: string | readonly string[];
  readonly serial_number: string;
  readonly user_ids: readonly string[];
  readonly exclude_cn_from_sans: boolean;
}

export interface AskedNames {
  readonly commonName: string;
  readonly serialNumber: string;
  readonly userIds: readonly string[];
  readonly names: AlternativeNames;
}

/** `source` says in refusals where a name came from. */
type Source = "API" | "CSR";

/** All names, without any rule but that they can be written. */
export function readNames(fields: NameFields): AskedNames {
  const { dnsNames, emails } = sorted(fields.alt_names);
  addCommonName(fields.common_name, fields.exclude_cn_from_sans, dnsNames, emails);
  return {
    commonName: fields.common_name,
    serialNumber: fields.serial_number,
    userIds: fields.user_ids,
    names: {
      dnsNames: unique(dnsNames),
      emails: unique(emails),
      ips: unique(fields.ip_sans.map(requireAddress)),
      uris: unique(fields.uri_sans.map(requireUri)),
      otherNames: readOtherNames(fields.other_sans),
      rest: [],
    },
  };
}

/** The names of a request under a role, each allowed by it. */
export function namesUnderRole(
  fields: NameFields,
  csr: CertificateRequest | undefined,
  rules: NameRules,
  warn: (message: string) => void,
): AskedNames {
  const { role } = rules;
  const subject = csr && subjectOf(csr.subject);
  const commonName = commonNameOf(fields, role.use_csr_common_name ? subject?.commonName : undefined, role.require_cn);
  const fromCsr = csr && role.use_csr_sans ? csr.extensions.names : undefined;
  if (fromCsr && fields.alt_names.length > 0) {
    warn("the role takes alternative names from the CSR (use_csr_sans), so alt_names was ignored");
  }
  const read = readNames({
    ...fields,
    common_name: commonName,
    serial_number: fields.serial_number || (subject?.serialNumber ?? ""),
    user_ids: fields.user_ids.length > 0 ? fields.user_ids : (subject?.userIds ?? []),
    ...(fromCsr && {
      alt_names: [...fromCsr.dnsNames, ...fromCsr.emails],
      ip_sans: fromCsr.ips,
      uri_sans: fromCsr.uris,
    }),
  });
  const otherNames = [...read.names.otherNames, ...(fromCsr?.otherNames ?? [])];
  const asked = { ...read, names: { ...read.names, otherNames } };
  requireAllowed(asked, rules, fromCsr ? "CSR" : "API");
  return asked;
}

function commonNameOf(fields: NameFields, inCsr: string | undefined, isRequired: boolean): string {
  const name = inCsr || fields.common_name;
  if (name === "" && isRequired) {
    throw invalidRequest(
      'the common_name field is required, or must be provided in a CSR with "use_csr_common_name" set to true, unless "require_cn" is set to false',
    );
  }
  return name;
}

function requireAllowed({ commonName, serialNumber, userIds, names }: AskedNames, rules: NameRules, source: Source) {
  if (commonName !== "" && !allowsCommonName(rules, commonName)) {
    throw invalidRequest(`common name ${commonName} not allowed by this role`);
  }
  if (serialNumber !== "" && !allowsSerialNumber(rules.role, serialNumber)) {
    throw invalidRequest(`serial_number ${serialNumber} not allowed by this role`);
  }
  const host = names.dnsNames.find((name) => !allowsName(rules, name));
  if (host !== undefined) throw invalidRequest(`subject alternate name ${host} not allowed by this role`);
  const mailbox = names.emails.find((name) => !allowsName(rules, name));
  if (mailbox !== undefined) throw invalidRequest(`email address ${mailbox} not allowed by this role`);
  const other = refusedOtherName(names.otherNames, rules.role.allowed_other_sans);
  if (other !== undefined) throw invalidRequest(other);
  requireAddressesAllowed(names.ips, rules, source);
  requireUrisAllowed(names.uris, rules, source);
  const userId = userIds.find((id) => !allowsUserId(rules.role, id));
  if (userId !== undefined) throw invalidRequest(`user_id ${userId} is not allowed by this role`);
}

function requireAddressesAllowed(ips: readonly string[], { role }: NameRules, source: Source): void {
  if (ips.length === 0) return;
  if (!role.allow_ip_sans) {
    throw invalidRequest(
      `IP Subject Alternative Names are not allowed in this role, but was provided via the ${source}`,
    );
  }
  if (role.allowed_ip_sans_cidr.length === 0) return;
  const ranges = role.allowed_ip_sans_cidr.map(parseCidr);
  const outside = ips.find((ip) => !ranges.some((range) => range.contains(ip)));
  if (outside !== undefined) throw invalidRequest(`the IP address "${outside}" is not allowed in this role`);
}

function requireUrisAllowed(uris: readonly string[], rules: NameRules, source: Source): void {
  if (uris.length === 0) return;
  if (rules.role.allowed_uri_sans.length === 0) {
    throw invalidRequest(
      `URI Subject Alternative Names are not allowed in this role, but were provided via the ${source}`,
    );
  }
  if (uris.some((uri) => !allowsUri(rules, uri))) {
    throw invalidRequest(
      `URI Subject Alternative Names were provided via the ${source} which are not valid for this role`,
    );
  }
}

function sorted(names: readonly string[]): { dnsNames: string[]; emails: string[] } {
  const dnsNames: string[] = [];
  const emails: string[] = [];
  for (const name of names) {
    if (name.includes("@")) emails.push(name);
    else dnsNames.push(asciiName(name) ?? name);
  }
  return { dnsNames, emails };
}

/** Many common names are no host names, such as those of people: they stay in the subject only. */
function addCommonName(name: string, isExcluded: boolean, dnsNames: string[], emails: string[]): void {
  if (name === "" || isExcluded) return;
  if (name.includes("@")) emails.unshift(name);
  else if (isPlainDnsName(name)) dnsNames.unshift(asciiName(name) ?? name);
}

function readOtherNames(given: string | readonly string[]): OtherName[] {
  try {
    return otherNameTexts(given).map(parseOtherName);
  } catch (error) {
    throw invalidRequest(`could not parse requested other SAN: ${(error as Error).message}`);
  }
}

function requireAddress(text: string): string {
  if (isIP(text) === 0 || text.includes("%")) throw invalidRequest(`the value "${text}" is not a valid IP address`);
  return text;
}

function requireUri(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(text)) return text;
  throw invalidRequest(`the provided URI Subject Alternative Name ${JSON.stringify(text)} is not a valid URI`);
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];
