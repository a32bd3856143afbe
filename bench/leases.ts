/**
 * Leases in great numbers: `node bench/leases.ts [--quick]`. Start to ready and memory at rest with 1 k, 100 k and 1 M of them
 * in the store; how many end in a second when their time is over; and how long a tree of tokens takes to go, and what
 * other requests notice of it.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Leases } from "../src/core/leases/leases.ts";
import { StaticSeal } from "../src/core/seal/static-seal.ts";
import { LmdbStore } from "../src/core/storage/lmdb.ts";
import { rootToken } from "../src/core/tokens/tokens.ts";
import { engines } from "../test/support/engines.ts";
import { KernelCaller } from "../test/support/kernel-caller.ts";
import { leasingEngine } from "../test/support/leasing-engine.ts";
import { ServerProcess, selfUnsealing } from "../test/support/server-process.ts";
import { ownMegabytes, residentMegabytes } from "./process-usage.ts";
import { decimals, printTable, whole } from "./table.ts";

const isQuick = process.argv.includes("--quick");
const only = process.argv.slice(2).find((word) => !word.startsWith("-"));
const leases = new Leases();

const temporaryFolder = () => mkdtempSync(join(tmpdir(), "strongroom-bench-leases-"));

async function coreOn(folder: string, clock = { now: Date.now() }) {
  const { engine, world } = leasingEngine();
  const store = await LmdbStore.open(folder);
  const server = await new KernelCaller([...engines, engine], store, clock).initialize();
  await server.kernel.stop();
  await server.call("write", "sys/mounts/l", { type: "leasing" });
  const mount = (await server.call("read", "sys/mounts/l")).data.uuid as string;
  return { store, server, world, clock, mount };
}

type Core = Awaited<ReturnType<typeof coreOn>>;

/** Straight into the store, many in one commit: making them through requests is another measurement. */
async function addLeases(
  { server, mount }: Pick<Core, "server" | "mount">,
  count: number,
  expires: (index: number) => number,
): Promise<void> {
  const perCommit = 500;
  for (let from = 0; from < count; from += perCommit) {
    await server.kernel.records.transaction(async (storage) => {
      for (let index = from; index < Math.min(count, from + perCommit); index++) {
        const id = `l/things/${index % 100}/${randomBytes(18).toString("base64url")}`;
        await leases.add(leaseOf(id, mount, expires(index)), storage);
      }
    });
  }
}

const leaseOf = (id: string, mount: string, expires: number) => ({
  id,
  mount,
  kind: "thing",
  secret: { thing: id },
  token: "",
  renewable: true,
  ttl: 3600,
  max_ttl: 0,
  issued: 0,
  expires,
  renewed: 0,
  attempts: 0,
  revoke_error: "",
  irrevocable: false,
});

async function printExpiry(count: number): Promise<void> {
  const folder = temporaryFolder();
  const core = await coreOn(folder);
  await addLeases(core, count, (index) => core.clock.now + (index % 1000));
  core.clock.now += 60_000;
  const block = blockWatch();
  const start = performance.now();
  while ((await core.server.kernel.expiry.runOnce()) > 0);
  const seconds = (performance.now() - start) / 1000;
  const used = block.used();
  if (core.world.endings !== count) throw new Error(`${core.world.endings} of ${count} leases ended`);
  printTable(
    `Expiry of ${whole(count)} leases whose ending does nothing`,
    ["what", "value", "aim"],
    [
      ["leases ended in a second", whole(count / seconds), "≥ 2,000"],
      ["processor time for each, µs", decimals((used / count) * 1000, 0), ""],
      ["longest block of the process, ms", decimals(block.stop(), 1), "< 20"],
    ],
  );
  await core.store.close();
  rmSync(folder, { recursive: true });
}

