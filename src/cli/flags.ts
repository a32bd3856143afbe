/**
 * Command-line flags, declared once: parsing, types, environment fallbacks and help are read from the declaration.
 * One dash or two mean the same; flags may stand before or after other arguments, up to `--`.
 */
import { parseDuration } from "../lib/duration.ts";
import { nearestName } from "../lib/nearest.ts";

export interface Flag<Type> {
  readonly description: string;
  /** What stands for the value in help; a flag without it is a switch and takes none. */
  readonly placeholder: string | undefined;
  /** Value when neither the command line nor the environment has one. */
  readonly initial: Type;
  /** Environment variables that are asked in this order when the flag is not given; an empty one counts as unset. */
  readonly environment: readonly string[];
  readonly hidden: boolean;
  /** Adds one written value to what there was before; throws a sentence that says what is allowed. */
  read(written: string, before: Type | undefined): Type;
}

// biome-ignore lint/suspicious/noExplicitAny: one record holds flags of every type.
export type Flags = Readonly<Record<string, Flag<any>>>;

export type FlagValues<Declared extends Flags> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Flag<infer Type> ? Type : never;
};

export interface FlagOptions<Type> {
  readonly default?: Type;
  readonly environment?: readonly string[];
  readonly placeholder?: string;
  readonly hidden?: boolean;
}

export interface ParsedFlags<Declared extends Flags> {
  readonly values: FlagValues<Declared>;
  /** Flags that stood on the command line. */
  readonly given: ReadonlySet<string>;
  readonly positionals: readonly string[];
  /** `-h`, `-help` or `--help` was asked for, and is not a declared flag. */
  readonly help: boolean;
}

/** The command line cannot be understood; the message is for the person who typed it. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}

/** `STRONGROOM_ADDR`, and the names that other clients have for it. */
export const environmentNames = (suffix: string): readonly string[] =>
  ["STRONGROOM", "BAO", "VAULT"].map((product) => `${product}_${suffix}`);

const truths = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const falsehoods = new Set(["0", "f", "F", "FALSE", "false", "False"]);

/** On when it stands there; `-name=false` turns it off. */
export function switchFlag(description: string, options: FlagOptions<boolean> = {}): Flag<boolean> {
  return declare(description, { ...options, default: options.default ?? false }, undefined, (written) => {
    if (truths.has(written)) return true;
    if (falsehoods.has(written)) return false;
    throw new FlagError(`${JSON.stringify(written)} is not a boolean: use true or false`);
  });
}

export function textFlag(description: string, options: FlagOptions<string> & { default: string }): Flag<string>;
export function textFlag(description: string, options?: FlagOptions<string>): Flag<string | undefined>;
export function textFlag(description: string, options: FlagOptions<string> = {}): Flag<string | undefined> {
  return declare<string | undefined>(description, options, "string", (written) => written);
}

export function integerFlag(description: string, options: FlagOptions<number> & { default: number }): Flag<number>;
export function integerFlag(description: string, options?: FlagOptions<number>): Flag<number | undefined>;
export function integerFlag(description: string, options: FlagOptions<number> = {}): Flag<number | undefined> {
  return declare<number | undefined>(description, options, "int", (written) => {
    const value = /^[+-]?[0-9]{1,16}$/.test(written) ? Number(written) : Number.NaN;
    if (Number.isSafeInteger(value)) return value;
    throw new FlagError(`${JSON.stringify(written)} is not a whole number`);
  });
}

/** Whole seconds, written as seconds or as `1h30m`. */
export function durationFlag(description: string, options: FlagOptions<number> & { default: number }): Flag<number>;
export function durationFlag(description: string, options?: FlagOptions<number>): Flag<number | undefined>;
export function durationFlag(description: string, options: FlagOptions<number> = {}): Flag<number | undefined> {
  return declare<number | undefined>(description, options, "duration", (written) => parseDuration(written));
}

