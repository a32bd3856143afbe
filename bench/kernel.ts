/** What a request costs without sockets: the handler of HTTP requests over a whole core, called in a loop. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LmdbStore } from "../src/core/storage/lmdb.ts";
import { httpHandler } from "../src/http/handler.ts";
import type { HttpRequest } from "../src/http/server.ts";
import { engines } from "../test/support/engines.ts";
import { KernelCaller } from "../test/support/kernel-caller.ts";
import { decimals, median, printTable } from "./table.ts";

const isQuick = process.argv.includes("--quick");
const inFlight = 32;

const folder = mkdtempSync(join(tmpdir(), "strongroom-bench-kernel-"));
const store = await LmdbStore.open(folder);
const server = await new KernelCaller(engines, store).initialize();
await server.kernel.stop();
await server.call("write", "sys/mounts/secret", { type: "kv-v2" });
const policy = 'path "secret/*" { capabilities = ["create", "update", "read", "list"] }';
await server.call("write", "sys/policies/acl/bench", { policy });
const { auth } = await server.call("write", "auth/token/create", { policies: ["bench"] });
const token: string = auth.client_token;
for (let number = 0; number < 1000; number++) await server.call("write", `secret/data/${number}`, { data: { number } });

const handle = httpHandler({
  kernel: server.kernel,
  now: () => Date.UTC(2030, 0, 1),
  limits: { depth: 300, strings: 1000 },
  onUnexpected: (error) => {
    throw error;
  },
});

const secret = Buffer.from('{"data":{"username":"application","password":"correct horse battery staple"}}');

function request(method: string, rawPath: string, query = "", body?: Buffer): HttpRequest {
  const rawHeaders = ["Host", "localhost", "X-Vault-Token", token];
  const values = [token];
  return {
    id: randomUUID(),
    method,
    rawPath,
    query,
    rawHeaders,
    header: (name) => (name === "x-vault-token" ? token : undefined),
    headerValues: (name) => (name === "x-vault-token" ? values : []),
    body: async () => body ?? Buffer.alloc(0),
    remoteAddress: "127.0.0.1",
    remotePort: 1,
    localAddress: "127.0.0.1",
    secure: false,
    clientCertificates: [],
    clientVerified: false,
    signal: new AbortController().signal,
  };
}

let unique = 0;
const works: Readonly<Record<string, () => HttpRequest>> = {
  "sys/health": () => request("GET", "/v1/sys/health"),
  "token lookup-self": () => request("GET", "/v1/auth/token/lookup-self"),
  "KV v2 read": () => request("GET", `/v1/secret/data/${unique++ % 1000}`),
  "KV v2 write": () => request("POST", `/v1/secret/data/new/${unique++}`, "", secret),
  "page of 100": () => request("GET", "/v1/secret/metadata", "list=true&limit=100"),
};

/** Microseconds of processor time for each, all threads of this process together. */
async function cost(make: () => HttpRequest, milliseconds: number): Promise<number> {
  const before = process.cpuUsage();
  const start = performance.now();
  let done = 0;
  const lane = async () => {
    while (performance.now() - start < milliseconds) {
      const { status } = await handle(make());
      if (status >= 300) throw new Error(`it was answered with ${status}`);
      done++;
      // As sockets do it: requests arrive one after the other, not in the moment in which one commit answered many.
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / done;
}

const only = process.argv.slice(2).find((each) => !each.startsWith("-"));
const chosen = Object.entries(works).filter(([name]) => only === undefined || name.includes(only));
const found = new Map(chosen.map(([name]) => [name, [] as number[]]));
const rounds = isQuick ? 1 : 40;
for (let round = 0; round <= rounds; round++) {
  for (const [name, make] of chosen) {
    const microseconds = await cost(make, isQuick ? 50 : 120);
    // The first round is for the compiler.
    if (round > 0) found.get(name)!.push(microseconds);
  }
}
printTable(
  "From an HTTP request to its answer, without sockets",
  ["what", "CPU µs each", "at the best of times"],
  // What else the machine does can only add to it: so the least is the truest.
  [...found].map(([name, all]) => [name, decimals(median(all), 1), decimals(Math.min(...all), 1)]),
);
await store.close();
rmSync(folder, { recursive: true, force: true });
