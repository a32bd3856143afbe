/** Identity templates in the paths of policies: `secret/{{identity.entity.name}}/*`. */
import { DurationError, parseDuration } from "../../lib/duration.ts";
import { PolicyFault } from "./policy-error.ts";

/** What is known about the caller, for templates. */
export interface IdentityView {
  readonly entity?: EntityView | undefined;
  readonly groups: {
    readonly ids: Readonly<Record<string, GroupView>>;
    readonly names: Readonly<Record<string, GroupView>>;
  };
  readonly now: Date;
}

export interface EntityView {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  /** By the accessor of the mount that knows the alias. */
  readonly aliases: Readonly<Record<string, AliasView>>;
}

export interface AliasView {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  readonly custom_metadata: Metadata;
}

export interface GroupView {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
}

type Metadata = Readonly<Record<string, string>> | null;

/** One `{{…}}`, read once so that filling it in costs a few property lookups. */
export interface Selector {
  readonly text: string;
  /** False for one that names nothing we know: no caller ever has a value for it. */
  readonly isKnown: boolean;
  value(identity: IdentityView): string | undefined;
}

export interface Template {
  /** One more than there are selectors: the text around them. */
  readonly literals: readonly string[];
  readonly selectors: readonly Selector[];
}

/** Which characters a value may bring into a path; without them it can only ever name one segment. */
export interface TemplateFreedom {
  readonly slashes: boolean;
  readonly wildcards: boolean;
}

/** Undefined for a text without templates. Throws a sentence for the policy's author. */
export function parseTemplate(text: string): Template | undefined {
  const [first = "", ...rest] = text.split("{{");
  if (first.includes("}}")) throw unbalanced();
  if (rest.length === 0) return undefined;
  const literals = [first];
  const selectors: Selector[] = [];
  for (const piece of rest) {
    const [inside, after, ...more] = piece.split("}}");
    if (inside === undefined || after === undefined || more.length > 0) throw unbalanced();
    selectors.push(parseSelector(inside.trim()));
    literals.push(after);
  }
  return { literals, selectors };
}

const unbalanced = () => new PolicyFault('unbalanced templating characters: each "{{" needs one "}}" after it');

/** Undefined if the caller has no value for a selector, or one with characters that could widen the path. */
export function fillTemplate(
  { literals, selectors }: Template,
  identity: IdentityView,
  freedom: TemplateFreedom,
): string | undefined {
  let text = literals[0]!;
  for (const [index, selector] of selectors.entries()) {
    const value = selector.value(identity);
    if (value === undefined || !isHarmless(value, freedom)) return undefined;
    text += value + literals[index + 1];
  }
  return text;
}

/** An empty value counts as none: `team-{{…}}*` must not become `team-*`. */
function isHarmless(value: string, { slashes, wildcards }: TemplateFreedom): boolean {
  if (value === "") return false;
  if (!slashes && value.includes("/")) return false;
  return wildcards || !(value.includes("*") || value.includes("+"));
}

type Lookup = (identity: IdentityView) => string | undefined;

function parseSelector(text: string): Selector {
  const lookup = entitySelector(text) ?? groupSelector(text) ?? timeSelector(text);
  return { text, isKnown: lookup !== undefined, value: lookup ?? (() => undefined) };
}

function entitySelector(text: string): Lookup | undefined {
  const rest = after(text, "identity.entity.");
  if (rest === undefined) return undefined;
  if (rest === "id" || rest === "name") return ({ entity }) => entity?.[rest];
  const key = after(rest, "metadata.");
  if (key !== undefined) return ({ entity }) => own(entity?.metadata, key);
  const [accessor, field] = cut(after(rest, "aliases."));
  const read = field === undefined ? undefined : aliasField(field);
  if (accessor === undefined || read === undefined) return undefined;
  return ({ entity }) => {
    const alias = own(entity?.aliases, accessor);
    return alias && read(alias);
  };
}

function aliasField(field: string): ((alias: AliasView) => string | undefined) | undefined {
  const custom = after(field, "custom_metadata.");
  if (custom !== undefined) return (alias) => own(alias.custom_metadata, custom);
  return namedField(field);
}

function groupSelector(text: string): Lookup | undefined {
  const [by, rest] = cut(after(text, "identity.groups."));
  const [which, field] = cut(rest);
  const read = field === undefined ? undefined : namedField(field);
  if ((by !== "ids" && by !== "names") || which === undefined || read === undefined) return undefined;
  return ({ groups }) => {
    const group = own(groups[by], which);
    return group && read(group);
  };
}

function namedField(field: string): ((thing: GroupView) => string | undefined) | undefined {
  if (field === "id" || field === "name") return (thing) => thing[field];
  const key = after(field, "metadata.");
  return key === undefined ? undefined : (thing) => own(thing.metadata, key);
}

function timeSelector(text: string): Lookup | undefined {
  if (text === "time.now") return ({ now }) => unixSeconds(now, 0);
  const later = after(text, "time.now.plus.");
  const seconds = secondsOf(later ?? after(text, "time.now.minus."));
  if (seconds === undefined) return undefined;
  return ({ now }) => unixSeconds(now, later === undefined ? -seconds : seconds);
}

const unixSeconds = (now: Date, offset: number) => String(Math.floor(now.getTime() / 1000) + offset);

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

const after = (text: string, prefix: string): string | undefined =>
  text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : undefined;

/** The two sides of the first dot. */
function cut(text: string | undefined): [string?, string?] {
  const dot = text?.indexOf(".") ?? -1;
  return text === undefined || dot < 1 ? [] : [text.slice(0, dot), text.slice(dot + 1)];
}

/** Names come from policies and metadata from outside: neither may reach a prototype. */
function own<T>(map: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined;
}
