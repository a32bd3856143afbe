/** Settings of tokens as an auth role keeps them: under their current names, and shown again under older ones. */
import { deprecated, duration, list, partial, type Values } from "./fields.ts";
import { plainTokenFields, requireSoundTokenFields, type TokenFieldValues, tokenFields } from "./token-fields.ts";

/** Older names of some settings. Each auth method declares those that it had. */
export const olderTokenFields = {
  policies: deprecated(list("Another name of token_policies")).default([]),
  ttl: deprecated(duration("Another name of token_ttl")).default(0),
  max_ttl: deprecated(duration("Another name of token_max_ttl")).default(0),
  period: deprecated(duration("Another name of token_period")).default(0),
  bound_cidrs: deprecated(list("Another name of token_bound_cidrs")).default([]),
};

type OlderName = keyof typeof olderTokenFields;
type AllValues = Values<typeof tokenFields & typeof olderTokenFields>;
type TokenInput = { readonly [Name in keyof AllValues]?: AllValues[Name] | undefined };

const currentNames = {
  policies: "token_policies",
  ttl: "token_ttl",
  max_ttl: "token_max_ttl",
  period: "token_period",
  bound_cidrs: "token_bound_cidrs",
} as const satisfies Record<OlderName, keyof TokenFieldValues>;

const olderNames = Object.keys(currentNames) as OlderName[];
const names = Object.keys(tokenFields) as (keyof TokenFieldValues)[];

export interface KeptTokenFields {
  readonly token: TokenFieldValues;
  /** Older names under which settings were last written, and under which reading shows them too. */
  readonly older: readonly OlderName[];
}

export const plainKeptTokenFields: KeptTokenFields = { token: plainTokenFields, older: [] };

/** What the caller sent replaces what was there; the current name of a setting wins over its older one. */
export function changedTokenFields(
  { token, older }: KeptTokenFields,
  input: TokenInput,
  given: (field: string) => boolean,
): KeptTokenFields {
  const changes: Record<string, unknown> = {};
  const kept = new Set(older);
  for (const name of olderNames) {
    if (given(name)) {
      changes[currentNames[name]] = input[name];
      kept.add(name);
    } else if (given(currentNames[name])) kept.delete(name);
  }
  for (const name of names) if (given(name)) changes[name] = input[name];
  const changed = normalTokenFields({ ...token, ...changes });
  requireSoundTokenFields(changed);
  return { token: changed, older: [...kept] };
}

/** What reading a role answers for these: the fields of `tokenFields`, and older names of those written so. */
export function shownTokenFields({ token, older }: KeptTokenFields): TokenFieldValues & Partial<OlderValues> {
  const shown: Record<string, unknown> = {
    ...token,
    token_type: token.token_type === "" ? "default" : token.token_type,
  };
  for (const name of older) if (isSet(token[currentNames[name]])) shown[name] = token[currentNames[name]];
  return shown as TokenFieldValues & Partial<OlderValues>;
}

type OlderValues = Values<typeof olderTokenFields>;

/** Older names in an answer: there only if they were used. */
export const shownOlderFields = partial(olderTokenFields);

const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== 0);

function normalTokenFields(token: TokenFieldValues): TokenFieldValues {
  return {
    ...token,
    token_policies: policyNames(token.token_policies),
    token_bound_cidrs: token.token_bound_cidrs.map(withoutFullMask),
  };
}

const policyNames = (given: readonly string[]): string[] =>
  [...new Set(given.map((name) => name.trim().toLowerCase()).filter((name) => name !== ""))].sort();

/** One address is written without its mask, whichever way it came. */
const withoutFullMask = (cidr: string): string =>
  cidr.includes(":") ? cidr.replace(/\/128$/, "") : cidr.replace(/\/32$/, "");
