import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { HttpCaller } from "../support/http-caller.ts";
import { noPostgres, type Postgres, startPostgres } from "../support/postgres.ts";
import { ServerProcess, selfUnsealing } from "../support/server-process.ts";

/** PostgreSQL goes away under a server, and comes back. */

let postgres: Postgres;
let server: ServerProcess;
let caller: HttpCaller;

beforeAll(async () => {
  if (noPostgres !== undefined) return;
  postgres = await startPostgres({ fsync: true });
  server = await ServerProcess.start(selfUnsealing({ postgresql: { connection_url: postgres.url } }));
  caller = server.caller();
  caller.token = (await caller.demand("POST", "sys/init", {})).json.root_token;
  await caller.demand("POST", "sys/mounts/kv", { type: "kv" });
  await caller.demand("POST", "kv/kept", { a: 1 });
});
beforeEach(({ skip }) => skip(noPostgres !== undefined, noPostgres));
afterAll(async () => {
  caller?.close();
  await server?.stop();
  await postgres?.stop();
});

/** Tokens that were ended by nobody's request. */
async function expectExpiry(): Promise<void> {
  const { auth } = (await caller.demand("POST", "auth/token/create", { policies: ["default"], ttl: "1s" })).json;
  for (;;) {
    const { keys } = (await caller.demand("LIST", "auth/token/accessors")).json.data;
    if (!keys.includes(auth.accessor)) return;
    await setTimeout(200);
  }
}

test("tokens expire while it is there", expectExpiry);

test("while it is away, requests are refused and the server stays", async () => {
  await postgres.crash();
  for (const [method, path] of [
    ["GET", "kv/kept"],
    ["POST", "kv/lost"],
    ["LIST", "kv"],
    ["GET", "auth/token/lookup-self"],
  ] as const) {
    const { status, json } = await caller.call(method, path, method === "POST" ? { a: 1 } : undefined);
    expect([status, json.errors], `${method} ${path}`).toEqual([503, [expect.stringContaining("store")]]);
  }
  // Longer than a leader may be silent.
  await setTimeout(6000);
  expect(server.isRunning, server.output).toBe(true);
});

test("once it is back, everything goes on", async () => {
  await postgres.start();
  while ((await caller.call("GET", "kv/kept")).status === 503) await setTimeout(50);
  expect((await caller.demand("GET", "kv/kept")).json.data).toEqual({ a: 1 });
  expect((await caller.call("GET", "kv/lost")).status).toBe(404);
  await caller.demand("POST", "kv/lost", { a: 2 });
});

test("tokens expire again", expectExpiry, 60_000);
