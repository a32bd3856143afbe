/** The whole life of users of a vector database, through the core, against a server that answers as the real one. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KernelCaller } from "../../../test/support/kernel-caller.ts";
import { startVectorServer, type VectorServer } from "../../../test/support/vector-server.ts";
import { database } from "./engine.ts";

let vectors: VectorServer;
let server: KernelCaller;

const connect = (settings: object = {}) =>
  server.call("write", "database/config/vectors", {
    plugin_name: "vectordb-database-plugin",
    url: `${vectors.url}/`,
    api_key: "admin-key",
    allowed_roles: "*",
    ...settings,
  });

const makeRole = (statement: unknown) =>
  server.call("write", "database/roles/app", {
    db_name: "vectors",
    creation_statements: [typeof statement === "string" ? statement : JSON.stringify(statement)],
  });

const refusal = (operation: "read" | "write", path: string, body: object = {}) =>
  server.call(operation, path, body).then(
    () => "accepted",
    (error: { status: number; messages: string[] }) => `${error.status} ${error.messages.join("; ")}`,
  );

async function runJobs() {
  server.passSeconds(31);
  await server.kernel.jobs.runDue(new AbortController().signal);
}

beforeEach(async () => {
  vectors = await startVectorServer();
  server = await new KernelCaller([database]).initialize();
  await server.kernel.stop();
  await server.call("write", "sys/mounts/database", { type: "database" });
});

afterEach(async () => {
  await server.kernel.stop();
  await vectors.stop();
});

describe("a connection", () => {
  it("asks whether the server is ready, and whose key it is", async () => {
    await connect();
    expect(vectors.calls).toEqual(["GET /v1/.well-known/ready", "GET /v1/users/own-info"]);
    const { data } = await server.call("read", "database/config/vectors");
    expect(data.connection_details).toEqual({ url: `${vectors.url}/` });
  });

  it("is refused with a key that the server does not know", async () => {
    const words = await refusal("write", "database/config/vectors", {
      plugin_name: "vectordb-database-plugin",
      url: vectors.url,
      api_key: "wrong-key",
    });
    expect(words).toMatch(/^400 .*unauthorized: invalid api key/);
  });
});

describe("a dynamic role", () => {
  it.each([
    ["an array of names", ["viewer"], ["viewer"]],
    ["an object with roles", { roles: ["viewer", "admin"] }, ["viewer", "admin"]],
    [
      "custom roles",
      {
        custom_roles: [{ name: "books", permissions: [{ action: "read_data", collections: { collection: "Books" } }] }],
      },
      ["books"],
    ],
  ])("gives users the roles of %s", async (_, statement, roles) => {
    await connect();
    await makeRole(statement);
    const { data } = await server.call("read", "database/creds/app");
    const { username, password } = data.data;
    expect(username).toMatch(/^v-root-app-[0-9A-Za-z]{20}-\d{10}$/);
    expect(vectors.users.get(username)).toMatchObject({ key: password, roles });
    await server.call("read", "database/creds/app");
    await server.call("write", "sys/leases/revoke", { lease_id: data.registered.id });
    expect(vectors.users.has(username)).toBe(false);
  });

  it("does not mind that another request made its custom role a moment ago", async () => {
    await connect();
    await makeRole({ custom_roles: [{ name: "books", permissions: [] }] });
    vectors.roles.set("books", {});
    vectors.faults.push({ status: 500, body: { error: [{ message: "bad request: roles already exist" }] } });
    const { data } = (await server.call("read", "database/creds/app")).data;
    expect(vectors.users.get(data.username)?.roles).toEqual(["books"]);
  });

  it.each([
    ["nothing", "[]", /^400 .*names no role/],
    ["no JSON", "viewer", /^400 .*it is not JSON/],
    ["a number", "7", /^400 .*must be a JSON array/],
    ["an unknown key", '{"role":["viewer"]}', /^400 .*knows no role/],
    ["a custom role without a name", '{"custom_roles":[{"permissions":[]}]}', /^400 .*needs a name/],
    ["a custom role without permissions", '{"custom_roles":[{"name":"x"}]}', /^400 .*must be a list of objects/],
    ["a role that is not there", '["nosuch"]', /^400 .*requested doesn't exist/],
  ])("makes nobody with %s", async (_, statement, expected) => {
    await connect();
    await makeRole(statement);
    expect(await refusal("read", "database/creds/app")).toMatch(expected);
    expect([...vectors.users.keys()]).toEqual(["admin"]);
  });
});

describe("a static role", () => {
  it("rotates keys that the server makes, and again when an answer was lost", async () => {
    vectors.users.set("app", { key: "old", roles: ["viewer"], isStatic: false });
    await connect();
    await server.call("write", "database/static-roles/app", {
      db_name: "vectors",
      username: "app",
      rotation_period: 60,
    });
    const credential = async () => (await server.call("read", "database/static-creds/app")).data.password;
    const first = await credential();
    expect(vectors.users.get("app")?.key).toBe(first);
    vectors.faults.push("drop");
    expect(await refusal("write", "database/rotate-role/app")).toMatch(/^502/);
    await runJobs();
    expect(vectors.users.get("app")?.key).toBe(await credential());
    expect(await credential()).not.toBe(first);
  });
});

describe("the root key", () => {
  it("of the server's own environment is not ours to rotate", async () => {
    await connect();
    expect(await refusal("write", "database/rotate-root/vectors")).toMatch(
      /^400 .*"admin", a user of the server's own environment/,
    );
    await server.call("write", "database/reset/vectors");
    expect([...vectors.users.keys()]).toEqual(["admin"]);
  });

  const asDatabaseUser = async () => {
    vectors.users.set("manager", { key: "manager-key", roles: ["admin"], isStatic: false });
    await connect({ api_key: "manager-key" });
    vectors.calls.length = 0;
  };

  it("of a database user passes to a successor", async () => {
    await asDatabaseUser();
    await server.call("write", "database/rotate-root/vectors");
    expect([...vectors.users.keys()]).toEqual(["admin", expect.stringMatching(/^root-/)]);
    await server.call("write", "database/reset/vectors");
  });

  // Every request of a rotation in turn: the database acts and its answer is lost, or it never hears of it.
  it.each([0, 1, 2, 3, 4, 5, 6].flatMap((at) => (["drop", "refuse"] as const).map((fault) => [at, fault] as const)))(
    "works after request %i met the fault %s",
    async (at, fault) => {
      await asDatabaseUser();
      let seen = 0;
      const push = vectors.calls.push.bind(vectors.calls);
      vectors.calls.push = (call) => {
        if (seen++ === at) vectors.faults.unshift(fault);
        return push(call);
      };
      await refusal("write", "database/rotate-root/vectors");
      await runJobs();
      await server.call("write", "database/reset/vectors");
      const managers = [...vectors.users].filter(([, user]) => user.roles.includes("admin"));
      expect(managers).toHaveLength(1);
    },
  );
});
