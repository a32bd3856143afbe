/** Other names of subjects, as requests and roles write them: `<oid>;UTF8:<value>`. */
import { globMatches } from "../../lib/glob.ts";
import { isObjectIdentifier } from "./object-identifier.ts";

export interface OtherName {
  readonly oid: string;
  readonly value: string;
}

const utf8Spellings = new Set(["utf8", "utf-8"]);

/** Throws an error whose words are for the caller. */
export function parseOtherName(text: string): OtherName {
  const semicolon = text.indexOf(";");
  if (semicolon < 0) throw new Error(`expected a semicolon in other SAN ${JSON.stringify(text)}`);
  const oid = text.slice(0, semicolon).trim();
  const rest = text.slice(semicolon + 1);
  const colon = rest.indexOf(":");
  if (colon < 0) throw new Error(`expected a colon in other SAN ${JSON.stringify(text)}`);
  if (!utf8Spellings.has(rest.slice(0, colon).trim().toLowerCase())) {
    throw new Error(
      `only utf8 other SANs are supported; found non-supported type in other SAN ${JSON.stringify(text)}`,
    );
  }
  if (!isObjectIdentifier(oid)) throw new Error(`${JSON.stringify(oid)} is not an object identifier`);
  return { oid, value: rest.slice(colon + 1) };
}

/** What a request gives: a list, or one text that is a JSON list or has commas between. */
export function otherNameTexts(given: string | readonly string[]): readonly string[] {
  if (typeof given !== "string" && given.length !== 1) return given;
  const whole = (typeof given === "string" ? given : given[0]!).trim();
  const parsed = whole.startsWith("[") ? parsedList(whole) : undefined;
  if (parsed) return parsed;
  const parts = whole
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  // A value may have commas of its own.
  return parts.length > 1 && !parts.every((part) => part.includes(";")) ? [whole] : parts;
}

function parsedList(text: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === "string") ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The words of the refusal, or undefined where all are allowed. */
export function refusedOtherName(names: readonly OtherName[], allowed: readonly string[]): string | undefined {
  if (allowed.length === 1 && allowed[0] === "*") return undefined;
  const rules = allowed.filter((rule) => rule !== "*").map(parseOtherName);
  for (const { oid, value } of names) {
    const forOid = rules.filter((rule) => rule.oid === oid);
    if (forOid.length === 0) return `other SAN OID ${oid} not allowed by this role`;
    if (!forOid.some((rule) => globMatches(rule.value, value))) {
      return `other SAN ${value} not allowed for OID ${oid} by this role`;
    }
  }
  return undefined;
}
