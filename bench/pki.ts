/** `node bench/pki.ts`: what certificates, OCSP answers and CRLs cost, beside the bare cryptography, in the same run. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { HttpCaller } from "../test/support/http-caller.ts";
import { ServerProcess, selfUnsealing } from "../test/support/server-process.ts";
import type { BareWork } from "./bare-crypto.ts";
import { HelperProcess } from "./helper-process.ts";
import { measureAll, type Rounds, type Scenario } from "./scenario.ts";
import { decimals, median, printTable, whole } from "./table.ts";

const isQuick = process.argv.includes("--quick");
const connections = 32;
const revoked = isQuick ? 5 : 1000;
const rounds: Rounds = isQuick
  ? { count: 1, milliseconds: 100, warmUp: 50 }
  : { count: 5, milliseconds: 600, warmUp: 100 };
/** By number, not by time: on a busy machine what is hot would otherwise not be compiled before it counts. */
const warmUpRequests = isQuick ? 10 : 4000;
/** An RSA key takes long enough to make a short round a matter of luck. */
const rsaRounds: Rounds = isQuick
  ? { count: 1, milliseconds: 300, warmUp: 50 }
  : { count: 3, milliseconds: 4000, warmUp: 500 };

const folder = mkdtempSync(join(tmpdir(), "strongroom-bench-pki-"));
const server = await ServerProcess.start(selfUnsealing({ lmdb: { path: join(folder, "store") } }));
const port = Number(new URL(server.url).port);
const caller = server.caller();
caller.token = (await caller.demand("POST", "sys/init", {})).json.root_token;

const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });

interface Prepared {
  readonly csr: string;
  /** For the path of a GET. */
  readonly ocspRequest: string;
}

/** A root and an intermediate on P-256, roles, and some certificates that were revoked. */
async function prepare(client: HttpCaller): Promise<Prepared> {
  for (const path of ["root", "pki"]) {
    await client.demand("POST", `sys/mounts/${path}`, { type: "pki", config: { max_lease_ttl: "87600h" } });
  }
  await client.demand("POST", "root/root/generate/internal", { common_name: "Root", key_type: "ec", ttl: "87600h" });
  const asked = await client.demand("POST", "pki/intermediate/generate/internal", {
    common_name: "CA",
    key_type: "ec",
  });
  const { csr } = asked.json.data;
  const signed = await client.demand("POST", "root/root/sign-intermediate", { csr, common_name: "CA", ttl: "43800h" });
  const { certificate } = signed.json.data;
  await client.demand("POST", "pki/intermediate/set-signed", { certificate });
  const base = "http://ca.example.com/v1/pki";
  await client.demand("POST", "pki/config/urls", {
    issuing_certificates: [`${base}/ca`],
    crl_distribution_points: [`${base}/crl`],
    ocsp_servers: [`${base}/ocsp`],
  });
  const role = { allowed_domains: ["example.com"], allow_subdomains: true, ttl: "24h" };
  for (const key_type of ["ec", "ed25519", "rsa"]) {
    await client.demand("POST", `pki/roles/${key_type}`, { ...role, key_type });
    await client.demand("POST", `pki/roles/${key_type}-unstored`, { ...role, key_type, no_store: true });
  }
  const leaf = await revokeSome(client);
  writeFileSync(join(folder, "ca.pem"), certificate);
  writeFileSync(join(folder, "leaf.pem"), leaf);
  openssl("ocsp", "-issuer", "ca.pem", "-cert", "leaf.pem", "-reqout", "request.der", "-no_nonce");
  const ocsp = openssl("base64", "-A", "-in", "request.der").toString().trim();
  const names = ["-subj", "/CN=www.example.com", "-addext", "subjectAltName=DNS:www.example.com"];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "leaf.key"];
  openssl("req", "-new", ...key, ...names, "-out", "leaf.csr");
  return { csr: openssl("req", "-in", "leaf.csr").toString(), ocspRequest: encodeURIComponent(ocsp) };
}

