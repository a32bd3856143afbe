/** What must hold when a server is killed in the middle of ending a tree of tokens: whoever starts next ends the rest. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import type { HttpCaller } from "./http-caller.ts";
import { ServerProcess, selfUnsealing } from "./server-process.ts";

const childrenEach = 10;
const atOnce = 16;
const patienceMs = 60_000;
const patienceEachMs = 30;

export function testTreeRevocation(count: number): void {
  let folder: string;
  let server: ServerProcess | undefined;

  afterAll(async () => {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test(`a tree of ${count} tokens goes completely, also if the server is killed while it goes`, async () => {
    folder = await mkdtemp(join(tmpdir(), "strongroom-tree-"));
    const options = selfUnsealing({ lmdb: { path: folder } });
    server = await ServerProcess.start(options);
    const first = server.caller();
    const { root_token } = (await first.demand("POST", "sys/init", {})).json;
    first.token = root_token;
    const tokens = await makeTree(first, count);
    const all = await countTokens(first);
    expect(all).toBe(count + 1);

    const revoking = first.call("POST", "auth/token/revoke", { token: tokens[0] }).catch(() => undefined);
    await until(async () => (await countTokens(first)) < all, count);
    await server.kill();
    await revoking;
    first.close();

    server = await ServerProcess.start(options);
    const second = server.caller(root_token);
    // Those that were reached are dead from the first moment on; the others are without anybody asking for it.
    expect((await second.call("GET", "auth/token/lookup-self", undefined, { token: tokens[0]! })).status).toBe(403);
    await until(async () => (await countTokens(second)) === 1, count);
    for (const token of [tokens.at(-1), tokens[Math.floor(count / 2)]]) {
      expect((await second.call("GET", "auth/token/lookup-self", undefined, { token: token! })).status).toBe(403);
    }
    expect((await second.call("GET", "sys/leases/lookup/auth/token/create?list=true")).status).toBe(404);
    second.close();
    await untilEmpty(folder, count, () => server!.kill());
  });
}

/** Ten children each, every one with something in its cubbyhole. */
async function makeTree(caller: HttpCaller, count: number): Promise<string[]> {
  const policy = 'path "auth/token/create" { capabilities = ["update"] }';
  await caller.demand("POST", "sys/policies/acl/parent", { policy });
  const make = async (parent: string, extra: object = {}) => {
    const body = { policies: ["default", "parent"], ttl: "1h", ...extra };
    const { auth } = (await caller.demand("POST", "auth/token/create", body, { token: parent })).json;
    await caller.demand("POST", "cubbyhole/note", { a: "b" }, { token: auth.client_token });
    return auth.client_token as string;
  };
  const tokens = [await make(caller.token, { no_parent: true })];
  while (tokens.length < count) {
    const from = tokens.length;
    // Only as many as have their parents already.
    const many = Math.min(atOnce, count - from, from * childrenEach - from + 1);
    const parents = Array.from({ length: many }, (_, index) => tokens[Math.floor((from + index - 1) / childrenEach)]!);
    tokens.push(...(await Promise.all(parents.map((parent) => make(parent)))));
  }
  return tokens;
}

const countTokens = async (caller: HttpCaller): Promise<number> =>
  (await caller.demand("GET", "auth/token/accessors?list=true")).json.data.keys.length;

async function until(isSo: () => Promise<boolean>, tokens: number): Promise<void> {
  for (const end = performance.now() + patienceMs + tokens * patienceEachMs; !(await isSo()); ) {
    if (performance.now() > end) throw new Error("it did not come to its end");
    await setTimeout(5);
  }
}

/** The last intent goes a moment after the last token, so the server may live until then. */
async function untilEmpty(folder: string, tokens: number, kill: () => Promise<unknown>): Promise<void> {
  const store = await LmdbStore.open(folder);
  try {
    for (const prefix of ["sys/token/revoking/", "sys/token/parent/", "sys/lease/id/", "sys/expire/"]) {
      await until(async () => (await store.list(prefix)).length === 0, tokens);
    }
    expect(await store.list("sys/token/id/")).toHaveLength(1);
    const mounts = await store.list("logical/");
    const left = await Promise.all(mounts.map((mount) => store.list(`logical/${mount}`)));
    expect(left.flat().filter((name) => name.length > 40)).toEqual([]);
  } finally {
    await store.close();
    await kill();
  }
}
