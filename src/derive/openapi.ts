/** Writes the OpenAPI document of a set of mounts, straight from their path declarations. */
import type { Fields } from "../api/fields.ts";
import { type AnyOperation, type AnyPath, type OperationName, operationNames } from "../api/path.ts";
import { type JsonSchema, schemaOf } from "../api/schema.ts";

export interface DocumentedMount {
  /** Ends in a slash, such as `pki/` or `auth/jwt/`. */
  readonly path: string;
  readonly tag: string;
  readonly paths: readonly AnyPath[];
}

export interface DocumentOptions {
  readonly version: string;
  /** Replace mount prefixes by the parameter `{mountPath}`. */
  readonly generic: boolean;
  /** Whether the caller may perform this operation on some path of this form. */
  readonly isAllowed: (pattern: string, operation: OperationName, sudo: boolean) => boolean;
}

type PathItem = { [key: string]: unknown };

const methods = { read: "get", list: "get", scan: "get", write: "post", patch: "patch", delete: "delete" } as const;
type Documented = keyof typeof methods;

/** Mounts of which there is one, under one name: a parameter would say nothing. */
const fixedMounts = new Set(["sys/", "identity/", "cubbyhole/", "auth/token/"]);

export function openApiDocument(mounts: readonly DocumentedMount[], options: DocumentOptions) {
  const paths: Record<string, PathItem> = {};
  const ids = new Map<string, number>();
  for (const mount of mounts) {
    for (const path of mount.paths.filter(({ unpublished }) => !unpublished)) {
      for (const pattern of path.patterns) {
        const item = pathItem(mount, path, pattern, options, ids);
        if (!item) continue;
        const url = `/${prefixOf(mount, options.generic)}${braces(pattern)}`;
        paths[url] = { ...item, ...paths[url] };
      }
    }
  }
  return {
    openapi: "3.0.3",
    info: {
      title: "Strongroom API",
      description: "HTTP API of Strongroom. All paths are served under /v1/.",
      version: options.version,
      license: { name: "Apache License 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/v1" }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: { Error: errorSchema }, securitySchemes: { token: tokenScheme } },
    security: [{ token: [] }],
  };
}

const tokenScheme = { type: "apiKey", in: "header", name: "X-Service-Token" };

const errorSchema = {
  type: "object",
  required: ["errors"],
  properties: { errors: { type: "array", items: { type: "string" }, description: "What went wrong" } },
};

function prefixOf({ path }: DocumentedMount, generic: boolean): string {
  if (!generic || fixedMounts.has(path)) return path;
  return path.startsWith("auth/") ? "auth/{mountPath}/" : "{mountPath}/";
}

function pathItem(
  mount: DocumentedMount,
  path: AnyPath,
  pattern: string,
  { generic, isAllowed }: DocumentOptions,
  ids: Map<string, number>,
): PathItem | undefined {
  const item: PathItem = {};
  for (const name of operationNames) {
    const operation = path.operations[name];
    if (
      !operation ||
      name === "head" ||
      (path.access === "token" && !isAllowed(mount.path + pattern, name, operation.sudo === true))
    )
      continue;
    const method = methods[name];
    const described = describeOperation(mount, path, pattern, name, operation, ids);
    item[method] = method in item ? asReadOrList(item[method] as PathItem, described) : described;
  }
  if (Object.keys(item).length === 0) return undefined;
  const parameters = pathParameters(path, pattern, generic && !fixedMounts.has(mount.path));
  return { description: path.summary, ...(parameters.length > 0 && { parameters }), ...item };
}

function describeOperation(
  { path: mountPath, tag }: DocumentedMount,
  path: AnyPath,
  pattern: string,
  name: Documented,
  operation: AnyOperation,
  ids: Map<string, number>,
): PathItem {
  const isWrite = name === "write" || name === "patch";
  const parameters = isWrite ? [] : queryParameters(name, operation.input ?? {});
  return {
    summary: operation.summary,
    operationId: uniqueId(mountPath, pattern, name, ids),
    tags: [tag],
    ...(path.access !== "token" && { "x-service-unauthenticated": true, security: [] }),
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

function responses(path: AnyPath, operation: AnyOperation) {
  const error = { description: "error", content: json({ $ref: "#/components/schemas/Error" }) };
  const { output } = operation;
  if (!output && !operation.openOutput) {
    return { 200: { description: "OK" }, 204: { description: "empty body" }, 400: error, ...refusals(path, error) };
  }
  const data = schemaOf(output ?? {}, "output");
  if (operation.openOutput) data["additionalProperties"] = true;
  const schema = path.bare ? data : { type: "object", properties: { ...envelope, data } };
  return { 200: { description: "OK", content: json(schema) }, 400: error, ...refusals(path, error) };
}

const refusals = (path: AnyPath, error: object) => (path.access === "token" ? { 403: error } : {});

const envelope = {
  request_id: { type: "string", description: "Names this request in the audit log" },
  lease_id: { type: "string", description: "Names the lease; empty when there is none" },
  renewable: { type: "boolean", description: "Whether the lease can be renewed" },
  lease_duration: { type: "integer", description: "Seconds that the lease lasts" },
  warnings: { type: "array", items: { type: "string" }, nullable: true, description: "What the caller should know" },
};

function pathParameters(path: AnyPath, pattern: string, isGeneric: boolean) {
  const { properties = {} } = schemaOf(path.params, "input");
  const captured = Object.entries(properties).filter(([name]) => isCaptured(pattern, name));
  const parameters = captured.map(([name, schema]) => parameter(name, "path", schema, true));
  const mountPath: JsonSchema = { type: "string", description: "Where the engine is mounted" };
  return isGeneric ? [parameter("mountPath", "path", mountPath, true), ...parameters] : parameters;
}

function queryParameters(name: Documented, input: Fields) {
  const { properties = {}, required = [] } = schemaOf(input, "input");
  const fields = Object.entries(properties).map(([key, schema]) =>
    parameter(key, "query", schema, required.includes(key)),
  );
  if (name !== "list" && name !== "scan") return fields;
  const flag: JsonSchema = { type: "string", enum: ["true"], description: `Must be set to true to ${name}` };
  return [parameter(name, "query", flag, true), ...fields];
}

function parameter(name: string, place: "path" | "query", schema: JsonSchema, required: boolean) {
  const { description, ...rest } = schema;
  return {
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(required && { required }),
    schema: rest,
  };
}

/** One GET stands for reading and listing, where a path has both: then neither switch is required. */
function asReadOrList(first: PathItem, second: PathItem): PathItem {
  const all = [...((first["parameters"] ?? []) as Parameter[]), ...((second["parameters"] ?? []) as Parameter[])];
  const unique = new Map(all.map(({ required, ...rest }) => [rest.name, rest]));
  return { ...first, summary: `${first["summary"]}; or: ${second["summary"]}`, parameters: [...unique.values()] };
}

type Parameter = ReturnType<typeof parameter>;

function uniqueId(mountPath: string, pattern: string, name: Documented, ids: Map<string, number>): string {
  const words = `${mountPath}${pattern}`
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
  const id = `${name}-${words}`;
  const count = (ids.get(id) ?? 0) + 1;
  ids.set(id, count);
  return count === 1 ? id : `${id}-${count}`;
}

const isCaptured = (pattern: string, name: string) =>
  pattern.split("/").some((segment) => segment === `:${name}` || segment === `:${name}*`);

const json = (schema: unknown) => ({ "application/json": { schema } });

const braces = (pattern: string) => pattern.replace(/:([A-Za-z0-9_]+)\*?/g, "{$1}");
