/** Finds out what type every part of a program has, and what cannot work, before it runs. */
import type {
  Call,
  Comprehension,
  Constant,
  Expression,
  Identifier,
  List,
  MapLiteral,
  MessageLiteral,
  Select,
} from "./ast.ts";
import { operators } from "./ast.ts";
import type { Overload, Validator } from "./declarations.ts";
import type { Environment } from "./environment.ts";
import type { Issue } from "./errors.ts";
import { fieldCelType, type MessageType } from "./message.ts";
import { findFunction, findName, firstName, qualifiedName } from "./names.ts";
import * as types from "./types.ts";
import { type Type, typeText } from "./types.ts";
import { isDyn, isSameType, moreGeneral, Substitutions } from "./unify.ts";
import { kindOf } from "./values.ts";

/** What a name or call turned out to mean. */
export interface Reference {
  readonly name?: string;
  readonly overloads?: readonly string[];
}

export interface Checked {
  /** Of the whole program. */
  readonly type: Type;
  readonly types: ReadonlyMap<Expression, Type>;
  readonly references: ReadonlyMap<Expression, Reference>;
}

/** More than this nobody reads. */
const maximumIssues = 100;

export function checkTree(
  tree: Expression,
  environment: Environment,
  validators: readonly Validator[],
): Checked & { readonly issues: readonly Issue[] } {
  const checker = new Checker(environment, validators);
  checker.check(tree);
  const issues = checker.issues.sort((one, other) => one.position - other.position).slice(0, maximumIssues);
  const found = checker.resolvedTypes();
  return { type: found.get(tree)!, types: found, references: checker.references, issues };
}

interface Scope {
  readonly variables: ReadonlyMap<string, Type>;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly issues: Issue[] = [];
  readonly references = new Map<Expression, Reference>();
  readonly #environment: Environment;
  readonly #validators: readonly Validator[];
  readonly #types = new Map<Expression, Type>();
  readonly #substitutions = new Substitutions();
  #scope: Scope | undefined;

  constructor(environment: Environment, validators: readonly Validator[]) {
    this.#environment = environment;
    this.#validators = validators;
  }

  resolvedTypes(): Map<Expression, Type> {
    return new Map([...this.#types].map(([node, type]) => [node, this.#substitutions.resolve(type, true)]));
  }

  check(node: Expression): Type {
    const type = this.#typeOf(node);
    this.#types.set(node, type);
    return type;
  }

  #typeOf(node: Expression): Type {
    switch (node.kind) {
      case "literal":
        return literalType(node.value);
      case "identifier":
        return this.#identifier(node);
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "message":
        return this.#message(node);
      case "comprehension":
        return this.#comprehension(node);
    }
  }

  #issue(position: number, message: string): Type {
    this.issues.push({ position, message });
    return types.errorType;
  }

