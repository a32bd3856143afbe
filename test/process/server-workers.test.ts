import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainListener, type ServerOptions, ServerProcess } from "../support/server-process.ts";
import { allServe, onManyConnections, until, workersOf } from "../support/worker-processes.ts";

/** What several processes behind one port do together; what one does alone is tested elsewhere. */

let folder = "";
let stores = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-workers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const shamir = (): ServerOptions => ({
  workers: 2,
  config: {
    storage: { lmdb: { path: join(folder, `store-${stores++}`) } },
    listener: plainListener,
    log_level: "debug",
  },
});

async function start(options: ServerOptions): Promise<ServerProcess> {
  const server = await ServerProcess.start(options);
  await until(() => allServe(server, 2));
  return server;
}

const development = () =>
  start({
    workers: 2,
    flags: [
      "-dev",
      "-dev-root-token-id=root",
      "-dev-listen-address=127.0.0.1:0",
      "-log-level=debug",
      `-dev-storage-path=${join(folder, `store-${stores++}`)}`,
    ],
  });

const sealedOn = async (server: ServerProcess) => {
  const answers = await onManyConnections(server, (caller) => caller.demand("GET", "sys/seal-status"));
  return new Set(answers.map(({ json }) => json.sealed));
};

async function replaceOne(server: ServerProcess): Promise<void> {
  const served = server.output.match(/a worker process serves/g)!.length;
  process.kill(workersOf(server)[0]!, "SIGKILL");
  await until(() => allServe(server, served + 1));
}

describe("sealed and unsealed together", () => {
  let server: ServerProcess;
  let keys: string[] = [];
  let token = "";

  beforeAll(async () => {
    server = await start(shamir());
    const caller = server.caller();
    const { json } = await caller.demand("POST", "sys/init", { secret_shares: 3, secret_threshold: 2 });
    ({ keys, root_token: token } = json);
    caller.close();
  });
  afterAll(() => server.kill());

  const unseal = () =>
    onManyConnections(server, (caller, index) => caller.demand("POST", "sys/unseal", { key: keys[index] }), 2);

  test("shares on different connections add up, and open every worker", async () => {
    const [first, second] = await unseal();
    expect([first!.json.progress, first!.json.sealed, second!.json.sealed]).toEqual([1, true, false]);
    expect(await sealedOn(server)).toEqual(new Set([false]));
  });

  test("every connection tells the same progress", async () => {
    await onManyConnections(server, (caller) => caller.demand("POST", "sys/seal", {}, { token }), 1);
    await onManyConnections(server, (caller) => caller.demand("POST", "sys/unseal", { key: keys[2] }), 1);
    const answers = await onManyConnections(server, (caller) => caller.demand("GET", "sys/seal-status"));
    expect(new Set(answers.map(({ json }) => `${json.progress} ${json.nonce}`)).size).toBe(1);
    expect(answers[0]!.json.progress).toBe(1);
    await onManyConnections(server, (caller) => caller.demand("POST", "sys/unseal", { key: keys[1] }), 1);
    expect(await sealedOn(server)).toEqual(new Set([false]));
  });

  test("a worker that replaces another is unsealed, or sealed like all", async () => {
    await replaceOne(server);
    expect(await sealedOn(server)).toEqual(new Set([false]));
    await onManyConnections(server, (caller) => caller.demand("POST", "sys/seal", {}, { token }), 1);
    expect(await sealedOn(server)).toEqual(new Set([true]));
    await replaceOne(server);
    expect(await sealedOn(server)).toEqual(new Set([true]));
    await unseal();
    expect(await sealedOn(server)).toEqual(new Set([false]));
  });

  test("a root token and new shares take steps on different connections", async () => {
    const options = { token };
    const step = async (method: string, path: string, body?: object) => {
      const [answer] = await onManyConnections(server, (caller) => caller.demand(method, path, body, options), 1);
      return answer!.json.data;
    };
    const attempt = await step("POST", "sys/generate-root-token/attempt", {});
    for (const key of keys.slice(0, 2)) {
      await step("POST", "sys/generate-root-token/update", { key, nonce: attempt.nonce });
    }
    const { nonce } = await step("POST", "sys/rotate/root/init", { secret_shares: 1, secret_threshold: 1 });
    const progress = await Promise.all(Array.from({ length: 4 }, () => step("GET", "sys/rotate/root/init")));
    expect(new Set(progress.map((each) => each.nonce))).toEqual(new Set([nonce]));
    await step("POST", "sys/rotate/root/update", { key: keys[0], nonce });
    const done = await step("POST", "sys/rotate/root/update", { key: keys[1], nonce });
    expect(done.complete).toBe(true);
    // A worker that is started now needs the root key that has just been made.
    await replaceOne(server);
    expect(await sealedOn(server)).toEqual(new Set([false]));
    const [wrong] = await onManyConnections(
      server,
      (caller) => caller.call("POST", "sys/rotate/root/update", { key: keys[0], nonce }, options),
      1,
    );
    expect([wrong!.status, wrong!.json.errors]).toEqual([400, ["no barrier rekey in progress"]]);
  });
});

