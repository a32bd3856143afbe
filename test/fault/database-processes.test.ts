/** Rotations beside one another: requests, jobs and processes that want the same thing at the same time. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { database } from "../../src/engines/database/engine.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { type SearchEngineServer, startSearchEngine } from "../support/search-engine-server.ts";

let cluster: SearchEngineServer;
let servers: KernelCaller[];
const clock = { now: Date.UTC(2030, 0, 1) };

beforeEach(async () => {
  cluster = await startSearchEngine();
  const plain = { roles: [], metadata: {}, enabled: true };
  cluster.users.set("manager", { ...plain, password: "root-secret", roles: ["manager"] });
  cluster.users.set("app", { ...plain, password: "app-secret" });
  const store = new MemoryStore();
  const first = await new KernelCaller([database], store, clock).initialize();
  const second = new KernelCaller([database], store, clock);
  second.rootToken = first.rootToken;
  await second.call("write", "sys/unseal", { key: first.keys[0] }, "");
  servers = [first, second];
  await first.call("write", "sys/mounts/database", { type: "database" });
  await first.call("write", "database/config/search", {
    plugin_name: "searchengine-database-plugin",
    url: cluster.url,
    username: "manager",
    password: "root-secret",
    allowed_roles: "*",
  });
  await first.call("write", "database/static-roles/app", { db_name: "search", username: "app", rotation_period: 60 });
  const creation_statements = '{"searchengine_roles":["reader"]}';
  await first.call("write", "database/roles/reader", { db_name: "search", creation_statements });
});

afterEach(async () => {
  for (const server of servers) await server.kernel.stop();
  await cluster.stop();
});

/** On both processes in turn. */
const both = <T>(count: number, work: (server: KernelCaller) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(servers[index % 2]!)));

describe("two processes", () => {
  it("rotate one static role in turn, and both know the outcome", async () => {
    await both(8, (server) => server.call("write", "database/rotate-role/app"));
    const known = await both(
      2,
      async (server) => (await server.call("read", "database/static-creds/app")).data.password,
    );
    expect(known).toEqual([cluster.users.get("app")?.password, cluster.users.get("app")?.password]);
    expect(cluster.calls.filter((call) => call.endsWith("/app/_password"))).toHaveLength(9);
  });

  it("rotate the root credential in turn, and use it meanwhile", async () => {
    await both(4, (server) => server.call("write", "database/rotate-root/search"));
    await Promise.all([
      both(2, (server) => server.call("write", "database/rotate-root/search")),
      both(20, (server) => server.call("read", "database/creds/reader")),
    ]);
    await both(2, (server) => server.call("read", "database/creds/reader"));
  });

  it("notice what the other one changed", async () => {
    await both(2, (server) => server.call("read", "database/creds/reader"));
    const other = await startSearchEngine();
    other.users.set("manager", { password: "other", roles: ["manager"], metadata: {}, enabled: true });
    await servers[0]!.call("write", "database/config/search", { url: other.url, password: "other" });
    const { data } = (await servers[1]!.call("read", "database/creds/reader")).data;
    expect(other.users.has(data.username)).toBe(true);
    await other.stop();
  });

  it("run a due rotation once", async () => {
    clock.now += 61_000;
    await both(2, (server) => server.kernel.jobs.runDue(new AbortController().signal));
    expect(cluster.calls.filter((call) => call.endsWith("/app/_password")).length).toBeLessThanOrEqual(3);
    const { password, ttl } = (await servers[0]!.call("read", "database/static-creds/app")).data;
    expect([password, ttl]).toEqual([cluster.users.get("app")?.password, 60]);
  });
});

it("policies tell the creation of a connection or role from its change", async () => {
  const [server] = servers as [KernelCaller];
  await server.call("write", "sys/policies/acl/maker", {
    policy: 'path "database/*" { capabilities = ["create"] }',
  });
  const { auth } = await server.call("write", "auth/token/create", { policies: ["maker"] });
  const token = auth.client_token;
  const role = { db_name: "search" };
  await server.call("write", "database/roles/new", role, token);
  await expect(server.call("write", "database/roles/new", role, token)).rejects.toMatchObject({ status: 403 });
  const settings = { plugin_name: "vectordb-database-plugin", url: "http://127.0.0.1:1", verify_connection: false };
  await server.call("write", "database/config/new", settings, token);
  await expect(server.call("write", "database/config/new", settings, token)).rejects.toMatchObject({ status: 403 });
  const kept = { db_name: "search", username: "other", rotation_period: 60, skip_import_rotation: true };
  await server.call("write", "database/static-roles/kept", kept, token);
  await expect(server.call("write", "database/static-roles/kept", kept, token)).rejects.toMatchObject({ status: 403 });
});
