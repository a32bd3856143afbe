/** What an OpenAPI document says of one operation, wherever its engine is mounted: read from the declaration, once. */
import type { Fields } from "../api/fields.ts";
import type { AnyOperation, AnyPath, OperationName } from "../api/path.ts";
import { type JsonSchema, schemaOf } from "../api/schema.ts";

export type Documented = Exclude<OperationName, "head">;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description?: string;
  readonly required?: true;
  readonly schema: object;
}

interface Content {
  readonly [mediaType: string]: { readonly schema: object; readonly example?: object };
}

export interface Fragment {
  readonly summary: string;
  readonly "x-service-unauthenticated"?: true;
  readonly "x-service-sudo"?: true;
  readonly "x-service-create-supported"?: true;
  readonly security?: readonly [];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: Answer };
}

export interface Answer {
  readonly description: string;
  readonly content?: Content;
}

/** Turning fields into schemas takes most of the time that a document takes, and declarations never change. */
class Memory<Value> {
  readonly #values = new WeakMap<AnyPath, Map<string, Value>>();

  of(path: AnyPath, key: string, make: () => Value): Value {
    const values = this.#values.get(path) ?? new Map<string, Value>();
    this.#values.set(path, values);
    const value = values.get(key) ?? make();
    values.set(key, value);
    return value;
  }
}

const fragments = new Memory<Fragment>();
const parameters = new Memory<readonly Parameter[]>();

export const fragmentOf = (path: AnyPath, pattern: string, name: Documented, operation: AnyOperation): Fragment =>
  fragments.of(path, `${name} ${pattern}`, () => describe(path, pattern, name, operation));

export const pathParameters = (path: AnyPath, pattern: string): readonly Parameter[] =>
  parameters.of(path, pattern, () => describeParameters(path, pattern));

function describe(path: AnyPath, pattern: string, name: Documented, operation: AnyOperation): Fragment {
  const isWrite = name === "write" || name === "patch";
  const parameters = isWrite ? [] : queryParameters(name, operation.input ?? {});
  return {
    summary: operation.summary,
    ...(path.access !== "token" && { "x-service-unauthenticated": true, security: [] as const }),
    ...(operation.sudo && { "x-service-sudo": true }),
    ...(operation.exists && { "x-service-create-supported": true }),
    ...(parameters.length > 0 && { parameters }),
    ...(isWrite && { requestBody: requestBody(path, pattern, name, operation) }),
    responses: responses(path, operation),
  };
}

function requestBody(path: AnyPath, pattern: string, name: "write" | "patch", operation: AnyOperation) {
  const schema = withoutParams(schemaOf(operation.input ?? {}, "input"), path, pattern);
  if (operation.openInput) schema["additionalProperties"] = true;
  const example = path.examples.find(({ operation }) => operation === name)?.request;
  const type = name === "patch" ? "application/merge-patch+json" : "application/json";
  return { required: (schema.required ?? []).length > 0, content: { [type]: { schema, ...(example && { example }) } } };
}

/** A field that the URL gives is not one of the body, even where another pattern of the same path has it there. */
function withoutParams(schema: JsonSchema, path: AnyPath, pattern: string): JsonSchema {
  const captured = new Set(Object.keys(path.params).filter((name) => isCaptured(pattern, name)));
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !captured.has(name));
  const required = (schema.required ?? []).filter((name) => !captured.has(name));
  return { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

const refusal: Answer = { description: "error", content: json({ $ref: "#/components/schemas/Error" }) };

function responses(path: AnyPath, operation: AnyOperation): Fragment["responses"] {
  const { output } = operation;
  const refusals = { 400: refusal, ...(path.access === "token" && { 403: refusal }) };
  if (!output && !operation.openOutput) {
    return { 200: { description: "OK" }, 204: { description: "empty body" }, ...refusals };
  }
  const data = schemaOf(output ?? {}, "output");
  if (operation.openOutput) data["additionalProperties"] = true;
  const envelope = { allOf: [{ $ref: "#/components/schemas/Envelope" }, { type: "object", properties: { data } }] };
  return { 200: { description: "OK", content: json(path.bare ? data : envelope) }, ...refusals };
}

/** The schemas that all documents share. */
export const schemas = {
  Error: {
    type: "object",
    required: ["errors"],
    properties: { errors: { type: "array", items: { type: "string" }, description: "What went wrong" } },
  },
  Envelope: {
    type: "object",
    properties: {
      request_id: { type: "string", description: "Names this request in the audit log" },
      lease_id: { type: "string", description: "Names the lease; empty when there is none" },
      renewable: { type: "boolean", description: "Whether the lease can be renewed" },
      lease_duration: { type: "integer", description: "Seconds that the lease lasts" },
      data: { type: "object", nullable: true, description: "The answer itself" },
      wrap_info: { type: "object", nullable: true, description: "The token that the answer is kept behind, if it is" },
      warnings: {
        type: "array",
        items: { type: "string" },
        nullable: true,
        description: "What the caller should know",
      },
      auth: { type: "object", nullable: true, description: "The token that was made or renewed, if one was" },
    },
  },
};

function describeParameters(path: AnyPath, pattern: string): Parameter[] {
  if (!pattern.includes(":")) return [];
  const { properties = {} } = schemaOf(path.params, "input");
  const captured = Object.entries(properties).filter(([name]) => isCaptured(pattern, name));
  return captured.map(([name, schema]) => parameter(name, "path", schema, true));
}

function queryParameters(name: Documented, input: Fields): Parameter[] {
  const { properties = {}, required = [] } = schemaOf(input, "input");
  const fields = Object.entries(properties).map(([key, schema]) =>
    parameter(key, "query", schema, required.includes(key)),
  );
  if (name !== "list" && name !== "scan") return fields;
  const flag: JsonSchema = { type: "string", enum: ["true"], description: `Must be set to true to ${name}` };
  return [parameter(name, "query", flag, true), ...fields];
}

export function parameter(name: string, place: "path" | "query", schema: JsonSchema, required: boolean): Parameter {
  const { description, ...rest } = schema;
  return {
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(required && { required }),
    schema: rest,
  };
}

const isCaptured = (pattern: string, name: string) =>
  pattern.split("/").some((segment) => segment === `:${name}` || segment === `:${name}*`);

function json(schema: object): Content {
  return { "application/json": { schema } };
}