describe("one node to its clients", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await development();
  });
  afterAll(() => server.kill());

  test("what one worker wrote, the next request sees on another", async () => {
    const writer = server.caller("root");
    const readers = Array.from({ length: 8 }, () => server.caller("root"));
    for (let version = 1; version <= 10; version++) {
      await writer.demand("POST", "secret/data/shared", { data: { version } });
      for (const reader of readers) {
        expect((await reader.demand("GET", "secret/data/shared")).json.data.data.version).toBe(version);
      }
    }
    const { client_token } = (await writer.demand("POST", "auth/token/create", {})).json.auth;
    const statuses = () =>
      Promise.all(
        readers.map(async (reader) => {
          const { status } = await reader.call("GET", "auth/token/lookup-self", undefined, { token: client_token });
          return status;
        }),
      );
    expect(await statuses()).toEqual(Array(8).fill(200));
    await writer.demand("POST", "auth/token/revoke", { token: client_token });
    expect(await statuses()).toEqual(Array(8).fill(403));
    for (const caller of [writer, ...readers]) caller.close();
  });

  test("metrics are sums over all workers", async () => {
    const reads = async () => {
      const answers = await onManyConnections(server, (caller) =>
        caller.demand("GET", "sys/metrics?format=prometheus", undefined, { token: "root" }),
      );
      const pattern = /^strongroom_requests_total\{operation="read",mount_type="kv",status="2xx"\} (\d+)$/m;
      return answers.map(({ text }) => Number(pattern.exec(text)?.[1]));
    };
    const [before] = await reads();
    await onManyConnections(server, (caller) =>
      caller.demand("GET", "secret/data/shared", undefined, { token: "root" }),
    );
    expect(new Set(await reads())).toEqual(new Set([before! + 8]));
  });

  test("a quota counts a client once, however many connections it has", async () => {
    const token = "root";
    const caller = server.caller(token);
    await caller.demand("POST", "sys/quotas/rate-limit/few", { path: "secret/data/few", rate: 5, interval: "1h" });
    const answers = await onManyConnections(
      server,
      (each) => each.call("GET", "secret/data/few", undefined, { token }),
      12,
    );
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    caller.close();
  });

  test("levels of the log are set everywhere", async () => {
    const options = { token: "root" };
    await onManyConnections(
      server,
      (caller) => caller.demand("POST", "sys/loggers/http", { level: "error" }, options),
      1,
    );
    await replaceOne(server);
    const answers = await onManyConnections(server, (caller) =>
      caller.demand("GET", "sys/loggers/http", undefined, options),
    );
    expect(answers.map(({ json }) => json.data.http)).toEqual(Array(8).fill("error"));
  });
});