/** Ten children each, four levels deep, every token with a lease. */
async function printTree(tokens: number): Promise<void> {
  const folder = temporaryFolder();
  const core = await coreOn(folder);
  const { server } = core;
  const root = await addTree(core, tokens);
  const block = blockWatch();
  const start = performance.now();
  let requests = 0;
  let longest = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const began = performance.now();
      await server.call("write", `cubbyhole/${requests % 10}`, { a: "b" });
      longest = Math.max(longest, performance.now() - began);
      requests += 1;
      await setTimeout(2);
    }
  })();
  await server.call("write", "auth/token/revoke", { token: root });
  const gone = performance.now();
  while ((await server.kernel.expiry.runOnce()) > 0);
  const ended = performance.now();
  const used = block.used();
  isOver = true;
  await others;
  printTable(
    `Revocation of a tree of ${whole(tokens)} tokens with a lease each`,
    ["what", "value", "aim"],
    [
      ["until every token is gone, s", decimals((gone - start) / 1000, 2), ""],
      ["until every lease has ended, s", decimals((ended - start) / 1000, 2), ""],
      ["longest block of the process, ms", decimals(block.stop(), 1), "< 20"],
      ["processor time for each token, µs", decimals((used / tokens) * 1000, 0), ""],
      ["longest other request (a write), ms", decimals(longest, 1), ""],
      ["other requests meanwhile", whole(requests), ""],
    ],
  );
  const left = (await server.call("list", "auth/token/accessors")).data.keys.length;
  if (left !== 1) throw new Error(`${left - 1} tokens are left`);
  if (core.world.endings !== tokens) throw new Error(`${core.world.endings} of ${tokens} leases ended`);
  await core.store.close();
  rmSync(folder, { recursive: true });
}

async function addTree({ server, mount, clock }: Core, count: number): Promise<string> {
  const { records, tokens } = server.kernel;
  const now = new Date(clock.now);
  const expires = clock.now + 3_600_000;
  const keys: string[] = [];
  let id = "";
  for (let from = 0; from < count; from += 200) {
    await records.transaction(async (storage) => {
      for (let index = from; index < Math.min(count, from + 200); index++) {
        const parent = index === 0 ? "" : keys[Math.floor((index - 1) / 10)]!;
        const issued = await tokens.issue({ ...rootToken, policies: ["default"], parent, expires }, now, storage);
        if (index === 0) id = issued.id;
        keys.push(issued.token.key);
        const lease = leaseOf(`l/things/${index % 100}/${index}`, mount, expires);
        await leases.add({ ...lease, token: issued.token.key }, storage);
      }
    });
  }
  return id;
}

/**
 * Watches for the longest time in which nothing else of this process could run. Told in time on a processor, since a busy
 * machine takes that away at any moment; what is awaited inside lets others run.
 */
function blockWatch(): { stop(): number; used(): number } {
  let longest = 0;
  const cpu = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const first = cpu();
  let last = first;
  const timer = setInterval(() => {
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return {
    used: () => cpu() - first,
    stop: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

/** A real server on a store with so many leases, of which none is due. */
async function startWith(count: number): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const options = selfUnsealing({ lmdb: { path: folder } });
  let server = await ServerProcess.start(options);
  const caller = server.caller();
  const token = (await caller.demand("POST", "sys/init", {})).json.root_token;
  caller.close();
  await server.stop();
  await fill(folder, options.environment!["STRONGROOM_TEST_SEAL_KEY"]!, count);
  const began = performance.now();
  server = await ServerProcess.start(options);
  const asking = server.caller(token);
  await asking.demand("GET", "auth/token/lookup-self");
  const ready = performance.now() - began;
  asking.close();
  await setTimeout(isQuick ? 200 : 3000);
  const memory = residentMegabytes(server.pid) ?? Number.NaN;
  const own = ownMegabytes(server.pid) ?? Number.NaN;
  await server.stop();
  rmSync(folder, { recursive: true });
  return [whole(count), whole(ready), decimals(memory, 0), decimals(own, 0)];
}

/** Into the store of a server that is not running, with its own key. */
async function fill(folder: string, key: string, count: number): Promise<void> {
  const store = await LmdbStore.open(folder);
  const random = { bytes: (length: number) => randomBytes(length) };
  const autoSeal = new StaticSeal(random, { id: "test", key: Buffer.from(key, "hex") });
  const server = new KernelCaller(engines, store, { now: Date.now() }, { autoSeal });
  await server.kernel.start();
  await server.kernel.stop();
  const never = Date.now() + 30 * 86_400_000;
  await addLeases({ server, mount: "" }, count, (index) => never + index);
  await store.close();
}

const counts = isQuick ? [10, 1000] : [1000, 100_000, 1_000_000];
if (only === undefined || only === "start") {
  const rows: (readonly string[])[] = [];
  for (const count of counts) rows.push(await startWith(count));
  printTable(
    "Start to ready, and memory at rest, with leases in the store",
    ["leases", "start to ready, ms", "memory, MB", "of it not backed by files, MB"],
    rows,
  );
}
if (only === undefined || only === "expiry") await printExpiry(isQuick ? 500 : 50_000);
if (only === undefined || only === "tree") await printTree(isQuick ? 200 : 10_000);
