import { describe, expect, test } from "vitest";
import { ApiError } from "../../src/api/errors.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { expectWholeRecords, namesBelow } from "../support/whole-records.ts";
import { type Fault, FaultyStore, faults } from "./faulty-store.ts";

/** More calls to the store than any of these requests makes. */
const mostCalls = 600;

interface Case {
  readonly name: string;
  /** Before the fault. What it answers is handed to the others. */
  prepare?(server: KernelCaller): Promise<string>;
  /** What is tried, and tried again after a failure; the second try must answer as if it were the first. */
  request(server: KernelCaller, prepared: string): Promise<unknown>;
  /** Whether its effect is there; nothing between yes and no is allowed. */
  hasHappened(server: KernelCaller, prepared: string): Promise<boolean>;
  /** Says why a second try is refused when the first one, whose answer was lost, had worked. */
  readonly refusedTwice?: string;
  /** The answer may say that it failed though the effect is there: what was left to do is done later. */
  readonly continues?: true;
}

const succeeds = (trial: Promise<unknown>) =>
  trial.then(
    () => true,
    () => false,
  );

const newToken = async (server: KernelCaller, token?: string): Promise<string> =>
  (await server.call("write", "auth/token/create", { policies: ["root"], ttl: "1h" }, token)).auth.client_token;

const isAlive = (server: KernelCaller, token: string) =>
  succeeds(server.call("read", "auth/token/lookup-self", {}, token));

const chosen = "chosen-by-the-caller";

const cases: Case[] = [
  {
    name: "create a token",
    request: (server) => server.call("write", "auth/token/create", { id: chosen, policies: ["default"] }),
    hasHappened: (server) => isAlive(server, chosen),
    refusedTwice: "cannot create a token with a duplicate ID",
  },
  {
    name: "write a new secret",
    request: (server) => server.call("write", "kv/data/new", { data: { a: 1 }, options: { cas: 0 } }),
    hasHappened: (server) => succeeds(server.call("read", "kv/data/new")),
    refusedTwice: "check-and-set parameter did not match the current version",
  },
  {
    name: "write a new version of a secret",
    async prepare(server) {
      for (let version = 1; version <= 10; version++) await server.call("write", "kv/data/a", { data: { version } });
      return "";
    },
    request: (server) => server.call("write", "kv/data/a", { data: { version: 11 }, options: { cas: 10 } }),
    async hasHappened(server) {
      const { data } = (await server.call("read", "kv/data/a")).data;
      const { current_version, versions } = (await server.call("read", "kv/metadata/a")).data;
      expect(data.version).toBe(current_version);
      expect(Object.keys(versions)).toHaveLength(10);
      return current_version === 11;
    },
    refusedTwice: "check-and-set parameter did not match the current version",
  },
  {
    name: "delete a secret with all its versions",
    async prepare(server) {
      for (let version = 1; version <= 10; version++) await server.call("write", "kv/data/a", { data: { version } });
      return "";
    },
    request: (server) => server.call("delete", "kv/metadata/a"),
    hasHappened: async (server) => !(await succeeds(server.call("read", "kv/data/a"))),
  },
  {
    name: "write a policy",
    request: (server) => server.call("write", "sys/policies/acl/p", { policy: 'path "x" { capabilities = ["read"] }' }),
    hasHappened: (server) => succeeds(server.call("read", "sys/policies/acl/p")),
  },
  {
    name: "enable a mount",
    request: (server) => server.call("write", "sys/mounts/new", { type: "kv" }),
    hasHappened: (server) => succeeds(server.call("write", "new/x", { a: 1 })),
    refusedTwice: "path is already in use at new/",
  },
  {
    name: "disable a mount with more secrets than go in one commit",
    async prepare(server) {
      for (let number = 0; number < 220; number++)
        await server.call("write", `kv/data/${number}`, { data: { number } });
      return "";
    },
    request: (server) => server.call("delete", "sys/mounts/kv"),
    hasHappened: async (server) => !(await succeeds(server.call("read", "kv/data/1"))),
    continues: true,
  },
  {
    name: "move a mount",
    async prepare(server) {
      await server.call("write", "kv/data/a", { data: { a: 1 } });
      return "";
    },
    request: (server) => server.call("write", "sys/remount", { from: "kv", to: "moved" }),
    async hasHappened(server) {
      const [old, moved] = [server.call("read", "kv/data/a"), server.call("read", "moved/data/a")].map(succeeds);
      expect(await old).toBe(!(await moved));
      return (await moved) === true;
    },
    refusedTwice: "no matching mount at",
  },
  {
    name: "revoke a token with its children, their children, and what all of them own",
    async prepare(server) {
      const parent = await newToken(server);
      for (const child of [await newToken(server, parent), await newToken(server, parent)]) {
        const grandchild = await newToken(server, child);
        for (const each of [child, grandchild]) await server.call("write", "cubbyhole/a", { a: 1 }, each);
      }
      return parent;
    },
    request: (server, parent) => server.call("write", "auth/token/revoke", { token: parent }),
    hasHappened: async (server, parent) => !(await isAlive(server, parent)),
    continues: true,
  },
  {
    name: "use a token for the last time",
    prepare: async (server) =>
      (await server.call("write", "auth/token/create", { policies: ["root"], num_uses: 1 })).auth.client_token,
    request: (server, token) => server.call("write", "kv/data/used", { data: {} }, token),
    async hasHappened(server, token) {
      const isWritten = await succeeds(server.call("read", "kv/data/used"));
      const isSpent = !(await succeeds(server.call("write", "auth/token/lookup", { token })));
      if (isWritten) expect(isSpent).toBe(true);
      return isSpent;
    },
    // A request that failed has used the token all the same.
    refusedTwice: "permission denied",
    continues: true,
  },
];

