/** The OpenAPI document as the interface document has it: valid, complete, and no more than the caller may do. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpCaller } from "../support/http-caller.ts";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";

interface Operation {
  readonly summary?: string;
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
  readonly [extension: `x-${string}`]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

type Document = Record<string, unknown> & {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, PathItem>>;
};

type PathItem = { readonly description: string; readonly parameters?: readonly Parameter[] } & {
  readonly [method: string]: Operation;
};

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

let server: ServerProcess;
let root: HttpCaller;

beforeAll(async () => {
  server = await developmentServer();
  root = server.caller("root");
  await root.demand("POST", "sys/mounts/team/plain", { type: "kv", options: { version: "1" } });
  await root.demand("POST", "sys/mounts/team/versions", { type: "kv-v2" });
  // Its operations would be called the same as those of team/plain, if nobody took care.
  await root.demand("POST", "sys/mounts/team-plain", { type: "kv", options: { version: "1" } });
});
afterAll(() => server.kill());

async function documentFor(token: string, query = ""): Promise<Document> {
  return (await root.demand("GET", `sys/internal/specs/openapi${query}`, undefined, { token })).json;
}

/** The document of a token that has these rules and no others. */
async function documentOf(rules: Readonly<Record<string, readonly string[]>>): Promise<Document> {
  const path = Object.fromEntries(Object.entries(rules).map(([path, capabilities]) => [path, { capabilities }]));
  await root.demand("PUT", "sys/policies/acl/case", { policy: JSON.stringify({ path }) });
  const settings = { policies: ["case"], no_default_policy: true };
  const { auth } = (await root.demand("POST", "auth/token/create", settings)).json;
  return documentFor(auth.client_token);
}

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [{ path, method, item, operation: item[method] }] : [])),
  );

/** Such as `get /sys/mounts`, without what needs no token. */
const protectedOperations = (document: Document) =>
  operationsOf(document)
    .filter(({ operation }) => operation["x-service-unauthenticated"] !== true)
    .map(({ method, path }) => `${method} ${path}`);

