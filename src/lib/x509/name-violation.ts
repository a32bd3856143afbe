/** Whether the names of a certificate stay inside the constraints of an authority above it. RFC 5280, 4.2.1.10 and 6.1. */
import { isIPv4, isIPv6 } from "node:net";
import { membersOf, readElement } from "../der/reader.ts";
import { constructed } from "../der/tags.ts";
import { type AlternativeNames, nameKinds } from "./general-name.ts";
import { ipBytes } from "./ip-address.ts";
import { isInRange, parseRange } from "./ip-range.ts";
import { attributeIds, attributeValues, comparable, isEmptyName, type Name } from "./name.ts";
import type { NameConstraints, NameTrees } from "./name-constraints.ts";

interface Kind<T> {
  readonly what: string;
  readonly trees: (trees: NameTrees) => readonly T[];
  readonly names: readonly { readonly value: T; readonly shown: string }[];
  readonly isInside: (name: T, tree: T) => boolean;
}

/** A sentence saying which name is outside; undefined if all names are allowed. */
export function nameViolation(
  constraints: NameConstraints,
  names: AlternativeNames,
  subject?: Name,
): string | undefined {
  if (constraints.hasUnknown && names.otherNames.length + names.rest.length > 0) {
    return "the issuer constrains names of a kind that cannot be checked";
  }
  const texts = (
    what: string,
    trees: Kind<string>["trees"],
    values: readonly string[],
    isInside: Kind<string>["isInside"],
  ) => violation(constraints, { what, trees, names: values.map((value) => ({ value, shown: value })), isInside });
  return (
    texts("DNS name", (trees) => trees.dnsDomains, hostsOf(names, subject), isInDomain) ??
    texts("e-mail address", (trees) => trees.emails, mailboxesOf(names, subject), isMailboxIn) ??
    texts("IP address", (trees) => trees.ipRanges, names.ips, isAddressIn) ??
    texts("URI", (trees) => trees.uriDomains, names.uris, isUriIn) ??
    violation(constraints, {
      what: "directory name",
      trees: (trees) => (trees.directories ?? []).map(comparable),
      names: directoriesOf(names, subject),
      isInside: (name, tree) => name.startsWith(tree),
    })
  );
}

function violation<T>({ permitted, excluded }: NameConstraints, kind: Kind<T>): string | undefined {
  const [inside, outside] = [kind.trees(permitted), kind.trees(excluded)];
  for (const { value, shown } of kind.names) {
    if (inside.length > 0 && !inside.some((tree) => kind.isInside(value, tree))) {
      return `the ${kind.what} ${JSON.stringify(shown)} is not permitted by the issuer's name constraints`;
    }
    if (outside.some((tree) => kind.isInside(value, tree))) {
      return `the ${kind.what} ${JSON.stringify(shown)} is excluded by the issuer's name constraints`;
    }
  }
  return undefined;
}

/** Programs that find no DNS name fall back to the common name, so that one counts then. */
function hostsOf({ dnsNames }: AlternativeNames, subject: Name | undefined): readonly string[] {
  if (dnsNames.length > 0 || !subject) return dnsNames;
  return attributeValues(subject, attributeIds.commonName).filter(
    (name) => /^[\w*-]+(\.[\w-]+)+\.?$/.test(name) && !isIPv4(name),
  );
}

const emailAddress = "1.2.840.113549.1.9.1";

const mailboxesOf = ({ emails }: AlternativeNames, subject: Name | undefined): readonly string[] =>
  subject ? [...emails, ...attributeValues(subject, emailAddress)] : emails;

function directoriesOf({ rest }: AlternativeNames, subject: Name | undefined) {
  const directories = rest.flatMap((der) => {
    const element = readElement(der);
    return element.tag === constructed(nameKinds.directory)
      ? membersOf(element, element.tag).map(({ whole }) => whole)
      : [];
  });
  const all = subject && !isEmptyName(subject.der) ? [subject.der, ...directories] : directories;
  return all.map((der) => ({ value: comparable(der), shown: "of the subject" }));
}

const withoutDot = (name: string): string => (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();

/** `example.com` holds itself and all below it; `.example.com` only what is below. */
function isInDomain(name: string, domain: string): boolean {
  const [host, tree] = [withoutDot(name), withoutDot(domain)];
  if (tree === "") return true;
  return tree.startsWith(".") ? host.endsWith(tree) : host === tree || host.endsWith(`.${tree}`);
}

/** `example.com` is that host alone here, `.example.com` all hosts below it. */
function isOnHost(host: string, tree: string): boolean {
  const [name, wanted] = [withoutDot(host), withoutDot(tree)];
  return wanted === "" || (wanted.startsWith(".") ? name.endsWith(wanted) : name === wanted);
}

function isMailboxIn(mailbox: string, tree: string): boolean {
  const at = mailbox.lastIndexOf("@");
  const host = mailbox.slice(at + 1);
  if (!tree.includes("@")) return isOnHost(host, tree);
  const treeAt = tree.lastIndexOf("@");
  // What stands before the @ is the business of that host, letter case included.
  return mailbox.slice(0, at) === tree.slice(0, treeAt) && isOnHost(host, tree.slice(treeAt + 1));
}

function isAddressIn(address: string, range: string): boolean {
  const bytes = ipBytes(address);
  return bytes !== undefined && isInRange(bytes, parseRange(range));
}

/** A URI without a host name is in no domain. */
function isUriIn(uri: string, tree: string): boolean {
  const host = URL.canParse(uri) ? new URL(uri).hostname : "";
  const bare = host.startsWith("[") ? host.slice(1, -1) : host;
  return host !== "" && !isIPv4(bare) && !isIPv6(bare) && isOnHost(host, tree);
}
