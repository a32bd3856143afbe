/** Claims that must have one of the values that a role names for them. All of them must hold, each by any match. */
import { invalidRequest } from "../../api/errors.ts";
import { globMatches } from "../../lib/glob.ts";
import { type Claims, claimAt } from "./claims.ts";

export type BoundClaims = Readonly<Record<string, unknown>>;
export type BoundClaimsType = "string" | "glob";

/** Refuses what can never match; called when a role is written. */
export function requireSoundBoundClaims(bound: BoundClaims, type: BoundClaimsType): void {
  for (const expected of Object.values(bound)) {
    if (type === "glob") requireTexts(expected);
    else if (!isComparable(expected)) {
      throw invalidRequest(`bound claim is not a string, bool, int or list: ${shown(expected)}`);
    }
  }
}

function requireTexts(expected: unknown): void {
  if (typeof expected === "string") return;
  if (!Array.isArray(expected)) throw invalidRequest(`claim is not a string or list: ${shown(expected)}`);
  const other = expected.find((item) => typeof item !== "string");
  if (other !== undefined) throw invalidRequest(`claim is not a string: ${shown(other)}`);
}

const isScalar = (value: unknown) =>
  typeof value === "string" || typeof value === "boolean" || typeof value === "number";
const isComparable = (value: unknown) => isScalar(value) || (Array.isArray(value) && value.every(isScalar));

/** Throws with the words that go behind `error validating claims`. */
export function requireBoundClaims(bound: BoundClaims, type: BoundClaimsType, claims: Claims): void {
  for (const [reference, expected] of Object.entries(bound)) {
    const actual = claimAt(claims, reference);
    const name = JSON.stringify(reference);
    if (actual === undefined || actual === null) throw new ClaimMismatch(`claim ${name} is missing`);
    if (!isScalar(actual) && !Array.isArray(actual)) {
      throw new ClaimMismatch(`received claim is not a string, bool, int or list: ${name}`);
    }
    const matches = type === "glob" ? globEquals : isSame;
    const found = listOf(actual).some((value) => listOf(expected).some((wanted) => matches(wanted, value)));
    if (!found) throw new ClaimMismatch(`claim ${name} does not match any associated bound claim values`);
  }
}

export class ClaimMismatch extends Error {
  override readonly name = "ClaimMismatch";
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Types must agree: the text "1" is not the number 1. */
const isSame = (wanted: unknown, actual: unknown) => wanted === actual;

const globEquals = (wanted: unknown, actual: unknown) =>
  typeof wanted === "string" && typeof actual === "string" && globMatches(wanted, actual);

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);
