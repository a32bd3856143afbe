import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AcmeCaller, csrFor, newKey } from "../../../../test/support/acme-caller.ts";
import { dns, prove } from "../../../../test/support/acme-server.ts";
import { AcmeSolver } from "../../../../test/support/acme-solver.ts";
import { KernelCaller } from "../../../../test/support/kernel-caller.ts";
import { subjectAltName } from "../../../lib/x509/alternative-names.ts";
import { parseCertificate } from "../../../lib/x509/certificate.ts";
import { buildRequest } from "../../../lib/x509/certificate-request.ts";
import { publicKeyOf } from "../../../lib/x509/key.ts";
import { encodeSubject } from "../../../lib/x509/name.ts";
import { signerWith } from "../../../lib/x509/signature.ts";
import { pki } from "../engine.ts";

/** ACME over the whole engine: what issuers and roles make of an order. */

const clusterPath = "https://ca.test/v1/pki";
let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
});
afterAll(() => solver.stop());

async function authority(settings: object = {}): Promise<KernelCaller> {
  const server = await new KernelCaller([pki], undefined, undefined, { network: solver.network }).initialize();
  await server.call("write", "sys/mounts/pki", { type: "pki" });
  const generate = (common_name: string, issuer_name: string) =>
    server.call("write", "pki/root/generate/internal", { common_name, issuer_name, key_type: "ec", ttl: "87600h" });
  await generate("First", "first");
  await generate("Second", "second");
  await server.call("write", "pki/config/cluster", { path: `${clusterPath}/` });
  const role = { allowed_domains: "web.test", allow_subdomains: true, key_type: "ec", ttl: "72h", no_store: false };
  await server.call("write", "pki/roles/web", {
    ...role,
    issuer_ref: "second",
    organization: "Example",
    client_flag: true,
    ext_key_usage: ["EmailProtection"],
  });
  await server.call("write", "pki/roles/long", { ...role, ttl: "8000h", max_ttl: "8000h", require_cn: false });
  await server.call("write", "pki/roles/transient", { ...role, no_store: true });
  await server.call("write", "pki/config/acme", { enabled: true, ...settings });
  return server;
}

async function ordered(server: KernelCaller, directory: string, names: string[], csr = csrFor({ dns: names })) {
  const acme = await new AcmeCaller(server, clusterPath, directory).register();
  const order = await acme.post("new-order", dns(...names));
  expect(order.status, JSON.stringify(order.body)).toBe(201);
  await prove(acme, order.body.authorizations, solver);
  const done = await acme.post(order.body.finalize, { csr });
  return { acme, done };
}

async function issued(server: KernelCaller, directory: string, names: string[], csr?: string) {
  const { acme, done } = await ordered(server, directory, names, csr);
  expect(done.body.status, JSON.stringify(done.body)).toBe("valid");
  const chain = String((await acme.post(done.body.certificate)).body);
  const [leaf, ...issuers] = chain
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((pem) => pem.trim() !== "")
    .map((pem) => new X509Certificate(pem));
  return { acme, done, leaf: leaf!, issuers };
}

const serverAuth = "1.3.6.1.5.5.7.3.1";
const clientAuth = "1.3.6.1.5.5.7.3.2";

describe("the six directories", () => {
  test.each([
    ["acme", {}, "CN=First", undefined],
    ["acme", { default_directory_policy: "role:web" }, "CN=Second", "Example"],
    ["issuer/second/acme", {}, "CN=Second", undefined],
    ["issuer/first/acme", { default_directory_policy: "role:web" }, "CN=First", "Example"],
    ["roles/web/acme", { default_directory_policy: "forbid", allowed_issuers: "first" }, "CN=Second", "Example"],
    ["issuer/first/roles/web/acme", { default_directory_policy: "forbid" }, "CN=First", "Example"],
  ])("%s with %j: issuer %s", async (directory, settings, issuer, organization) => {
    const server = await authority(settings);
    const { leaf, issuers } = await issued(server, directory, ["www.web.test"]);
    expect(leaf.issuer).toBe(issuer);
    expect(leaf.verify(issuers[0]!.publicKey)).toBe(true);
    expect(leaf.subjectAltName).toBe("DNS:www.web.test");
    expect(leaf.subject?.includes("O=Example") ?? false).toBe(organization !== undefined);
    expect(leaf.keyUsage).toEqual([serverAuth]);
  });
});

