/** Databases that take a connection and say nothing: nothing waits for them for ever. */

import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { database } from "../../src/engines/database/engine.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { type SearchEngineServer, startSearchEngine } from "../support/search-engine-server.ts";

let silent: Server;
let port: number;
let cluster: SearchEngineServer;
let server: KernelCaller;
const sockets: Socket[] = [];

beforeAll(async () => {
  silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  port = (silent.address() as AddressInfo).port;
  cluster = await startSearchEngine("root-secret");
  cluster.users.set("app", { password: "app-secret", roles: [], metadata: {}, enabled: true });
  server = await new KernelCaller([database]).initialize();
  await server.kernel.stop();
  await server.call("write", "sys/mounts/database", { type: "database" });
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await cluster.stop();
});

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    ({ status, message }) => `${status} ${message}`,
  );

const user = { username: "root", password: "root-secret" };

it.concurrent.each([
  ["searchengine-database-plugin", () => ({ url: `http://127.0.0.1:${port}`, ...user })],
  ["vectordb-database-plugin", () => ({ url: `http://127.0.0.1:${port}`, api_key: "root-secret" })],
  [
    "postgresql-database-plugin",
    () => ({ connection_url: `postgresql://{{username}}:{{password}}@127.0.0.1:${port}/x`, ...user }),
  ],
  ["mysql-database-plugin", () => ({ connection_url: `{{username}}:{{password}}@tcp(127.0.0.1:${port})/`, ...user })],
  ["redis-database-plugin", () => ({ host: "127.0.0.1", port, ...user })],
])("%s", async (plugin_name, settings) => {
  const name = plugin_name.split("-")[0]!;
  const words = await outcome(server.call("write", `database/config/${name}`, { plugin_name, ...settings() }));
  expect(words).toMatch(/^502 error creating database object: error verifying connection: connection /);
  expect(words).not.toContain("root-secret");
});

it("every call that a hanging cluster is asked for", async () => {
  const connection = {
    plugin_name: "searchengine-database-plugin",
    url: cluster.url,
    username: "elastic",
    password: "root-secret",
  };
  await server.call("write", "database/config/search", { ...connection, allowed_roles: "*" });
  await server.call("write", "database/roles/reader", {
    db_name: "search",
    creation_statements: ['{"searchengine_roles":["x"]}'],
  });
  await server.call("write", "database/static-roles/app", { db_name: "search", username: "app", rotation_period: 600 });
  const { registered } = (await server.call("read", "database/creds/reader")).data;
  cluster.faults.push(...Array.from({ length: 20 }, () => "hang" as const));
  const outcomes = await Promise.all([
    outcome(server.call("read", "database/creds/reader")),
    outcome(server.call("write", "database/rotate-role/app")),
    outcome(server.call("write", "sys/leases/revoke", { lease_id: registered.id })),
    outcome(server.call("write", "database/reset/search")),
  ]);
  for (const words of outcomes) expect(words).toMatch(/^502 /);
  cluster.faults.length = 0;
  server.passSeconds(400);
  await server.kernel.jobs.runDue(new AbortController().signal);
  const { password } = (await server.call("read", "database/static-creds/app")).data;
  expect(cluster.users.get("app")?.password).toBe(password);
});
