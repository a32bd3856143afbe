/** A server that is killed while it validates or finalizes leaves orders that the client can finish. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as acme from "acme-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DnsServer } from "../support/dns-server.ts";
import { type ServerOptions, ServerProcess, selfUnsealing } from "../support/server-process.ts";

const folder = mkdtempSync(join(tmpdir(), "acme-kill-"));
const texts = new Map<string, string>();
const names = new DnsServer((name) => [texts.get(name) ?? []].flat(), "127.0.0.1");
let options: ServerOptions;
let server: ServerProcess;

/** Clients keep URLs, so the next process must be found where the last one was. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

beforeAll(async () => {
  const dns_resolver = await names.start();
  const address = `127.0.0.1:${await freePort()}`;
  options = selfUnsealing({ lmdb: { path: folder } }, { tcp: { address, tls_disable: true } });
  server = await ServerProcess.start(options);
  const caller = server.caller();
  caller.token = (await caller.demand("POST", "sys/init", {})).json.root_token;
  await caller.demand("POST", "sys/mounts/pki", { type: "pki" });
  await caller.demand("POST", "pki/root/generate/internal", { common_name: "Test Root", key_type: "ec" });
  await caller.demand("POST", "pki/config/cluster", { path: `http://${address}/v1/pki` });
  await caller.demand("POST", "pki/config/acme", { enabled: true, dns_resolver });
  caller.close();
});
afterAll(async () => {
  await server.kill();
  names.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  await server.kill();
  server = await ServerProcess.start(options);
}

async function newClient(): Promise<acme.Client> {
  const client = new acme.Client({
    directoryUrl: `${server.url}/v1/pki/acme/directory`,
    accountKey: await acme.crypto.createPrivateEcdsaKey(),
    backoffAttempts: 60,
    backoffMin: 500,
    backoffMax: 1000,
  });
  await client.createAccount({ termsOfServiceAgreed: true });
  return client;
}

async function answered(client: acme.Client, name: string) {
  const order = await client.createOrder({ identifiers: [{ type: "dns", value: name }] });
  const [authorization] = await client.getAuthorizations(order);
  const challenge = authorization!.challenges.find(({ type }) => type === "dns-01")!;
  texts.set(`_acme-challenge.${name}`, await client.getChallengeKeyAuthorization(challenge));
  return { order, challenge, first: await client.completeChallenge(challenge) };
}

test("in the middle of a validation", async () => {
  const client = await newClient();
  names.isSilent = true;
  const { order, challenge, first } = await answered(client, "validated.test");
  expect(first.status).toBe("processing");
  await restart();
  names.isSilent = false;
  await client.waitForValidStatus(challenge);
  const [, csr] = await acme.crypto.createCsr({ commonName: "validated.test" });
  const done = await client.finalizeOrder(await client.getOrder(order), csr);
  expect(await client.getCertificate(done)).toContain("BEGIN CERTIFICATE");
});

test("in the middle of a finalization, at any moment", async () => {
  const client = await newClient();
  for (const milliseconds of [0, 2, 5, 10, 20]) {
    const name = `finalized-${milliseconds}.test`;
    const { order, first } = await answered(client, name);
    expect(first.status).toBe("valid");
    const [, csr] = await acme.crypto.createCsr({ commonName: name });
    const outcome = client.finalizeOrder(await client.getOrder(order), csr).catch(() => undefined);
    await new Promise((later) => setTimeout(later, milliseconds));
    await restart();
    await outcome;
    const left = await client.getOrder(order);
    expect(["ready", "valid"]).toContain(left.status);
    const done = await client.finalizeOrder(left, csr);
    expect(done.status).toBe("valid");
    expect(await client.getCertificate(done)).toContain("BEGIN CERTIFICATE");
  }
});