describe("a certificate", () => {
  test("has the role's extended key usages where that is allowed", async () => {
    const server = await authority({ allow_role_ext_key_usage: true });
    const { leaf } = await issued(server, "roles/web/acme", ["www.web.test"]);
    expect(leaf.keyUsage).toContain(clientAuth);
  });

  test("lives as the role says, and never longer than ninety days", async () => {
    const server = await authority();
    const days = ({ validFrom, validTo }: X509Certificate) =>
      Math.round((Date.parse(validTo) - Date.parse(validFrom)) / 86_400_000);
    expect(days((await issued(server, "roles/web/acme", ["a.web.test"])).leaf)).toBe(3);
    expect(days((await issued(server, "roles/long/acme", ["a.web.test"])).leaf)).toBeLessThanOrEqual(90);
  });

  test("takes names from its request, and nothing else", async () => {
    const server = await authority();
    const key = newKey();
    const subject = encodeSubject({
      commonName: "a.test",
      organization: ["Evil"],
      serialNumber: "7",
      userIds: ["root"],
    });
    const extensions = [subjectAltName({ dnsNames: ["a.test"] })];
    const der = buildRequest({ subject, publicKey: publicKeyOf(key).spki, extensions }, signerWith(key));
    const { leaf } = await issued(server, "acme", ["a.test"], Buffer.from(der).toString("base64url"));
    expect(leaf.subject).toBe("CN=a.test");
  });

  test("is for keys that the role allows", async () => {
    const server = await authority();
    const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength }).privateKey;
    const refusal = async (directory: string, key = rsa(2048)) =>
      (await ordered(server, directory, ["a.web.test"], csrFor({ dns: ["a.web.test"] }, key))).done.body;
    expect(await refusal("roles/web/acme")).toMatchObject({ type: "urn:ietf:params:acme:error:badCSR" });
    expect(await refusal("acme")).toMatchObject({ status: "valid" });
    expect(await refusal("acme", rsa(1024))).toMatchObject({ type: "urn:ietf:params:acme:error:badCSR" });
  });

  test("is kept, found and revoked like any other", async () => {
    const server = await authority();
    const { acme, leaf } = await issued(server, "acme", ["a.test"]);
    const serial = leaf.serialNumber.toLowerCase().match(/../g)!.join(":");
    expect((await server.call("list", "pki/certs")).data.keys).toContain(serial);
    const answer = await acme.post("revoke-cert", { certificate: leaf.raw.toString("base64url"), reason: 1 });
    expect(answer).toMatchObject({ status: 200, body: "" });
    expect((await server.call("read", `pki/cert/${serial}`)).data.revocation_time).toBeGreaterThan(0);
    const again = await acme.post("revoke-cert", { certificate: leaf.raw.toString("base64url") });
    expect(again.body.type).toBe("urn:ietf:params:acme:error:alreadyRevoked");
  });

  test("that was revoked elsewhere should be renewed at once", async () => {
    const server = await authority();
    const { acme, leaf } = await issued(server, "acme", ["a.test"]);
    const serial = leaf.serialNumber.toLowerCase().match(/../g)!.join(":");
    await server.call("write", "pki/revoke", { serial_number: serial });
    const { extensions } = parseCertificate(leaf.raw);
    const bytes = Buffer.from(leaf.serialNumber, "hex");
    const id = `${Buffer.from(extensions.authorityKeyId!).toString("base64url")}.${bytes.toString("base64url")}`;
    const { body } = await acme.get(`renewal-info/${id}`);
    expect(Date.parse(body.suggestedWindow.end)).toBeLessThan(server.now);
  });
});