  #undeclared(position: number, name: string): Type {
    return this.#issue(position, `undeclared reference to '${name}' (in container '${this.#environment.container}')`);
  }

  #local(name: string): Type | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      const type = scope.variables.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  #named(node: Expression, name: string): Type | undefined {
    const local = this.#local(name);
    if (local !== undefined) {
      this.references.set(node, { name });
      return local;
    }
    if (name.includes(".") && this.#local(firstName(name)) !== undefined) return undefined;
    const found = findName(this.#environment, name);
    if (found === undefined) return undefined;
    this.references.set(node, { name: found.name });
    return found.kind === "variable" ? found.type : found.constant.type;
  }

  #identifier(node: Identifier): Type {
    return this.#named(node, node.name) ?? this.#undeclared(node.position, node.name);
  }

  #select(node: Select): Type {
    const name = qualifiedName(node);
    const named = name === undefined ? undefined : this.#named(node, name);
    if (named !== undefined) return named;
    const type = this.#field(node, node.operand, node.field, false);
    return node.test ? types.bool : this.#substitutions.resolve(type);
  }

  #field(node: Expression, operand: Expression, field: string, isOptional: boolean): Type {
    const operandType = this.#substitutions.resolve(this.check(operand));
    const inner = optionalContent(operandType);
    const type = this.#fieldOf(node, inner ?? operandType, field);
    return inner !== undefined || isOptional ? types.optional(type) : type;
  }

  #fieldOf(node: Expression, target: Type, field: string): Type {
    switch (target.kind) {
      case "map":
        return target.value;
      case "message":
        return this.#messageField(node.position, target.name, field);
      case "parameter":
        // Nothing more specific may be concluded later: the field may be one of anything.
        this.#substitutions.assign(types.dyn, target);
        return types.dyn;
      case "dyn":
      case "any":
      case "error":
        return types.dyn;
      default:
        this.#issue(node.position, `type '${typeText(target)}' does not support field selection`);
        return types.dyn;
    }
  }

  #messageField(position: number, typeName: string, field: string): Type {
    const type = this.#environment.messages.get(typeName);
    if (type === undefined) return this.#issue(position, `unexpected failed resolution of '${typeName}'`);
    const declared = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined;
    if (declared === undefined) return this.#issue(position, `undefined field '${field}'`);
    return fieldCelType(declared.kind);
  }

  #call(node: Call): Type {
    const { name, target, parameters } = node;
    if (name === operators.optionalSelect && target === undefined) return this.#optionalSelect(node);
    for (const parameter of parameters) this.check(parameter);
    if (target === undefined) {
      const full = findFunction(this.#environment, name);
      return full === undefined ? this.#undeclared(node.position, name) : this.#resolve(node, full, parameters, false);
    }
    const prefix = qualifiedName(target);
    const full = prefix === undefined ? undefined : findFunction(this.#environment, `${prefix}.${name}`);
    if (full !== undefined) return this.#resolve(node, full, parameters, false);
    this.check(target);
    if (!this.#environment.overloads.has(name)) return this.#undeclared(node.position, name);
    return this.#resolve(node, name, [target, ...parameters], true);
  }

  #optionalSelect(node: Call): Type {
    const [operand, field] = node.parameters;
    const name = field?.kind === "literal" && typeof field.value === "string" ? field.value : "";
    this.#types.set(field!, types.string);
    this.references.set(node, { overloads: ["select_optional_field"] });
    return this.#substitutions.resolve(this.#field(node, operand!, name, true));
  }

  #resolve(node: Call, name: string, parameters: readonly Expression[], isMethod: boolean): Type {
    const given = parameters.map((parameter) => this.#types.get(parameter)!);
    if (name === operators.and || name === operators.or) return this.#logical(node, name, given);
    if (name === operators.conditional && this.#environment.looseTernary) return this.#looseTernary(node, given);
    const fitting: string[] = [];
    let result: Type | undefined;
    for (const overload of this.#environment.overloads.get(name)!) {
      const type = overload.isMethod === isMethod ? this.#attempt(overload, given) : undefined;
      if (type === undefined) continue;
      fitting.push(overload.id);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !isSameType(result, type)) result = types.dyn;
    }
    if (result === undefined) return this.#noOverload(node, name, given, isMethod);
    this.references.set(node, { overloads: fitting });
    for (const validate of this.#validators) {
      const issue = validate(node, (part) => this.#substitutions.resolve(this.#types.get(part)!, true));
      if (issue !== undefined) this.#issue(issue.position, issue.message);
    }
    return result;
  }

  #attempt(overload: Overload, given: readonly Type[]): Type | undefined {
    const [result, ...expected] = this.#substitutions.instantiate([overload.result, ...overload.parameters]);
    return this.#substitutions.assignAll(given, expected) ? this.#substitutions.resolve(result!) : undefined;
  }

  #noOverload(node: Call, name: string, given: readonly Type[], isMethod: boolean): Type {
    const shown = given.map((type) => typeText(this.#substitutions.resolve(type, true)));
    const signature = isMethod ? `${shown[0]}.(${shown.slice(1).join(", ")})` : `(${shown.join(", ")})`;
    return this.#issue(node.position, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  #logical(node: Call, name: string, given: readonly Type[]): Type {
    let isFine = true;
    for (const [index, type] of given.entries()) {
      if (this.#substitutions.assign(type, types.bool)) continue;
      isFine = false;
      this.#mismatch(node.parameters[index]!.position, types.bool, type);
    }
    if (!isFine) return types.errorType;
    this.references.set(node, { overloads: [name === operators.and ? "logical_and" : "logical_or"] });
    return types.bool;
  }

  #looseTernary(node: Call, given: readonly Type[]): Type {
    if (!this.#substitutions.assign(given[0]!, types.bool)) return this.#noOverload(node, node.name, given, false);
    this.references.set(node, { overloads: ["conditional"] });
    return types.dyn;
  }

  #mismatch(position: number, expected: Type, found: Type): Type {
    const [one, other] = [expected, found].map((type) => typeText(this.#substitutions.resolve(type)));
    return this.#issue(position, `expected type '${one}' but found '${other}'`);
  }

  /** What is written after a question mark must be optional. */
  #content(node: Expression, type: Type, isOptional: boolean): Type {
    if (!isOptional) return type;
    const inner = optionalContent(type);
    if (inner === undefined && !isDyn(type)) this.#mismatch(node.position, types.optional(type), type);
    return inner ?? type;
  }

  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#substitutions.assign(previous, current) ? moreGeneral(previous, current) : types.dyn;
  }

  #list({ elements, optional }: List): Type {
    let type: Type | undefined;
    for (const [index, element] of elements.entries()) {
      type = this.#join(type, this.#content(element, this.check(element), optional.has(index)));
    }
    return types.list(type ?? this.#substitutions.fresh());
  }

  #map({ entries }: MapLiteral): Type {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    for (const { key, value, optional } of entries) {
      keyType = this.#join(keyType, this.check(key));
      valueType = this.#join(valueType, this.#content(value, this.check(value), optional));
    }
    return types.map(keyType ?? this.#substitutions.fresh(), valueType ?? this.#substitutions.fresh());
  }

  #message(node: MessageLiteral): Type {
    const found = findName(this.#environment, node.name);
    if (found === undefined) return this.#undeclared(node.position, node.name);
    this.references.set(node, { name: found.name });
    const type = found.kind === "constant" ? found.constant.type : found.type;
    if (type.kind !== "type") return this.#issue(node.position, `'${typeText(type)}' is not a type`);
    const message = this.#environment.messages.get(found.name);
    if (message === undefined) return this.#issue(node.position, `'${typeText(type.of!)}' is not a message type`);
    this.#fields(node, message);
    return type.of!;
  }

  #fields({ entries }: MessageLiteral, message: MessageType): void {
    for (const { field, value, optional, position } of entries) {
      const given = this.#content(value, this.check(value), optional);
      const expected = this.#messageField(position, message.name, field);
      if (this.#substitutions.assign(expected, given)) continue;
      const [one, other] = [expected, given].map((type) => typeText(this.#substitutions.resolve(type)));
      this.#issue(position, `expected type of field '${field}' is '${one}' but provided type is '${other}'`);
    }
  }

  #comprehension(node: Comprehension): Type {
    const rangeType = this.#substitutions.resolve(this.check(node.range));
    const accumulatorType = this.check(node.init);
    const outer = this.#scope;
    const accumulated: Scope = { variables: new Map([[node.accumulator, accumulatorType]]), outer };
    this.#scope = { variables: this.#iterated(node, rangeType), outer: accumulated };
    this.#assert(node.condition, types.bool);
    this.#assert(node.step, accumulatorType);
    this.#scope = accumulated;
    const result = this.check(node.result);
    this.#scope = outer;
    return this.#substitutions.resolve(result);
  }

  #assert(node: Expression, expected: Type): void {
    const type = this.check(node);
    if (!this.#substitutions.assign(expected, type)) this.#mismatch(node.position, expected, type);
  }

  #iterated({ variable, secondVariable, range }: Comprehension, rangeType: Type): Map<string, Type> {
    const variables = (first: Type, second: Type): Map<string, Type> =>
      new Map(
        secondVariable === undefined
          ? [[variable, first]]
          : [
              [variable, first],
              [secondVariable, second],
            ],
      );
    switch (rangeType.kind) {
      case "list":
        return variables(secondVariable === undefined ? rangeType.element : types.int, rangeType.element);
      case "map":
        return variables(rangeType.key, rangeType.value);
      case "dyn":
      case "any":
      case "error":
      case "parameter":
        this.#substitutions.assign(types.dyn, rangeType);
        return variables(types.dyn, types.dyn);
      default: {
        const shown = typeText(rangeType);
        const message = `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        const type = this.#issue(range.position, message);
        return variables(type, type);
      }
    }
  }
}

const optionalContent = (type: Type): Type | undefined =>
  type.kind === "opaque" && type.name === types.optionalTypeName ? type.parameters[0] : undefined;

function literalType(value: Constant): Type {
  return { kind: kindOf(value) as types.SimpleTypeName };
}