/** Gives a certificate that was not. */
async function revokeSome(client: HttpCaller): Promise<string> {
  await client.demand("POST", "pki/config/crl", { auto_rebuild: true });
  for (let count = 0; ; count++) {
    const { data } = (await client.demand("POST", "pki/issue/ec", { common_name: "old.example.com" })).json;
    if (count === revoked) {
      await client.demand("GET", "pki/crl/rotate");
      return data.certificate;
    }
    await client.demand("POST", "pki/revoke", { serial_number: data.serial_number });
  }
}

const generator = new HelperProcess("load.ts");
const crypto = new HelperProcess("bare-crypto.ts");

const bare = (name: string, work: BareWork): Scenario => ({
  name,
  by: crypto,
  pids: [crypto.pid],
  // The helper that signs takes another kind of task than those that send requests.
  task: { work } as never,
});

const requests = (name: string, load: { path: string; body?: object }, against?: string): Scenario => ({
  name,
  by: generator,
  pids: [server.pid],
  ...(against !== undefined && { against }),
  task: {
    ports: [port],
    connections,
    path: `/v1/pki/${load.path}`,
    ...(load.body ? { method: "POST", body: JSON.stringify(load.body), token: caller.token } : { method: "GET" }),
  },
});

const { csr, ocspRequest } = await prepare(caller);
const asked = { common_name: "www.example.com" };
const [signing, making] = ["bare crypto.sign, P-256", "bare generateKeyPair, P-256"];
const scenarios: Scenario[] = [
  bare(signing, "sign"),
  bare("bare crypto.verify, P-256", "verify"),
  requests("sign a P-256 request, not stored", { path: "sign/ec-unstored", body: { csr } }, signing),
  requests("sign a P-256 request, stored", { path: "sign/ec", body: { csr } }, signing),
  bare(making, "P-256 key"),
  requests("issue, P-256, not stored", { path: "issue/ec-unstored", body: asked }, signing),
  requests("issue, P-256, stored", { path: "issue/ec", body: asked }, signing),
  requests("issue, Ed25519, stored", { path: "issue/ed25519", body: asked }, signing),
  requests("OCSP", { path: `ocsp/${ocspRequest}` }, signing),
  requests(`CRL of ${whole(revoked)}`, { path: "crl" }),
];
const bareRsa = "bare generateKeyPair, RSA-2048";
const rsaScenarios: Scenario[] = [
  bare(bareRsa, "RSA-2048 key"),
  requests("issue, RSA-2048, no key ready", { path: "issue/rsa", body: asked }, bareRsa),
];

async function report(title: string, all: readonly Scenario[], how: Rounds): Promise<void> {
  const results = await measureAll(all, how);
  printTable(
    title,
    ["work", "per second", "p50 ms", "p99 ms", "µs of processor", "of the bare rate per core"],
    all.map(({ name, against }) => {
      const { perSecond, p50, p99, cost } = results.get(name)!;
      const share = against === undefined ? "" : decimals(results.get(against)!.cost / cost);
      return [name, whole(perSecond), decimals(p50), decimals(p99), decimals(cost, 0), share];
    }),
  );
}

/** As somebody meets it who asks now and then. */
async function reportCalm(): Promise<void> {
  const latencies: number[] = [];
  for (let count = 0; count < (isQuick ? 2 : 20); count++) {
    await setTimeout(isQuick ? 10 : 700);
    const began = performance.now();
    await caller.demand("POST", "pki/issue/rsa", asked);
    latencies.push(performance.now() - began);
  }
  const row = ["issue, RSA-2048, keys ready", decimals(median(latencies)), decimals(Math.max(...latencies))];
  printTable("One request now and then", ["work", "p50 ms", "most ms"], [row]);
}

for (const { task, by } of scenarios) if (by === generator) await by.measure({ ...task, requests: warmUpRequests });
await report(`Certificates, ${connections} connections, durable store, one process`, scenarios, rounds);
await report("RSA keys", rsaScenarios, rsaRounds);
await reportCalm();

await generator.end();
await crypto.end();
await server.stop();
rmSync(folder, { recursive: true });
