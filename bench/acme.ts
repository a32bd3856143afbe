/**
 * Orders per second beside the plain `sign` rate, in the same run: `node bench/acme.ts`. 32 accounts, a solver that answers
 * at once (dns-01), P-256 everywhere, durable commits. Who asks runs in this process and shares the machine with the server.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { subjectAltName } from "../src/lib/x509/alternative-names.ts";
import { buildRequest } from "../src/lib/x509/certificate-request.ts";
import { publicKeyOf } from "../src/lib/x509/key.ts";
import { encodeSubject } from "../src/lib/x509/name.ts";
import { pemText } from "../src/lib/x509/pem.ts";
import { signerWith } from "../src/lib/x509/signature.ts";
import { DnsServer } from "../test/support/dns-server.ts";
import { ServerProcess, selfUnsealing } from "../test/support/server-process.ts";
import { processorSeconds } from "./process-usage.ts";
import { decimals, printTable, whole } from "./table.ts";

const accounts = 32;
const seconds = Number(process.env["SECONDS"] ?? 5);
const agent = new Agent({ keepAlive: true, maxSockets: accounts });
const texts = new Map<string, string>();
const certificateKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

interface Reply {
  readonly status: number;
  readonly nonce: string;
  readonly location: string;
  readonly text: string;
}

function call(method: string, url: string, body = "", headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, agent, headers }, (message) => {
      let text = "";
      message.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      message.on("end", () => {
        const { statusCode: status = 0, headers: got } = message;
        if (status >= 300) return reject(new Error(`${method} ${url}: ${status} ${text}`));
        resolve({ status, nonce: String(got["replay-nonce"]), location: got.location ?? "", text });
      });
    });
    sent.on("error", reject).end(body);
  });
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function requestFor(names: readonly string[]): Uint8Array {
  const publicKey = publicKeyOf(certificateKey).spki;
  const extensions = [subjectAltName({ dnsNames: [...names] })];
  return buildRequest({ subject: encodeSubject({}), publicKey, extensions }, signerWith(certificateKey));
}

class Account {
  readonly #base: string;
  readonly #key: KeyObject = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  readonly #jwk;
  readonly #thumbprint: string;
  #nonce = "";
  #kid = "";

  constructor(base: string) {
    this.#base = base;
    const { crv, kty, x, y } = this.#key.export({ format: "jwk" });
    this.#jwk = { crv, kty, x, y };
    this.#thumbprint = createHash("sha256").update(JSON.stringify(this.#jwk)).digest("base64url");
  }

  async register(): Promise<this> {
    this.#nonce = (await call("HEAD", `${this.#base}/new-nonce`)).nonce;
    this.#kid = (await this.#post(`${this.#base}/new-account`, {})).location;
    return this;
  }

  /** From the order to the certificate: five requests. */
  async order(name: string): Promise<void> {
    const order = JSON.parse(
      (await this.#post(`${this.#base}/new-order`, { identifiers: [{ type: "dns", value: name }] })).text,
    );
    const authorization = JSON.parse((await this.#post(order.authorizations[0])).text);
    const challenge = authorization.challenges.find(({ type }: { type: string }) => type === "dns-01");
    const proof = createHash("sha256").update(`${challenge.token}.${this.#thumbprint}`).digest("base64url");
    texts.set(`_acme-challenge.${name}`, proof);
    const proven = JSON.parse((await this.#post(challenge.url, {})).text);
    if (proven.status !== "valid") throw new Error(`the challenge is ${proven.status}`);
    texts.delete(`_acme-challenge.${name}`);
    const csr = Buffer.from(requestFor([name])).toString("base64url");
    const done = JSON.parse((await this.#post(order.finalize, { csr })).text);
    await this.#post(done.certificate);
  }

  async #post(url: string, payload?: object): Promise<Reply> {
    const signer = this.#kid === "" ? { jwk: this.#jwk } : { kid: this.#kid };
    const head = encoded({ alg: "ES256", nonce: this.#nonce, url, ...signer });
    const body = payload === undefined ? "" : encoded(payload);
    const signature = sign("sha256", Buffer.from(`${head}.${body}`), { key: this.#key, dsaEncoding: "ieee-p1363" });
    const jws = JSON.stringify({ protected: head, payload: body, signature: signature.toString("base64url") });
    const reply = await call("POST", url, jws, { "content-type": "application/jose+json" });
    this.#nonce = reply.nonce;
    return reply;
  }
}

async function measure(name: string, pid: number, lanes: readonly (() => Promise<void>)[]): Promise<string[]> {
  for (const lane of lanes) await lane();
  let done = 0;
  const latencies: number[] = [];
  const [start, cpu, own] = [performance.now(), processorSeconds([pid]) ?? Number.NaN, process.cpuUsage()];
  const run = async (lane: () => Promise<void>) => {
    while (performance.now() - start < seconds * 1000) {
      const begun = performance.now();
      await lane();
      latencies.push(performance.now() - begun);
      done++;
    }
  };
  await Promise.all(lanes.map(run));
  const elapsed = (performance.now() - start) / 1000;
  const used = (processorSeconds([pid]) ?? Number.NaN) - cpu;
  const { user, system } = process.cpuUsage(own);
  const sorted = latencies.toSorted((a, b) => a - b);
  return [
    name,
    whole(done / elapsed),
    decimals(sorted[Math.floor(sorted.length / 2)]!, 1),
    decimals(sorted[Math.floor(sorted.length * 0.99)]!, 1),
    decimals((used * 1000) / done),
    `${whole(((user + system) / 1e6 / elapsed) * 100)} %`,
  ];
}

const folder = await mkdtemp(join(tmpdir(), "strongroom-acme-bench-"));
const names = new DnsServer((name) => [texts.get(name) ?? []].flat(), "127.0.0.1");
const dns_resolver = await names.start();
const server = await ServerProcess.start(selfUnsealing({ lmdb: { path: folder } }));
try {
  const caller = server.caller();
  caller.token = (await caller.demand("POST", "sys/init", {})).json.root_token;
  await caller.demand("POST", "sys/mounts/pki", { type: "pki" });
  await caller.demand("POST", "pki/root/generate/internal", { common_name: "Bench", key_type: "ec", ttl: "8760h" });
  await caller.demand("POST", "pki/config/cluster", { path: `${server.url}/v1/pki` });
  await caller.demand("POST", "pki/config/acme", { enabled: true, dns_resolver, order_limit: 0 });
  await caller.demand("POST", "pki/roles/any", {
    allow_any_name: true,
    ttl: "1h",
    enforce_hostnames: false,
    key_type: "any",
    require_cn: false,
  });
  const { token } = caller;
  let unique = 0;
  const csr = JSON.stringify({
    csr: pemText("CERTIFICATE REQUEST", requestFor(["bench.test"])),
    common_name: "bench.test",
  });
  const plain = async () => void (await call("POST", `${server.url}/v1/pki/sign/any`, csr, { "x-vault-token": token }));
  const clients = await Promise.all(
    Array.from({ length: accounts }, () => new Account(`${server.url}/v1/pki/acme`).register()),
  );
  const rows = [
    await measure(
      "sign, plain",
      server.pid,
      Array.from({ length: accounts }, () => plain),
    ),
    await measure(
      "ACME order, five requests",
      server.pid,
      clients.map((client) => () => client.order(`n${unique++}.test`)),
    ),
  ];
  const heads = ["what", "per second", "p50 ms", "p99 ms", "server CPU ms each", "asker"];
  printTable(`${accounts} at once, one server process, LMDB`, heads, rows);
  caller.close();
} finally {
  await server.stop();
  names.stop();
  agent.destroy();
  await rm(folder, { recursive: true, force: true });
}
