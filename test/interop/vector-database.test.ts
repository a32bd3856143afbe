/** The vector database plugin on real Weaviate, and the proof that the stand-in of the other tests answers as it does. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ToolUnavailable } from "../../scripts/interop/cached-tool.ts";
import { startWeaviate, type Weaviate } from "../../scripts/interop/weaviate.ts";
import { database } from "../../src/engines/database/engine.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { startVectorServer, type VectorServer } from "../support/vector-server.ts";

let real: Weaviate;
let standIn: VectorServer;
let server: KernelCaller;
let unavailable = "";

beforeAll(async () => {
  try {
    real = await startWeaviate();
  } catch (error) {
    if (!(error instanceof ToolUnavailable)) throw error;
    unavailable = error.message;
    return;
  }
  standIn = await startVectorServer(real.adminKey);
  server = await new KernelCaller([database]).initialize();
  await server.call("write", "sys/mounts/database", { type: "database" });
});

beforeEach(({ skip }) => skip(unavailable !== "", unavailable));

afterAll(async () => {
  await server?.kernel.stop();
  await standIn?.stop();
  await real?.stop();
});

async function ask(url: string, method: string, path: string, body: unknown, key: string) {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>) };
}

const isKnown = async (key: string) =>
  (await ask(real.url, "GET", "/v1/users/own-info", undefined, key)).status === 200;

const connect = (name: string, api_key: string) =>
  server.call("write", `database/config/${name}`, {
    plugin_name: "vectordb-database-plugin",
    url: real.url,
    api_key,
    allowed_roles: "*",
  });

it("gives users their whole life", async () => {
  await connect("vectors", real.adminKey);
  await expect(connect("wrong", "wrong-key")).rejects.toMatchObject({ status: 400 });
  const books = { name: "books", permissions: [{ action: "read_data", collections: { collection: "Books" } }] };
  const statement = { roles: ["viewer"], custom_roles: [books] };
  await server.call("write", "database/roles/app", { db_name: "vectors", creation_statements: [statement] });
  const made = await Promise.all([1, 2].map(async () => (await server.call("read", "database/creds/app")).data));
  for (const { data, registered } of made) {
    expect(await isKnown(data.password)).toBe(true);
    await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
    expect(await isKnown(data.password)).toBe(false);
  }
});

it("rotates static users and its own key", async () => {
  await connect("vectors", real.adminKey);
  const first = await ask(real.url, "POST", "/v1/users/db/app", {}, real.adminKey);
  await server.call("write", "database/static-roles/kept", {
    db_name: "vectors",
    username: "app",
    rotation_period: 60,
  });
  const { password } = (await server.call("read", "database/static-creds/kept")).data;
  expect([await isKnown(String(first.json?.["apikey"])), await isKnown(password)]).toEqual([false, true]);

  await expect(server.call("write", "database/rotate-root/vectors")).rejects.toMatchObject({ status: 400 });
  const manager = await ask(real.url, "POST", "/v1/users/db/manager", {}, real.adminKey);
  const key = String(manager.json?.["apikey"]);
  await ask(real.url, "POST", "/v1/authz/users/manager/assign", { roles: ["admin"], userType: "db" }, real.adminKey);
  await connect("managed", key);
  await server.call("write", "database/rotate-root/managed");
  expect(await isKnown(key)).toBe(false);
  await server.call("write", "database/reset/managed");
});

describe("the stand-in", () => {
  it.each<[string, string, unknown?]>([
    ["GET", "/v1/.well-known/ready"],
    ["GET", "/v1/users/own-info"],
    ["POST", "/v1/users/db/u1", {}],
    ["POST", "/v1/users/db/u1", {}],
    ["POST", "/v1/users/db/1bad", {}],
    ["GET", "/v1/users/db/u1"],
    ["GET", "/v1/users/db/nosuch"],
    ["POST", "/v1/authz/roles", { name: "r1", permissions: [{ action: "read_roles", roles: { role: "*" } }] }],
    ["POST", "/v1/authz/roles", { name: "r1", permissions: [{ action: "read_roles", roles: { role: "*" } }] }],
    ["GET", "/v1/authz/roles/r1"],
    ["GET", "/v1/authz/roles/nosuch"],
    ["POST", "/v1/authz/users/u1/assign", { roles: ["viewer", "r1"], userType: "db" }],
    ["POST", "/v1/authz/users/u1/assign", { roles: ["nosuch"], userType: "db" }],
    ["POST", "/v1/authz/users/u1/assign", { roles: [], userType: "db" }],
    ["POST", "/v1/authz/users/u1/assign", { roles: ["root"], userType: "db" }],
    ["POST", "/v1/authz/users/nosuch/assign", { roles: ["viewer"], userType: "db" }],
    ["POST", "/v1/users/db/u1/rotate-key"],
    ["POST", "/v1/users/db/nosuch/rotate-key"],
    ["POST", "/v1/users/db/admin/rotate-key"],
    ["DELETE", "/v1/users/db/u1"],
    ["DELETE", "/v1/users/db/u1"],
    ["DELETE", "/v1/users/db/admin"],
  ])("answers %s %s %j as the real one does", async (method, path, body) => {
    const [one, other] = await Promise.all(
      [real.url, standIn.url].map((url) => ask(url, method, path, body, real.adminKey)),
    );
    expect(other!.status).toBe(one!.status);
    expect(typeof other!.json?.["apikey"]).toBe(typeof one!.json?.["apikey"]);
  });

  it("refuses strangers as the real one does", async () => {
    for (const url of [real.url, standIn.url]) {
      expect((await ask(url, "GET", "/v1/users/own-info", undefined, "wrong")).status).toBe(401);
    }
  });
});