describe("refusals", () => {
  test("of names that the role does not allow come with the order", async () => {
    const server = await authority();
    const acme = await new AcmeCaller(server, clusterPath, "roles/web/acme").register();
    expect((await acme.post("new-order", dns("www.other.test"))).body).toMatchObject({
      type: "urn:ietf:params:acme:error:rejectedIdentifier",
      detail: expect.stringContaining("not allowed by this role"),
    });
  });

  test("of roles that keep nothing, and of issuers without a key", async () => {
    const server = await authority();
    const status = async (directory: string) =>
      (await new AcmeCaller(server, clusterPath, directory).get("directory")).status;
    expect(await status("roles/transient/acme")).toBe(403);
    const { data } = await server.call("read", "pki/issuer/second");
    await server.call("write", "pki/issuer/second", { ...data, usage: "read-only,crl-signing" });
    expect(await status("issuer/second/acme")).toBe(403);
    expect(await status("issuer/first/acme")).toBe(200);
  });

  test("of orders where nobody could sign them, though the directory is there", async () => {
    const server = await new KernelCaller([pki]).initialize();
    await server.call("write", "sys/mounts/pki", { type: "pki" });
    await server.call("write", "pki/config/cluster", { path: clusterPath });
    await server.call("write", "pki/config/acme", { enabled: true });
    const acme = new AcmeCaller(server, clusterPath);
    expect(await acme.get("directory")).toMatchObject({ status: 200 });
    await acme.register();
    expect(await acme.post("new-order", dns("a.test"))).toMatchObject({ status: 403 });
  });

  test("of settings before the cluster's path is known", async () => {
    const server = await new KernelCaller([pki]).initialize();
    await server.call("write", "sys/mounts/pki", { type: "pki" });
    await expect(server.call("write", "pki/config/acme", { enabled: true })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("requires local cluster 'path'"),
    });
  });
});

test("tidying the mount takes old orders along", async () => {
  const server = await authority();
  await issued(server, "roles/web/acme", ["a.web.test"]);
  const orders = async () => (await server.call("list", "pki/acme/mgmt/orders")).data.keys;
  expect(await orders()).toHaveLength(1);
  server.passSeconds(30 * 86_400);
  await server.call("write", "pki/tidy", { tidy_acme: true, safety_buffer: "1h", acme_account_safety_buffer: "1h" });
  await expect
    .poll(async () => (await server.call("read", "pki/tidy-status")).data, { timeout: 10_000 })
    .toMatchObject({ state: "Finished", acme_orders_deleted_count: 1, acme_account_revoked_count: 1 });
  expect(await orders()).toEqual([]);
});

test("a cross-signed issuer offers both ways up", async () => {
  const server = await authority();
  const { data: made } = await server.call("write", "pki/intermediate/generate/internal", {
    common_name: "Between",
    key_type: "ec",
  });
  for (const issuer of ["first", "second"]) {
    const signed = await server.call("write", `pki/issuer/${issuer}/sign-intermediate`, {
      csr: made.csr,
      common_name: "Between",
      ttl: "8000h",
    });
    await server.call("write", "pki/issuers/import/cert", { pem_bundle: signed.data.certificate });
  }
  const { data: list } = await server.call("list", "pki/issuers");
  const between = [];
  for (const id of list.keys) {
    const { data } = await server.call("read", `pki/issuer/${id}`);
    if (new X509Certificate(data.certificate).subject === "CN=Between") between.push(id);
  }
  expect(between).toHaveLength(2);
  const { acme, done, issuers } = await issued(server, `issuer/${between[0]}/acme`, ["a.test"]);
  const answer = await acme.post(done.body.certificate);
  const [, alternate] = /<([^>]+)>;rel="alternate"/.exec(String(answer.headers["link"]))!;
  const other = String((await acme.post(alternate!)).body);
  const roots = [issuers.at(-1)!.subject, new X509Certificate(other.split(/(?=-----BEGIN)/).at(-1)!).subject];
  expect(roots.sort()).toEqual(["CN=First", "CN=Second"]);
});
