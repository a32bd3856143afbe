/** The name constraints of an authority: written, read, and checked against the names of a certificate. RFC 5280, 4.2.1.10. */
import type { Extension } from "./extension.ts";
import type { AlternativeNames } from "./general-name.ts";
import type { Name } from "./name.ts";

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

export const noTrees: NameTrees = { dnsDomains: [], emails: [], ipRanges: [], uriDomains: [] };

/** Critical. X509Error for a CIDR or domain that is none. Must not be called with nothing in it. */
export function nameConstraints(_constraints: {
  permitted?: Partial<NameTrees>;
  excluded?: Partial<NameTrees>;
}): Extension {
  throw new Error("not written yet");
}

export function parseNameConstraints(_value: Uint8Array): NameConstraints {
  throw new Error("not written yet");
}

/** A sentence saying which name is outside; undefined if all names are allowed. */
export function nameViolation(
  _constraints: NameConstraints,
  _names: AlternativeNames,
  _subject?: Name,
): string | undefined {
  throw new Error("not written yet");
}
