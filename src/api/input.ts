/** Turns a request's body or query into what an operation declared, and its answer into what it promised. */
import { z } from "zod";
import type { JsonObject } from "../lib/json.ts";
import { ApiError, invalidRequest } from "./errors.ts";
import { defaultOf, type Fields, notesOf } from "./fields.ts";
import { Open, type OperationName, operationNames, type Path, type StoredOperation } from "./path.ts";
import { Answered, Authenticated, Leased, Login, Perishable, RawReply, WrappedAnswer } from "./reply.ts";

/** An operation with its schemas built: assembling a zod object costs far more than parsing with it. */
export interface CompiledOperation<Services> {
  readonly operation: StoredOperation<Services>;
  readonly input: z.ZodObject;
  readonly inputNames: ReadonlySet<string>;
  /** What an empty body comes to; undefined where something is required. */
  readonly emptyInput: Readonly<Record<string, unknown>> | undefined;
  /** The parameters that the URL gave, with their defaults. */
  readParams(captured: Captured): Record<string, unknown>;
}

type Captured = Readonly<Record<string, string>>;

export function compileOperations<Services>(path: Path<Services>) {
  const compiled: { [Name in OperationName]?: CompiledOperation<Services> } = {};
  const readParams = paramsReader(path.params);
  for (const name of operationNames) {
    const operation = path.operations[name];
    if (!operation) continue;
    const fields: Fields = operation.input ?? {};
    const input = z.object(fields);
    const empty = input.safeParse({});
    compiled[name] = {
      operation,
      input,
      inputNames: new Set(Object.keys(fields)),
      emptyInput: empty.success ? frozen(empty.data) : undefined,
      readParams,
    };
  }
  return compiled;
}

/** Most parameters are plain text, which a URL always gives: only others need a schema. */
function paramsReader(fields: Fields): (captured: Captured) => Record<string, unknown> {
  const names = Object.keys(fields);
  const schema = z.object(fields);
  if (!names.every((name) => notesOf(fields[name]!).plain)) return (captured) => parse(schema, captured);
  const defaults = names.map((name) => defaultOf(fields[name]!));
  return (captured) => {
    const values: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const value = captured[names[index]!] ?? defaults[index];
      if (value !== undefined) values[names[index]!] = value;
    }
    return values;
  };
}

export interface ReadInput {
  readonly values: Record<string, unknown>;
  readonly given: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

const nothingGiven: ReadonlySet<string> = new Set();

export function readInput(
  compiled: CompiledOperation<never>,
  captured: Captured,
  body: Readonly<JsonObject>,
): ReadInput {
  const fixed = compiled.readParams(captured);
  const names = Object.keys(body);
  if (names.length === 0 && compiled.emptyInput) {
    return { values: withParams({ ...compiled.emptyInput }, fixed, captured), given: nothingGiven, warnings: [] };
  }
  const { operation, input, inputNames } = compiled;
  const given = new Set<string>();
  const picked: JsonObject = Object.create(null);
  for (const name of names) {
    const value = body[name];
    // A null is how Go clients write a field that is not set.
    if (!inputNames.has(name) || value === null || value === undefined) continue;
    picked[name] = value;
    given.add(name);
  }
  const values = withParams(parse(input, picked), fixed, captured);
  return { values, given, warnings: operation.openInput ? [] : unexpected(names, inputNames, captured) };
}

/** A path with several patterns may take a name from the URL under one of them and from the body under another. */
function withParams(values: Record<string, unknown>, fixed: Record<string, unknown>, captured: Captured) {
  for (const name of Object.keys(fixed)) {
    if (name in captured || values[name] === undefined) values[name] = fixed[name];
  }
  return values;
}

/** Shared by all requests that send nothing. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}

function unexpected(names: readonly string[], known: ReadonlySet<string>, captured: Readonly<Record<string, string>>) {
  const warnings: string[] = [];
  const replaced = names.filter((name) => name in captured).sort();
  const ignored = names.filter((name) => !known.has(name) && !(name in captured)).sort();
  if (ignored.length > 0) warnings.push(`Endpoint ignored these unrecognized parameters: [${ignored.join(" ")}]`);
  if (replaced.length > 0) {
    warnings.push(
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: " +
        `[${replaced.join(" ")}]`,
    );
  }
  return warnings;
}

function parse(schema: z.ZodObject, raw: object): Record<string, unknown> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.map((issue) => explain(issue, raw)).join("; "));
}

function explain({ path, message }: z.core.$ZodIssue, raw: object): string {
  const field = path.map(String).join(".");
  if (path.length === 1 && !(field in raw)) return `missing required field ${JSON.stringify(field)}: ${message}`;
  return `Field validation failed: error converting input for field ${JSON.stringify(field)}: ${message}`;
}

const passesAsItIs = (answer: unknown): boolean =>
  answer instanceof RawReply ||
  answer instanceof Authenticated ||
  answer instanceof Login ||
  answer instanceof WrappedAnswer;

/** Keeps only what the operation declared, so that a handler cannot leak what it happened to load. */
export function declaredOutput(operation: StoredOperation<never>, answer: unknown): unknown {
  if (answer === undefined || answer === null) return undefined;
  if (passesAsItIs(answer)) return answer;
  if (answer instanceof Open) {
    if (!operation.openOutput) throw new ApiError(500, "internal error", { cause: "an open answer was not declared" });
    return answer.data;
  }
  if (answer instanceof Answered) return new Answered(answer.status, declaredOutput(operation, answer.data));
  if (answer instanceof Perishable) return new Perishable(declaredOutput(operation, answer.data), answer.seconds);
  if (answer instanceof Leased) return new Leased(declaredOutput(operation, answer.data), answer.lease);
  const output: Fields = operation.output ?? {};
  // Names are declared ones, so none of them can reach a prototype; and a plain object is written several times faster.
  const kept: JsonObject = {};
  const data = answer as JsonObject;
  for (const name of Object.keys(data)) {
    if (Object.hasOwn(output, name) && data[name] !== undefined) kept[name] = data[name];
  }
  return kept;
}
