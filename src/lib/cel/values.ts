/**
 * The values that programs compute with. Most are plain: null, boolean, bigint (int), number (double), string,
 * Uint8Array (bytes), arrays (list) and plain objects (map with string keys); the rest are classes, here.
 */
import type { Type } from "./types.ts";

export type Value = null | boolean | bigint | number | string | Uint8Array | readonly Value[] | Special | PlainMap;

/** Data from outside, such as parsed JSON. */
export interface PlainMap {
  readonly [key: string]: Value;
}

export type Kind =
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "list"
  | "map"
  | "timestamp"
  | "duration"
  | "type"
  | "optional"
  | "message";

/** Whatever JavaScript has no value for. */
export abstract class Special {
  abstract readonly kind: Kind;
}

export const minimumInt = -(2n ** 63n);
export const maximumInt = 2n ** 63n - 1n;
export const maximumUint = 2n ** 64n - 1n;

export class Uint extends Special {
  readonly kind = "uint";
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }
}

export class Timestamp extends Special {
  readonly kind = "timestamp";
  /** Since 1970-01-01T00:00:00Z. */
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    super();
    this.nanoseconds = nanoseconds;
  }

  static fromDate(date: Date): Timestamp {
    return new Timestamp(BigInt(date.getTime()) * 1_000_000n);
  }
}

export class Duration extends Special {
  readonly kind = "duration";
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    super();
    this.nanoseconds = nanoseconds;
  }
}

/** A type as a value: `type(1)`, `int`. Equal when the names are. */
export class TypeValue extends Special {
  readonly kind = "type";
  readonly name: string;
  /** What the checker knows it as. */
  readonly type: Type;

  constructor(name: string, type: Type) {
    super();
    this.name = name;
    this.type = type;
  }
}

export class Optional extends Special {
  static readonly none = new Optional(undefined);
  readonly kind = "optional";
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }
}

export type MapKey = boolean | bigint | Uint | string;
/** Keys that are equal have the same form: 1 and 1u are one key. */
type KeyForm = boolean | bigint | string;

/** A map that a program made. Keys keep the type that they were written with. */
export class CelMap extends Special {
  readonly kind = "map";
  readonly #entries = new Map<KeyForm, { readonly key: MapKey; value: Value }>();

  static of(entries: Iterable<readonly [MapKey, Value]>): CelMap {
    const map = new CelMap();
    for (const [key, value] of entries) map.set(key, value);
    return map;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const form = keyForm(key);
    return form === undefined ? undefined : this.#entries.get(form)?.value;
  }

  has(key: Value): boolean {
    const form = keyForm(key);
    return form !== undefined && this.#entries.has(form);
  }

  set(key: MapKey, value: Value): void {
    const form = keyForm(key)!;
    const entry = this.#entries.get(form);
    if (entry === undefined) this.#entries.set(form, { key, value });
    else entry.value = value;
  }

  *keys(): IterableIterator<MapKey> {
    for (const { key } of this.#entries.values()) yield key;
  }

  *[Symbol.iterator](): IterableIterator<[MapKey, Value]> {
    for (const { key, value } of this.#entries.values()) yield [key, value];
  }
}

function keyForm(key: Value): KeyForm | undefined {
  switch (typeof key) {
    case "string":
    case "boolean":
    case "bigint":
      return key;
    case "number":
      return Number.isInteger(key) ? BigInt(key) : undefined;
    default:
      return key instanceof Uint ? key.value : undefined;
  }
}

export const isMapKey = (value: Value): value is MapKey =>
  typeof value === "string" || typeof value === "boolean" || typeof value === "bigint" || value instanceof Uint;

export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    default:
      if (value === null) return "null";
      if (value instanceof Special) return value.kind;
      if (Array.isArray(value)) return "list";
      return value instanceof Uint8Array ? "bytes" : "map";
  }
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Either kind of map. */
export type AnyMap = CelMap | PlainMap;
export const isMap = (value: Value): value is AnyMap => kindOf(value) === "map";

export function mapGet(map: AnyMap, key: Value): Value | undefined {
  if (map instanceof CelMap) return map.get(key);
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

export function mapSize(map: AnyMap): number {
  return map instanceof CelMap ? map.size : mapKeys(map).length;
}

export function mapKeys(map: AnyMap): MapKey[] {
  if (map instanceof CelMap) return [...map.keys()];
  return Object.keys(map).filter((key) => map[key] !== undefined);
}

export function* mapEntries(map: AnyMap): IterableIterator<[MapKey, Value]> {
  if (map instanceof CelMap) yield* map;
  else for (const key of mapKeys(map)) yield [key, map[key as string]!];
}
