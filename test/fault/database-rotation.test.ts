/**
 * Credentials in two places: the process is killed, or its store fails, at every single call of every operation that changes
 * something in a database. Whatever happens, a credential that works is known afterwards, and no user is left that nobody ends.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import {
  type Batch,
  type Leadership,
  type Page,
  type Point,
  type Store,
  StoreUnavailable,
} from "../../src/core/storage/store.ts";
import { database } from "../../src/engines/database/engine.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { type SearchEngineServer, startSearchEngine } from "../support/search-engine-server.ts";
import { FaultyStore, faults } from "./faulty-store.ts";

/** From the chosen call on nothing works any more: for the store, the process is dead. */
class DeadlyStore implements Store {
  readonly type: string;
  readonly maxKeyBytes: number;
  readonly #store: Store;
  #left = Number.POSITIVE_INFINITY;

  constructor(store: Store) {
    this.#store = store;
    this.type = store.type;
    this.maxKeyBytes = store.maxKeyBytes;
  }

  dieAt(call: number): void {
    this.#left = call;
  }

  get isDead(): boolean {
    return this.#left <= 0;
  }

  async get(key: string) {
    this.#live();
    return this.#store.get(key);
  }

  async list(prefix: string, page?: Page) {
    this.#live();
    return this.#store.list(prefix, page);
  }

  async changes(since: Point | undefined) {
    this.#live();
    return this.#store.changes(since);
  }

  async commit(batch: Batch) {
    this.#live();
    return this.#store.commit(batch);
  }

  lead(name: string, work: (leadership: Leadership) => Promise<void>, until: AbortSignal) {
    return this.#store.lead(name, work, until);
  }

  async close() {}

  #live(): void {
    this.#left -= 1;
    if (this.#left <= 0) throw new StoreUnavailable("injected: the process is dead");
  }
}

const mostCalls = 200;
let cluster: SearchEngineServer;
let server: KernelCaller;
let clock: { now: number };

const operations = {
  "a dynamic user": () => server.call("read", "database/creds/reader"),
  "a static role, created": () =>
    server.call("write", "database/static-roles/new", { db_name: "search", username: "new", rotation_period: 600 }),
  "a static role, rotated": () => server.call("write", "database/rotate-role/app"),
  "the root credential, rotated": () => server.call("write", "database/rotate-root/search"),
} as const;

async function prepare(store: Store) {
  server = await new KernelCaller([database], store, clock).initialize();
  // Only what is tested here may reach the store: jobs are run by hand.
  await server.kernel.stop();
  await server.call("write", "sys/mounts/database", { type: "database" });
  await server.call("write", "database/config/search", {
    plugin_name: "searchengine-database-plugin",
    url: cluster.url,
    username: "manager",
    password: "root-secret",
    allowed_roles: "*",
  });
  const statement = '{"searchengine_roles":["reader"]}';
  await server.call("write", "database/roles/reader", {
    db_name: "search",
    creation_statements: statement,
    default_ttl: "10h",
  });
  await server.call("write", "database/static-roles/app", {
    db_name: "search",
    username: "app",
    rotation_period: "10h",
  });
}

async function restart(store: Store) {
  const { rootToken, keys } = server;
  await server.kernel.stop();
  server = new KernelCaller([database], store, clock);
  server.rootToken = rootToken;
  server.keys = keys;
  await server.call("write", "sys/unseal", { key: keys[0] }, "");
  await server.kernel.stop();
}

/** What the background does within the next minutes. */
async function recover() {
  for (let round = 0; round < 3; round++) {
    clock.now += 400_000;
    await server.kernel.jobs.runDue(new AbortController().signal);
  }
}

async function expectAllKnown() {
  await server.call("write", "database/reset/search");
  for (const name of (await server.call("list", "database/static-roles")).data.keys) {
    const { username, password } = (await server.call("read", `database/static-creds/${name}`)).data;
    expect(cluster.users.get(username)?.password, name).toBe(password);
  }
  if (!(await server.call("list", "database/static-roles")).data.keys.includes("new")) {
    expect(cluster.users.get("new")?.password).toBe("its-own-secret");
  }
  await server.call("write", "sys/leases/revoke-prefix/database/creds");
  expect([...cluster.users.keys()].filter((name) => name.startsWith("v-"))).toEqual([]);
}

beforeEach(async () => {
  clock = { now: Date.UTC(2030, 0, 1) };
  cluster = await startSearchEngine();
  const plain = { roles: [], metadata: {}, enabled: true };
  cluster.users.set("manager", { ...plain, password: "root-secret", roles: ["manager"] });
  cluster.users.set("app", { ...plain, password: "app-secret" });
  cluster.users.set("new", { ...plain, password: "its-own-secret" });
});

afterEach(async () => {
  await server.kernel.stop();
  await cluster.stop();
});

const fresh = () => {
  cluster.users.get("manager")!.password = "root-secret";
  cluster.users.get("new")!.password = "its-own-secret";
  for (const name of [...cluster.users.keys()]) if (name.startsWith("v-")) cluster.users.delete(name);
};

describe.each(Object.entries(operations))("%s", (_, operate) => {
  it("survives the death of the process at every call to the store", async () => {
    for (let call = 1; call <= mostCalls; call++) {
      fresh();
      const inner = new MemoryStore();
      const store = new DeadlyStore(inner);
      await prepare(store);
      store.dieAt(call);
      await operate().catch(() => undefined);
      const isDead = store.isDead;
      await restart(inner);
      await recover();
      await expectAllKnown();
      if (!isDead) return expect(call).toBeGreaterThan(5);
    }
    expect.unreachable("the operation never ended");
  });

  it.each(faults)("is right again after a call to the store %s", async (fault) => {
    for (let call = 1; call <= mostCalls; call++) {
      fresh();
      const store = new FaultyStore(new MemoryStore());
      await prepare(store);
      store.failAt(call, fault);
      await operate().catch(() => undefined);
      const isOver = store.repair();
      await recover();
      await expectAllKnown();
      if (isOver) return expect(call).toBeGreaterThan(5);
    }
    expect.unreachable("the operation never ended");
  });

  it.each(["drop", "refuse", 503, 500, 403] as const)("is right again after a request met: %s", async (fault) => {
    for (let request = 0; request < 10; request++) {
      fresh();
      await prepare(new MemoryStore());
      let seen = 0;
      const push = cluster.calls.push.bind(cluster.calls);
      cluster.calls.push = (call) => {
        if (seen++ === request) {
          if (typeof fault === "number") cluster.faults.unshift({ status: fault });
          else cluster.faults.unshift(fault);
        }
        return push(call);
      };
      await operate().catch(() => undefined);
      cluster.calls.push = push;
      const isOver = seen <= request;
      cluster.faults.length = 0;
      await recover();
      await expectAllKnown();
      if (isOver) return;
    }
    expect.unreachable("the operation never ended");
  });
});