describe.each([
  { what: "with the names of mounts", query: "" },
  { what: "generic", query: "?generic_mount_paths=true" },
])("the document, $what", ({ query }) => {
  let document: Document;
  beforeAll(async () => {
    document = await documentFor("root", query);
  });

  test("is valid OpenAPI 3.0", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: "3.0" });
    expect(document.openapi).toMatch(/^3\.0\.\d$/);
  });

  test("says what it describes", () => {
    expect(document.info).toEqual({
      title: expect.any(String),
      description: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      license: { name: expect.any(String), url: expect.stringMatching(/^https:/) },
    });
  });

  test("tells of every operation what it is for, its tag and its answers", () => {
    const lacking = operationsOf(document).filter(
      ({ item, operation: { summary, tags, responses } }) =>
        !item.description ||
        !summary ||
        tags?.length === 0 ||
        !tags?.every((tag) => ["secrets", "auth", "system", "identity"].includes(tag)) ||
        !Object.values(responses ?? {}).every(({ description }) => description) ||
        !Object.keys(responses ?? {}).some((status) => status.startsWith("2")),
    );
    expect(lacking.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test("gives every operation a name of its own, fit for a program", () => {
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => id === undefined || !/^[a-z][a-z0-9-]*$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("declares the parameters of each path, and no others", () => {
    for (const [path, { parameters = [] }] of Object.entries(document.paths)) {
      const declared = parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`);
      const named = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => `path ${name} true`);
      expect({ path, declared: declared.sort() }).toEqual({ path, declared: named.sort() });
    }
  });

  test("has no two paths that differ in the names of their parameters only", () => {
    const forms = Object.keys(document.paths).map((path) => path.replace(/\{[^}]*\}/g, "{}"));
    expect(forms.filter((form, index) => forms.indexOf(form) !== index)).toEqual([]);
  });

  test("keeps its extensions on operations", () => {
    for (const item of Object.values(document.paths)) {
      expect(Object.keys(item).filter((key) => key.startsWith("x-"))).toEqual([]);
    }
    const used = new Set(operationsOf(document).flatMap(({ operation }) => extensionsOf(operation)));
    expect([...used].sort()).toEqual(["x-service-create-supported", "x-service-sudo", "x-service-unauthenticated"]);
  });

  test("offers after and limit on every list", () => {
    const lists = operationsOf(document).filter(({ operation }) => hasParameter(operation, "list"));
    expect(lists.length).toBeGreaterThan(10);
    const unpaged = lists.filter(({ operation }) => !["after", "limit"].every((name) => hasParameter(operation, name)));
    expect(unpaged.map(({ path }) => path)).toEqual([]);
  });
});

const extensionsOf = (operation: Operation) => Object.keys(operation).filter((key) => key.startsWith("x-"));
const hasParameter = ({ parameters = [] }: Operation, name: string) => parameters.some((each) => each.name === name);

describe("the operations of an engine", () => {
  test.each([
    ["post", "/team/versions/data/{path}", "x-service-create-supported", true],
    ["post", "/team/versions/undelete/{path}", "x-service-create-supported", undefined],
    ["post", "/sys/seal", "x-service-sudo", true],
    ["get", "/sys/mounts", "x-service-sudo", undefined],
    ["get", "/sys/health", "x-service-unauthenticated", true],
    ["get", "/sys/mounts", "x-service-unauthenticated", undefined],
  ] as const)("%s %s: %s is %s", async (method, path, extension, expected) => {
    expect((await documentFor("root")).paths[path]?.[method]?.[extension]).toBe(expected);
  });

  test("have schemas for what is sent and what comes back", async () => {
    const { paths } = await documentFor("root");
    expect(paths["/team/versions/metadata/{path}"]?.["post"]?.requestBody).toMatchObject({
      content: { "application/json": { schema: { properties: { max_versions: { type: "integer" } } } } },
    });
    const answer = { schema: { allOf: [{ $ref: "#/components/schemas/Envelope" }, expect.anything()] } };
    expect(paths["/sys/policies/acl/{name}"]?.["get"]?.responses).toMatchObject({
      200: { description: "OK", content: { "application/json": answer } },
    });
  });

  test("that are one GET, to read and to list, say both", async () => {
    const { paths } = await documentFor("root");
    const operation = paths["/team/plain/{path}"]?.["get"];
    expect(operation).toMatchObject({
      summary: expect.stringContaining("; or: "),
      responses: { 200: { content: { "application/json": { schema: { anyOf: expect.any(Array) } } } } },
    });
    expect(operation?.parameters?.filter(({ required }) => required)).toEqual([]);
  });
});

describe("paths", () => {
  test("have the actual names of mounts", async () => {
    const { paths } = await documentFor("root");
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["/secret/data/{path}", "/team/versions/data/{path}", "/team/plain/{path}"]),
    );
  });

  test("follow mounts that come, move and go", async () => {
    const isThere = async (path: string) => Object.keys((await documentFor("root")).paths).includes(path);
    await root.demand("POST", "sys/mounts/brief", { type: "kv-v2" });
    expect(await isThere("/brief/config")).toBe(true);
    await root.demand("DELETE", "sys/mounts/brief");
    expect(await isThere("/brief/config")).toBe(false);
  });

  test("have {mountPath} for every mount that may lie elsewhere, once for all of its type", async () => {
    const { paths } = await documentFor("root", "?generic_mount_paths=true");
    const names = Object.keys(paths);
    expect(names).toEqual(expect.arrayContaining(["/{mountPath}/data/{path}", "/{mountPath}/{path}", "/sys/mounts"]));
    expect(names.filter((name) => name.startsWith("/team/") || name.startsWith("/secret/"))).toEqual([]);
    expect(paths["/{mountPath}/data/{path}"]?.["get"]?.operationId).toBe("read-kv-data-path");
    expect(paths["/{mountPath}/data/{path}"]?.["get"]?.summary).not.toContain("; or: ");
  });

  test("are the same when asked for with POST", async () => {
    const { json } = await root.demand("POST", "sys/internal/specs/openapi", { generic_mount_paths: true });
    expect(json).toEqual(await documentFor("root", "?generic_mount_paths=true"));
  });
});

describe("a caller sees what it may do, operation by operation", () => {
  test.each<{ rules: Record<string, string[]>; sees: string[] }>([
    { rules: { "secret/data/app": ["read"] }, sees: ["get /secret/data/{path}"] },
    { rules: { "secret/data/app": ["create"] }, sees: ["post /secret/data/{path}"] },
    { rules: { "secret/undelete/app": ["create"] }, sees: [] },
    { rules: { "secret/undelete/app": ["update"] }, sees: ["post /secret/undelete/{path}"] },
    {
      rules: { "secret/data/app": ["patch", "delete"] },
      sees: ["delete /secret/data/{path}", "patch /secret/data/{path}"],
    },
    { rules: { "secret/metadata/app/": ["list"] }, sees: ["get /secret/metadata/{path}"] },
    {
      rules: { "+/config": ["read"] },
      sees: ["get /cubbyhole/{path}", "get /secret/config", "get /team-plain/{path}"],
    },
    { rules: { "team/+/config": ["read"] }, sees: ["get /team/versions/config", "get /team/plain/{path}"] },
    { rules: { "secret/*": ["deny"] }, sees: [] },
    { rules: { "secret/conf*": ["read"], "secret/config": ["deny"] }, sees: [] },
    { rules: { "secret/d*": ["read"], "secret/data/*": ["deny"] }, sees: [] },
    { rules: { "sys/mounts": ["read"] }, sees: ["get /sys/mounts"] },
    { rules: { "sys/seal": ["update"] }, sees: [] },
    { rules: { "sys/seal": ["update", "sudo"] }, sees: ["post /sys/seal"] },
    { rules: { "sys/policies/acl/+": ["read"] }, sees: ["get /sys/policies/acl/{name}"] },
    { rules: { "auth/token/create": ["update"] }, sees: ["post /auth/token/create"] },
    { rules: { "nowhere/*": ["read"] }, sees: [] },
  ])("$rules", async ({ rules, sees }) => {
    expect(protectedOperations(await documentOf(rules)).sort()).toEqual(sees.sort());
  });

  test("all of it, if everything is granted", async () => {
    const all = ["create", "read", "update", "patch", "delete", "list", "scan", "sudo"];
    expect(protectedOperations(await documentOf({ "*": all }))).toEqual(protectedOperations(await documentFor("root")));
  });

  test("lists show as lists when reading is not granted", async () => {
    const { paths } = await documentOf({ "secret/metadata/*": ["list"] });
    const { parameters } = paths["/secret/metadata/{path}"]!["get"]!;
    expect(parameters).toContainEqual(expect.objectContaining({ name: "list", required: true }));
  });

  test("a document that is cut down is still valid", async () => {
    const document = await documentOf({ "secret/data/app": ["read"], "sys/mounts": ["read"] });
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });
});

describe("without a token", () => {
  test("only what needs none is shown, and only of mounts that show themselves", async () => {
    const document = await documentFor("");
    expect(protectedOperations(document)).toEqual([]);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(["/sys/health", "/sys/seal-status"]));
    expect(Object.keys(document.paths).filter((path) => !path.startsWith("/sys/"))).toEqual([]);
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  test("a token that nobody knows is refused", async () => {
    const { status } = await root.call("GET", "sys/internal/specs/openapi", undefined, { token: "s.unknown" });
    expect(status).toBe(403);
  });
});
