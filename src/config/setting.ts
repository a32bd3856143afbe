/** One key of the configuration, declared once: how it is read, its default, and what the reference says of it. */
import type { Value } from "../lib/hcl/syntax-tree.ts";

/** Throws `HclError` for a value that is not allowed, saying what is. */
export type ReadValue<Type> = (value: Value) => Type;

interface Details<Type> {
  /** What kind of value it takes, as the reference names it. */
  readonly kind: string;
  readonly description: string;
  readonly read: ReadValue<Type>;
  /** Value when it is not set. */
  readonly initial: Type;
  /** The default as one would write it. */
  readonly shownDefault?: string;
  readonly isRequired?: boolean;
  readonly reloads?: boolean;
  readonly variables?: readonly string[];
}

type Written = string | number | boolean | readonly string[];

export class Setting<Type> {
  readonly #details: Details<Type>;

  private constructor(details: Details<Type>) {
    this.#details = details;
  }

  static of<Type>(kind: string, description: string, read: ReadValue<Type | undefined>): Setting<Type | undefined> {
    return new Setting<Type | undefined>({ kind, description, read, initial: undefined });
  }

  /** Given as one would write it in the file, and read the same way. */
  default(written: Written): Setting<Exclude<Type, undefined>> {
    const initial = this.#details.read(literal(written)) as Exclude<Type, undefined>;
    return this.#changed({ initial, shownDefault: JSON.stringify(written) });
  }

  required(): Setting<Exclude<Type, undefined>> {
    return this.#changed({ isRequired: true });
  }

  /** A changed value takes effect when the server gets SIGHUP. */
  reloaded(): Setting<Type> {
    return this.#changed<Type>({ reloads: true });
  }

  /** These environment variables win over the file, the first that is set and not empty. */
  environment(suffix: string): Setting<Type> {
    return this.#changed<Type>({ variables: ["STRONGROOM", "BAO", "VAULT"].map((product) => `${product}_${suffix}`) });
  }

  get kind(): string {
    return this.#details.kind;
  }

  get description(): string {
    return this.#details.description;
  }

  get initial(): Type {
    return this.#details.initial;
  }

  get shownDefault(): string | undefined {
    return this.#details.shownDefault;
  }

  get isRequired(): boolean {
    return this.#details.isRequired ?? false;
  }

  get reloads(): boolean {
    return this.#details.reloads ?? false;
  }

  get variables(): readonly string[] {
    return this.#details.variables ?? [];
  }

  read(value: Value): Type {
    return this.#details.read(value);
  }

  #changed<Changed>(change: Partial<Details<unknown>>): Setting<Changed> {
    return new Setting<Changed>({ ...this.#details, ...change } as Details<Changed>);
  }
}

/** A block of settings inside a block, such as `telemetry` in a listener. */
export class Group<Declared extends Settings> {
  readonly description: string;
  readonly settings: Declared;

  constructor(description: string, settings: Declared) {
    this.description = description;
    this.settings = settings;
  }
}

/** A key that configurations of similar servers have and that changes nothing here: accepted, with a warning. */
export class Ignored {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export interface Settings {
  readonly [name: string]: Setting<unknown> | Group<Settings> | Ignored;
}

/** What reading these settings gives. */
export type Values<Declared extends Settings> = {
  readonly [Name in keyof Declared as Declared[Name] extends Ignored ? never : Name]: Declared[Name] extends Group<
    infer Inner
  >
    ? Values<Inner>
    : Declared[Name] extends Setting<infer Type>
      ? Type
      : never;
};

const nowhere = { line: 0, column: 0 };

/** A value as if it stood in a file. */
export function literal(written: Written): Value {
  if (typeof written === "string") return { kind: "string", value: written, position: nowhere };
  if (typeof written === "boolean") return { kind: "boolean", value: written, position: nowhere };
  if (typeof written === "number") return { kind: "number", value: written, text: String(written), position: nowhere };
  return { kind: "list", items: written.map(literal), position: nowhere };
}
