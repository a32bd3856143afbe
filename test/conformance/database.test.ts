/** The third interface document as tables: every endpoint, every field with its default, every shape that is read back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fields } from "../../src/api/fields.ts";
import type { OperationName } from "../../src/api/path.ts";
import { schemaOf } from "../../src/api/schema.ts";
import { database } from "../../src/engines/database/engine.ts";
import { searchEngine } from "../../src/engines/database/plugins/search-engine.ts";
import { vectorDatabase } from "../../src/engines/database/plugins/vector-database.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { type SearchEngineServer, startSearchEngine } from "../support/search-engine-server.ts";

const operationAt = (pattern: string, operation: OperationName) =>
  database.paths.find(({ patterns }) => patterns.includes(pattern))?.operations[operation];

test.each<[OperationName, string]>([
  ["write", "config/:name"],
  ["read", "config/:name"],
  ["list", "config"],
  ["delete", "config/:name"],
  ["write", "reset/:name"],
  ["write", "rotate-root/:name"],
  ["write", "roles/:name"],
  ["read", "roles/:name"],
  ["list", "roles"],
  ["delete", "roles/:name"],
  ["read", "creds/:name"],
  ["write", "static-roles/:name"],
  ["read", "static-roles/:name"],
  ["list", "static-roles"],
  ["delete", "static-roles/:name"],
  ["read", "static-creds/:name"],
  ["write", "rotate-role/:name"],
])("there is %s of %s", (operation, pattern) => {
  expect(operationAt(pattern, operation)).toBeDefined();
});

test.each(["config/:name", "roles/:name", "static-roles/:name"])("%s tells create from update", (pattern) => {
  expect(operationAt(pattern, "write")?.exists).toBeDefined();
});

describe("fields and their defaults", () => {
  const inputs: Record<string, Fields> = {
    connection: operationAt("config/:name", "write")!.input,
    role: operationAt("roles/:name", "write")!.input,
    "static role": operationAt("static-roles/:name", "write")!.input,
    "search engine": searchEngine.settings,
    "vector database": vectorDatabase.settings,
  };
  test.each<[string, string, unknown]>([
    ["connection", "plugin_name", ""],
    ["connection", "plugin_version", ""],
    ["connection", "verify_connection", true],
    ["connection", "allowed_roles", []],
    ["connection", "root_rotation_statements", []],
    ["connection", "password_policy", ""],
    ["role", "default_ttl", 0],
    ["role", "max_ttl", 0],
    ["role", "creation_statements", []],
    ["role", "revocation_statements", []],
    ["role", "rollback_statements", []],
    ["role", "renew_statements", []],
    ["role", "credential_type", "password"],
    ["role", "credential_config", {}],
    ["static role", "rotation_statements", []],
    ["static role", "credential_type", "password"],
    ["search engine", "ca_cert", ""],
    ["search engine", "ca_path", ""],
    ["search engine", "client_cert", ""],
    ["search engine", "client_key", ""],
    ["search engine", "tls_server_name", ""],
    ["search engine", "insecure", false],
    ["search engine", "use_old_ext", false],
    ["vector database", "api_key", ""],
    ["vector database", "ca_cert", ""],
    ["vector database", "ca_path", ""],
    ["vector database", "client_cert", ""],
    ["vector database", "client_key", ""],
    ["vector database", "insecure", false],
  ])("%s: %s is %j", (what, field, value) => {
    expect(schemaOf(inputs[what]!, "input").properties?.[field]?.default).toEqual(value);
  });
});

describe("shapes", () => {
  let cluster: SearchEngineServer;
  let server: KernelCaller;

  beforeAll(async () => {
    cluster = await startSearchEngine("root-secret");
    cluster.users.set("svc", { password: "svc-secret", roles: [], metadata: {}, enabled: true });
    server = await new KernelCaller([database]).initialize();
    await server.kernel.stop();
    await server.call("write", "sys/mounts/database", { type: "database" });
    const root = { url: cluster.url, username: "elastic", password: "root-secret" };
    await server.call("write", "database/config/es", { plugin_name: searchEngine.name, allowed_roles: "*", ...root });
    const creation_statements = ['{"searchengine_roles":["a"]}'];
    await server.call("write", "database/roles/dynamic", { db_name: "es", creation_statements });
    await server.call("write", "database/static-roles/static", {
      db_name: "es",
      username: "svc",
      rotation_period: "1h",
    });
  });
  afterAll(() => cluster.stop());

  test.each<[string, readonly string[]]>([
    [
      "config/es",
      [
        "allowed_roles",
        "connection_details",
        "password_policy",
        "plugin_name",
        "plugin_version",
        "root_credentials_rotate_statements",
      ],
    ],
    [
      "roles/dynamic",
      [
        "creation_statements",
        "credential_type",
        "db_name",
        "default_ttl",
        "max_ttl",
        "renew_statements",
        "revocation_statements",
        "rollback_statements",
      ],
    ],
    ["static-roles/static", ["credential_type", "db_name", "username", "rotation_statements", "rotation_period"]],
    ["static-creds/static", ["username", "password", "last_service_rotation", "rotation_period", "ttl"]],
  ])("%s", async (path, keys) => {
    const { data } = await server.call("read", `database/${path}`);
    expect(Object.keys(data)).toEqual(expect.arrayContaining([...keys]));
  });

  test("creds/dynamic", async () => {
    const { data } = (await server.call("read", "database/creds/dynamic")).data;
    expect(Object.keys(data)).toEqual(["username", "password"]);
    expect(data.password).toMatch(/^[A-Za-z0-9-]{20}$/);
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /-/]) expect(data.password).toMatch(kind);
  });

  test("lists page", async () => {
    for (const name of ["a", "b", "c"]) await server.call("write", `database/roles/${name}`, { db_name: "es" });
    const { data } = await server.call("list", "database/roles", { after: "a", limit: 2 });
    expect(data.keys).toEqual(["b", "c"]);
  });
});
