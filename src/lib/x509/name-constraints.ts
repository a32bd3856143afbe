/** The name constraints of an authority, written and read. RFC 5280, 4.2.1.10. */
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { type Element, integerOf, membersOf, readElement } from "../der/reader.ts";
import { constructed, primitive, tags } from "../der/tags.ts";
import { asciiOf } from "../der/text.ts";
import { explicit, implicit, sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { encodeText, nameKinds } from "./general-name.ts";
import { parseRange, rangeText } from "./ip-range.ts";
import { readName } from "./name.ts";
import { reading } from "./x509-error.ts";

export interface NameTrees {
  readonly dnsDomains: readonly string[];
  readonly emails: readonly string[];
  /** As CIDR: `10.0.0.0/8`. */
  readonly ipRanges: readonly string[];
  readonly uriDomains: readonly string[];
  /** DER of directory names. */
  readonly directories?: readonly Uint8Array[];
}

export interface NameConstraints {
  readonly permitted: NameTrees;
  readonly excluded: NameTrees;
  /** Kinds of constraint that are not understood here: any name of such a kind must be refused. */
  readonly hasUnknown?: boolean;
}

/** Critical. X509Error for a CIDR or domain that is none. Must not be called with nothing in it. */
export function nameConstraints(constraints: {
  readonly permitted?: Partial<NameTrees>;
  readonly excluded?: Partial<NameTrees>;
}): Extension {
  const permitted = encodeTrees(constraints.permitted ?? {});
  const excluded = encodeTrees(constraints.excluded ?? {});
  const value = sequence(
    ...(permitted.length > 0 ? [explicit(0, ...permitted)] : []),
    ...(excluded.length > 0 ? [explicit(1, ...excluded)] : []),
  );
  return extension(extensionIds.nameConstraints, true, value);
}

const encodeTrees = (trees: Partial<NameTrees>): Uint8Array[] =>
  [
    ...(trees.dnsDomains ?? []).map((domain) => encodeText(nameKinds.dns, domain, "DNS domain")),
    ...(trees.emails ?? []).map((email) => encodeText(nameKinds.email, email, "e-mail address or domain")),
    ...(trees.ipRanges ?? []).map((range) => implicit(nameKinds.ip, parseRange(range))),
    ...(trees.uriDomains ?? []).map((domain) => encodeText(nameKinds.uri, domain, "URI domain")),
    ...(trees.directories ?? []).map((name) => explicit(nameKinds.directory, name)),
  ].map((base) => sequence(base));

export const parseNameConstraints = (value: Uint8Array): NameConstraints =>
  reading("name constraints extension", () => {
    const members = new Fields(readElement(value));
    const permitted = members.optional(constructed(0));
    const excluded = members.optional(constructed(1));
    members.end();
    if (!permitted && !excluded) throw new DerError("it constrains nothing");
    const [inside, outside] = [readTrees(permitted), readTrees(excluded)];
    return { permitted: inside.trees, excluded: outside.trees, hasUnknown: inside.hasUnknown || outside.hasUnknown };
  });

function readTrees(element: Element | undefined): { readonly trees: NameTrees; readonly hasUnknown: boolean } {
  const trees = {
    dnsDomains: [] as string[],
    emails: [] as string[],
    ipRanges: [] as string[],
    uriDomains: [] as string[],
    directories: [] as Uint8Array[],
  };
  let hasUnknown = false;
  for (const tree of element ? membersOf(element, element.tag) : []) {
    const members = new Fields(tree);
    const base = members.next();
    // Distances other than "from here on" are not allowed in this profile; zero should be left out, and is not always.
    const minimum = members.optional(primitive(0));
    if (minimum && integerOf(minimum, primitive(0)) !== 0n) throw new DerError("it has a minimum distance");
    members.end();
    if (base.tag === primitive(nameKinds.dns)) trees.dnsDomains.push(asciiOf(base.content));
    else if (base.tag === primitive(nameKinds.email)) trees.emails.push(asciiOf(base.content));
    else if (base.tag === primitive(nameKinds.ip)) trees.ipRanges.push(rangeText(base.content));
    else if (base.tag === primitive(nameKinds.uri)) trees.uriDomains.push(asciiOf(base.content));
    else if (base.tag === constructed(nameKinds.directory)) trees.directories.push(directoryOf(base));
    else hasUnknown = true;
  }
  return { trees, hasUnknown };
}

function directoryOf(base: Element): Uint8Array {
  const name = readElement(base.content);
  if (name.tag !== tags.sequence) throw new DerError("a directory name is malformed");
  return readName(name.whole).der;
}

export { nameViolation } from "./name-violation.ts";
