/** acme-client, from npm, gets certificates of a real server: by dns-01, with bindings, another key, renewal and revocation. */
import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as acme from "acme-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DnsServer, recordsIn } from "../support/dns-server.ts";
import type { HttpCaller } from "../support/http-caller.ts";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "acme-records-"));
const names = new DnsServer(recordsIn(folder), "127.0.0.1");
let server: ServerProcess;
let caller: HttpCaller;

beforeAll(async () => {
  const dns_resolver = await names.start();
  server = await developmentServer();
  caller = server.caller("root");
  await caller.demand("POST", "sys/mounts/pki", { type: "pki" });
  const root = { common_name: "Test Root", key_type: "ec", ttl: "8760h" };
  await caller.demand("POST", "pki/root/generate/internal", root);
  await caller.demand("POST", "pki/config/cluster", { path: `${server.url}/v1/pki` });
  await caller.demand("POST", "pki/config/acme", { enabled: true, dns_resolver });
  const role = { allowed_domains: "web.test", allow_subdomains: true, key_type: "any", ttl: "72h", client_flag: true };
  await caller.demand("POST", "pki/roles/web", role);
});

afterAll(async () => {
  await server.stop();
  names.stop();
  rmSync(folder, { recursive: true });
});

interface ClientOptions {
  readonly directory?: string;
  readonly key?: acme.PrivateKeyBuffer;
  readonly binding?: { kid: string; hmacKey: string };
}

async function clientOf({ directory = "acme", key, binding }: ClientOptions = {}): Promise<acme.Client> {
  return new acme.Client({
    directoryUrl: `${server.url}/v1/pki/${directory}/directory`,
    accountKey: key ?? (await acme.crypto.createPrivateEcdsaKey()),
    ...(binding && { externalAccountBinding: binding }),
  });
}

const challenges = {
  email: "ops@web.test",
  termsOfServiceAgreed: true,
  challengePriority: ["dns-01"],
  skipChallengeVerification: true,
  async challengeCreateFn({ identifier }: acme.Authorization, _: unknown, value: string) {
    writeFileSync(join(folder, `_acme-challenge.${identifier.value}`), `${value}\n`, { flag: "a" });
  },
  async challengeRemoveFn({ identifier }: acme.Authorization) {
    rmSync(join(folder, `_acme-challenge.${identifier.value}`), { force: true });
  },
};

async function certificateFor(client: acme.Client, altNames: string[]) {
  const [, csr] = await acme.crypto.createCsr({ altNames });
  const chain = await client.auto({ csr, ...challenges });
  const [leaf, issuer] = acme.crypto.splitPemChain(chain).map((pem) => new X509Certificate(pem));
  return { chain, leaf: leaf!, issuer: issuer! };
}

test("names and a wildcard, signed by the root, for servers", async () => {
  const { leaf, issuer } = await certificateFor(await clientOf(), ["a.test", "*.a.test"]);
  expect(leaf.subjectAltName).toBe("DNS:a.test, DNS:*.a.test");
  expect(issuer.subject).toBe("CN=Test Root");
  expect(leaf.verify(issuer.publicKey)).toBe(true);
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
});

test("a role decides about names, lifetime and usages", async () => {
  const client = await clientOf({ directory: "roles/web/acme" });
  const { leaf } = await certificateFor(client, ["www.web.test"]);
  const hours = (Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / 3_600_000;
  expect(Math.round(hours)).toBe(72);
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  await expect(certificateFor(client, ["www.other.test"])).rejects.toThrow(/not allowed/);
});

test("renewal, another key, and revocation", async () => {
  const client = await clientOf();
  const first = await certificateFor(client, ["renewed.test"]);
  await client.updateAccountKey(await acme.crypto.createPrivateRsaKey());
  const second = await certificateFor(client, ["renewed.test"]);
  expect(second.leaf.serialNumber).not.toBe(first.leaf.serialNumber);
  await client.revokeCertificate(acme.crypto.splitPemChain(second.chain)[0]!, { reason: 4 });
  await expect(client.revokeCertificate(acme.crypto.splitPemChain(second.chain)[0]!)).rejects.toThrow(/revoked before/);
  const crl = await caller.call("GET", "pki/certs/revoked?list=true");
  const serial = second.leaf.serialNumber.toLowerCase().match(/../g)!.join(":");
  expect(crl.json.data.keys).toContain(serial);
});

test("a binding, where one is required", async () => {
  await caller.demand("POST", "pki/config/acme", { eab_policy: "new-account-required" });
  try {
    await expect(certificateFor(await clientOf(), ["bound.test"])).rejects.toThrow(/external account binding/);
    const { json } = await caller.demand("POST", "pki/acme/new-eab", {});
    const client = await clientOf({ binding: { kid: json.data.id, hmacKey: json.data.key } });
    const { leaf } = await certificateFor(client, ["bound.test"]);
    expect(leaf.subjectAltName).toBe("DNS:bound.test");
  } finally {
    await caller.demand("POST", "pki/config/acme", { eab_policy: "not-required" });
  }
});

test("operators see accounts and orders on the command line", async () => {
  await certificateFor(await clientOf(), ["seen.test"]);
  const env = { ...process.env, STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: "root", NODE_NO_WARNINGS: "1" };
  const program = join(import.meta.dirname, "../../src/cli/main.ts");
  const shown = async (what: string) => (await run(process.execPath, [program, "pki", "acme", what], { env })).stdout;
  expect(await shown("accounts")).toContain("mailto:ops@web.test");
  expect(await shown("orders")).toMatch(/valid +(\[)?dns:seen\.test/);
});