export function choiceFlag<const Choice extends string>(
  choices: readonly Choice[],
  description: string,
  options: FlagOptions<Choice> & { default: Choice },
): Flag<Choice> {
  const allowed = choices.map((choice) => JSON.stringify(choice)).join(", ");
  return declare<Choice>(description, options, choices.join("|"), (written) => {
    const chosen = choices.find((choice) => choice === written);
    if (chosen !== undefined) return chosen;
    throw new FlagError(`${JSON.stringify(written)} is not allowed: use one of ${allowed}`);
  });
}

/** May be given several times. */
export function repeatedFlag(description: string, options: FlagOptions<readonly string[]> = {}) {
  const all = { ...options, default: options.default ?? [] };
  return declare<readonly string[]>(description, all, "string", (written, before = []) => [...before, written]);
}

/** `-name key=value`, several times. */
export function pairsFlag(description: string, options: FlagOptions<ReadonlyMap<string, string>> = {}) {
  const all = { ...options, default: options.default ?? new Map<string, string>() };
  return declare<ReadonlyMap<string, string>>(description, all, "key=value", (written, before) => {
    const equals = written.indexOf("=");
    if (equals < 1) throw new FlagError(`${JSON.stringify(written)} is not of the form key=value`);
    return new Map([...(before ?? []), [written.slice(0, equals), written.slice(equals + 1)]]);
  });
}

function declare<Type>(
  description: string,
  { default: initial, environment = [], placeholder, hidden = false }: FlagOptions<NonNullable<Type>>,
  usual: string | undefined,
  read: Flag<Type>["read"],
): Flag<Type> {
  return { description, placeholder: placeholder ?? usual, initial: initial as Type, environment, hidden, read };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `FlagError`. */
export function parseFlags<Declared extends Flags>(
  declared: Declared,
  words: readonly string[],
  environment: Environment = {},
): ParsedFlags<Declared> {
  const found = new Map<string, unknown>();
  const positionals: string[] = [];
  let help = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") {
      positionals.push(...words.slice(at + 1));
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      positionals.push(word);
      continue;
    }
    const { name, attached } = splitFlag(word);
    if (isHelp(name) && !Object.hasOwn(declared, name)) {
      help = true;
      continue;
    }
    const flag = findFlag(declared, name);
    const written = attached ?? (flag.placeholder === undefined ? "true" : words[++at]);
    if (written === undefined) throw new FlagError(`flag -${name} needs a value: -${name}=<${flag.placeholder}>`);
    found.set(name, readValue(`flag -${name}`, flag, written, found.get(name)));
  }
  return { values: allValues(declared, found, environment), given: new Set(found.keys()), positionals, help };
}

function splitFlag(word: string): { name: string; attached: string | undefined } {
  const start = word.startsWith("--") ? 2 : 1;
  const equals = word.indexOf("=", start);
  if (equals === -1) return { name: word.slice(start), attached: undefined };
  return { name: word.slice(start, equals), attached: word.slice(equals + 1) };
}

const isHelp = (name: string) => name === "h" || name === "help";

function findFlag(declared: Flags, name: string): Flag<unknown> {
  if (Object.hasOwn(declared, name)) return declared[name]!;
  const visible = Object.keys(declared).filter((known) => !declared[known]!.hidden);
  const nearest = nearestName(name, visible);
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  throw new FlagError(`unknown flag -${shown}${nearest === undefined ? "" : `; did you mean -${nearest}?`}`);
}

function readValue<Type>(where: string, flag: Flag<Type>, written: string, before: Type | undefined): Type {
  try {
    return flag.read(written, before);
  } catch (error) {
    throw new FlagError(`${where}: ${(error as Error).message}`);
  }
}

function allValues<Declared extends Flags>(
  declared: Declared,
  found: ReadonlyMap<string, unknown>,
  environment: Environment,
): FlagValues<Declared> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, flag] of Object.entries(declared)) {
    values[name] = found.has(name) ? found.get(name) : fallbackValue(flag, environment);
  }
  return values as FlagValues<Declared>;
}

function fallbackValue(flag: Flag<unknown>, environment: Environment): unknown {
  const variable = flag.environment.find((name) => (environment[name] ?? "") !== "");
  if (variable === undefined) return flag.initial;
  return readValue(`environment variable ${variable}`, flag, environment[variable]!, undefined);
}
