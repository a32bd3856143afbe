import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RawClient } from "../support/raw-client.ts";
import { plainListener, ServerProcess, selfUnsealing } from "../support/server-process.ts";
import { allServe, onManyConnections, until, workersOf } from "../support/worker-processes.ts";

/** How several processes behind one port are started, replaced, reloaded and ended. Each server serves a few tests in turn. */

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-worker-life-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Unsealed, with secrets at `secret/`. */
async function ready(name: string, more: object = {}): Promise<{ server: ServerProcess; token: string }> {
  const { config, environment = {} } = selfUnsealing({ lmdb: { path: join(folder, name) } });
  const server = await ServerProcess.start({
    workers: 2,
    environment,
    config: { ...(config as object), log_level: "debug", ...more },
  });
  await until(() => allServe(server, 2));
  const caller = server.caller();
  const token = (await caller.demand("POST", "sys/init", {})).json.root_token;
  caller.token = token;
  await caller.demand("POST", "sys/mounts/secret", { type: "kv", options: { version: "2" } });
  caller.close();
  return { server, token };
}

describe("a server with two workers", () => {
  let server: ServerProcess;
  let token = "";
  beforeAll(async () => {
    ({ server, token } = await ready("killed"));
  });
  afterAll(() => server.kill());

  test("is open on both when it was initialized through one of them", async () => {
    const answers = await onManyConnections(server, (caller) => caller.call("GET", "sys/health"));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test("has its address to itself; why another server does not start is said once, with exit code 1", async () => {
    const listener = { tcp: { ...plainListener.tcp, address: new URL(server.url).host } };
    const config = { storage: { lmdb: { path: join(folder, "other") } }, listener };
    const { code, output } = await ServerProcess.run({ workers: 2, config });
    expect(code).toBe(1);
    expect(output.match(/the server did not start: cannot listen on .*: the address is in use/g)).toHaveLength(1);
  });

  test("loses the connections of a worker that is killed under load, no other, and nothing that was written", async () => {
    const acknowledged: string[] = [];
    let isOver = false;
    /** Writes until its connection breaks; says whether it did not. */
    const lane = async (index: number): Promise<boolean> => {
      const caller = server.caller(token);
      try {
        for (let number = 0; !isOver; number++) {
          await caller.demand("POST", `secret/data/${index}-${number}`, { data: {} });
          acknowledged.push(`${index}-${number}`);
        }
        return true;
      } catch {
        return false;
      } finally {
        caller.close();
      }
    };
    const lanes = Array.from({ length: 16 }, (_, index) => lane(index));
    await until(() => acknowledged.length > 100);
    process.kill(workersOf(server)[0]!, "SIGKILL");
    const before = acknowledged.length;
    await until(() => allServe(server, 3) && acknowledged.length > before + 100);
    isOver = true;
    const survivors = (await Promise.all(lanes)).filter(Boolean).length;
    expect(survivors).toBeGreaterThan(0);
    expect(survivors).toBeLessThan(16);
    expect(server.output).toMatch(/supervisor: a worker process ended, and is replaced pid=\d+ signal="SIGKILL"/);
    expect(workersOf(server)).toHaveLength(2);
    const [list] = await onManyConnections(
      server,
      (caller) => caller.demand("LIST", "secret/metadata", undefined, { token }),
      1,
    );
    const kept = new Set(list!.json.data.keys);
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
  });

  test("lets the requests of both finish on SIGTERM; then the port is free, and the exit code 0", async () => {
    const port = Number(new URL(server.url).port);
    const clients = await Promise.all(Array.from({ length: 6 }, () => RawClient.connect({ port })));
    const body = '{"data":{"a":"b"}}';
    const head = `Host: x\r\nX-Vault-Token: ${token}\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const [index, client] of clients.entries()) {
      await client.send(`POST /v1/secret/data/late-${index} HTTP/1.1\r\n${head}${body.slice(0, 5)}`);
    }
    // Answered after the halves, so those have arrived.
    await onManyConnections(server, (caller) => caller.call("GET", "sys/health"));
    server.signal("SIGTERM");
    await until(() => server.output.includes("stopping"));
    for (const client of clients) await client.send(body.slice(5));
    for (const client of clients) expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"version":1/);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.output.match(/stopping/g)).toHaveLength(1);
    await expect(server.caller().call("GET", "sys/health")).rejects.toThrow("ECONNREFUSED");
  });
});

describe("the files of a server with two workers", () => {
  let server: ServerProcess;
  let token = "";
  const file = (name: string) => join(folder, name);
  beforeAll(async () => {
    ({ server, token } = await ready("filed", {
      pid_file: file("pid"),
      log_file: file("server.log"),
      log_rotate_bytes: 100_000,
      log_requests_level: "info",
      audit: { file: { disk: { options: { file_path: file("audit.log") } } } },
    }));
  });
  afterAll(() => server.kill());

  test("SIGHUP reaches every worker, and is told once", async () => {
    const ask = () => onManyConnections(server, (caller) => caller.demand("GET", "sys/mounts", undefined, { token }));
    // Both have the file open.
    await ask();
    await rename(file("audit.log"), file("audit.old"));
    server.signal("SIGHUP");
    await until(() => server.output.includes("reloaded"));
    const before = await readFile(file("audit.old"), "utf8");
    await ask();
    expect(await readFile(file("audit.old"), "utf8")).toBe(before);
    expect((await readFile(file("audit.log"), "utf8")).match(/"path":"sys\/mounts"/g)).toHaveLength(16);
    expect(server.output.match(/reloaded/g)).toHaveLength(1);
  });

  test("the log is begun anew by the supervisor, and both workers follow", async () => {
    await writeFile(file("server.log"), "old\n".repeat(30_000), { flag: "a" });
    const log = () => readFile(file("server.log"), "utf8");
    await until(async () => !(await log()).includes("old\n"));
    const lines = async () => (await log()).match(/answered a request .*path="\/v1\/sys\/auth"/g)?.length ?? 0;
    // Some may still go to the old file, while the workers are being told.
    await until(async () => {
      const before = await lines();
      await onManyConnections(server, (caller) => caller.demand("GET", "sys/auth", undefined, { token }));
      return (await lines()) === before + 8;
    });
  });

  test("the process id is the supervisor's, and workers do not outlive it", async () => {
    expect(await readFile(file("pid"), "utf8")).toBe(`${server.pid}\n`);
    const workers = workersOf(server);
    expect(workers).toHaveLength(2);
    await server.kill();
    await until(() => !workers.some(isAlive));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