interface Prepared {
  readonly answer: string;
  readonly rootToken: string;
  readonly keys: string[];
  readonly entries: ReadonlyMap<string, Uint8Array>;
}

async function prepared(each: Case): Promise<Prepared> {
  const memory = new MemoryStore();
  const server = await new KernelCaller(engines, memory).initialize();
  await server.call("write", "sys/mounts/kv", { type: "kv-v2" });
  const answer = (await each.prepare?.(server)) ?? "";
  await server.kernel.stop();
  const entries = new Map<string, Uint8Array>();
  for (const key of await namesBelow(memory, "")) entries.set(key, (await memory.get(key))!.value);
  return { answer, rootToken: server.rootToken, keys: server.keys, entries };
}

/** A process that was just started on what is prepared, so that it has everything to read from the store. */
async function started({ entries, rootToken, keys }: Prepared) {
  const memory = new MemoryStore();
  await memory.commit({ expect: new Map(), puts: entries, deletes: new Set() });
  const store = new FaultyStore(memory);
  const server = new KernelCaller(engines, store);
  await server.call("write", "sys/unseal", { key: keys[0] }, "");
  server.rootToken = rootToken;
  // It would make calls of its own at times that nobody chose.
  await server.kernel.expiry.stop();
  return { memory, store, server };
}

describe.for(faults)("when one call to the store %s", (fault) => {
  test.for(cases)("$name: all or nothing, an error, and the next try works, whichever call it is", async (each) => {
    const before = await prepared(each);
    let call = 1;
    // The many calls of a long wipe are all alike.
    for (; call < mostCalls; call += call < 40 ? 1 : 17) {
      const running = await started(before);
      running.store.failAt(call, fault);
      const outcome = await each.request(running.server, before.answer).catch((error: Error) => error);
      if (running.store.repair()) {
        expect(outcome).not.toBeInstanceOf(Error);
        break;
      }
      await expectGoodEnd(each, before.answer, running, fault, outcome, `call ${call}`);
    }
    expect(call).toBeGreaterThan(3);
    expect(call).toBeLessThan(mostCalls);
  });
});

type Running = Awaited<ReturnType<typeof started>>;

async function expectGoodEnd(
  each: Case,
  answer: string,
  { server, memory }: Running,
  fault: Fault,
  outcome: unknown,
  where: string,
): Promise<void> {
  const hasHappened = await each.hasHappened(server, answer);
  if (outcome instanceof Error) {
    expect(outcome, where).toBeInstanceOf(ApiError);
    if (fault === "fails") expect((outcome as ApiError).status, where).toBe(503);
    if (fault === "fails" && !each.continues) expect(hasHappened, where).toBe(false);
    await expectSecondTry(each, server, answer, where);
  } else expect(hasHappened, where).toBe(true);
  expect(await each.hasHappened(server, answer), where).toBe(true);
  await expectTidy(server, memory, where);
}

async function expectSecondTry(each: Case, server: KernelCaller, prepared: string, where: string): Promise<void> {
  const second = await each.request(server, prepared).catch((error: Error) => error);
  if (!(second instanceof Error)) return;
  expect(each.refusedTwice, `${where}: ${second.message}`).toBeDefined();
  expect(second.message, where).toContain(each.refusedTwice);
}

/** What the next process, or the next round of this one, finds: it finishes all that was begun, and nothing is by halves. */
async function expectTidy(server: KernelCaller, memory: MemoryStore, where: string): Promise<void> {
  await server.kernel.expiry.runOnce();
  expect(await memory.list("core/wiping/"), where).toEqual([]);
  expect(await memory.list("sys/token/revoking/"), where).toEqual([]);
  await expectWholeRecords(memory);
  const mounts = Object.values((await server.call("read", "sys/mounts")).data) as { uuid: string }[];
  const uuids = new Set(mounts.map(({ uuid }) => `${uuid}/`));
  expect(
    (await memory.list("logical/")).filter((name) => !uuids.has(name)),
    where,
  ).toEqual([]);
}
