/** Decides whether a type fits where another is expected, and learns what type parameters stand for on the way. */

import type { Type } from "./types.ts";
import * as types from "./types.ts";

export const isSameType = (left: Type, right: Type): boolean =>
  left === right || types.typeText(left) === types.typeText(right);

export const isDyn = ({ kind }: Type): boolean => kind === "dyn" || kind === "any";
const isWildcard = (type: Type): boolean => isDyn(type) || type.kind === "error";

/** What may be null: wrappers, messages, times and everything opaque. */
const isNullable = ({ kind }: Type): boolean =>
  kind === "wrapper" || kind === "opaque" || kind === "message" || kind === "timestamp" || kind === "duration";

const unwrapped = (type: Type): Type => (type.kind === "wrapper" ? type.of : type);

/** Types that a type is made of. */
function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "list":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "type":
      return type.of === undefined ? [] : [type.of];
    case "opaque":
      return type.parameters;
    default:
      return [];
  }
}

function withParts(type: Type, parts: readonly Type[]): Type {
  switch (type.kind) {
    case "list":
      return types.list(parts[0]!);
    case "map":
      return types.map(parts[0]!, parts[1]!);
    case "type":
      return types.typeOf(parts[0]);
    case "opaque":
      return types.opaque(type.name, ...parts);
    default:
      return type;
  }
}

export class Substitutions {
  readonly #bound = new Map<string, Type>();
  /** Names as they were before they were bound, so that a failed attempt leaves nothing behind. */
  readonly #trail: [name: string, before: Type | undefined][] = [];
  #count = 0;

  fresh(): Type {
    return types.parameter(`_var${this.#count++}`);
  }

  /** A signature's parameters become new ones, so that each call has its own. */
  instantiate(signature: readonly Type[]): Type[] {
    const renamed = new Map<string, Type>();
    const rename = (type: Type): Type => {
      if (type.kind !== "parameter") return withParts(type, partsOf(type).map(rename));
      const known = renamed.get(type.name) ?? this.fresh();
      renamed.set(type.name, known);
      return known;
    };
    return signature.map(rename);
  }

  assign(left: Type, right: Type): boolean {
    return this.assignAll([left], [right]);
  }

  /** All or none: what was learned before a mismatch is forgotten. */
  assignAll(left: readonly Type[], right: readonly Type[]): boolean {
    const mark = this.#trail.length;
    if (this.#fitAll(left, right)) return true;
    while (this.#trail.length > mark) {
      const [name, before] = this.#trail.pop()!;
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  /** The type with everything filled in that is known. */
  resolve(type: Type, isFreeDyn = false): Type {
    if (type.kind === "parameter") {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.resolve(bound, isFreeDyn);
      return isFreeDyn ? types.dyn : type;
    }
    const parts = partsOf(type);
    if (parts.length === 0) return type;
    return withParts(
      type,
      parts.map((part) => this.resolve(part, isFreeDyn)),
    );
  }

  #bind(name: string, type: Type): void {
    this.#trail.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #fitAll(left: readonly Type[], right: readonly Type[]): boolean {
    return left.length === right.length && left.every((type, index) => this.#fits(type, right[index]!));
  }

  #fits(left: Type, right: Type): boolean {
    if (right.kind === "parameter") {
      const { isValid, isBound } = this.#substitutes(left, right);
      if (isValid || isBound) return isValid;
    }
    if (left.kind === "parameter") return this.#substitutes(right, left).isValid;
    if (isWildcard(left) || isWildcard(right)) return true;
    if (left.kind === "null") return right.kind === "null" || isNullable(right);
    if (right.kind === "null") return isNullable(left);
    const [one, other] = [unwrapped(left), unwrapped(right)];
    if (one.kind !== other.kind) return false;
    if (one.kind === "type") return true;
    if (one.kind === "message" || one.kind === "opaque") {
      if (one.name !== (other as typeof one).name) return false;
    }
    return this.#fitAll(partsOf(one), partsOf(other));
  }

  /** Whether `parameter` may stand for `type`. */
  #substitutes(type: Type, parameter: Type & { kind: "parameter" }): { isValid: boolean; isBound: boolean } {
    if (isSameType(type, parameter)) return { isValid: true, isBound: true };
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      const isValid = !this.#occurs(parameter, type);
      if (isValid) this.#bind(parameter.name, type);
      return { isValid, isBound: false };
    }
    if (isSameType(type, bound)) return { isValid: true, isBound: true };
    if (!this.#fits(type, bound)) return { isValid: false, isBound: true };
    const general = moreGeneral(type, bound);
    if (!this.#occurs(parameter, general)) this.#bind(parameter.name, general);
    return { isValid: true, isBound: true };
  }

  /** A parameter must not stand for something that it is part of. */
  #occurs(parameter: Type & { kind: "parameter" }, within: Type): boolean {
    if (within.kind !== "parameter") return partsOf(within).some((part) => this.#occurs(parameter, part));
    if (within.name === parameter.name) return true;
    const bound = this.#bound.get(within.name);
    return bound !== undefined && this.#occurs(parameter, bound);
  }
}

/** Of two types that fit each other. */
export function moreGeneral(left: Type, right: Type): Type {
  // A message or null is what the message's type says already.
  if (right.kind === "null" && isNullable(left)) return left;
  if (right.kind === "wrapper" && isSameType(left, right.of)) return right;
  return isAtLeastAsGeneral(left, right) ? left : right;
}

function isAtLeastAsGeneral(left: Type, right: Type): boolean {
  if (isDyn(left) || left.kind === "parameter") return true;
  if (isDyn(right) || right.kind === "parameter") return false;
  if (left.kind === "type" && right.kind === "type") return true;
  const [one, other] = [partsOf(left), partsOf(right)];
  if (one.length === 0) return isSameType(unwrapped(left), unwrapped(right));
  if (left.kind !== right.kind || one.length !== other.length) return false;
  if (left.kind === "opaque" && left.name !== (right as typeof left).name) return false;
  return one.every((part, index) => isAtLeastAsGeneral(part, other[index]!));
}
