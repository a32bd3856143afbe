/** Keys and certificates in place of passwords, with a database that takes them all. */
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KernelCaller } from "../../../test/support/kernel-caller.ts";
import { makeAuthority, makeLeaf } from "../../../test/support/x509-authority.ts";
import { text } from "../../api/fields.ts";
import { pemText } from "../../lib/x509/pem.ts";
import { privateKeyPem } from "../../lib/x509/private-key.ts";
import { databaseEngine } from "./engine.ts";
import { type DatabaseCredential, databasePlugin } from "./plugin.ts";

const told = new Map<string, DatabaseCredential>();

const anyDatabase = databasePlugin({
  name: "any-database-plugin",
  version: "v1.0.0",
  credentialTypes: ["password", "rsa_private_key", "client_certificate"],
  rootSecret: "password",
  longestUsername: 100,
  settings: { username: text("Root user").default("") },
  usernameTemplate: "user-{{.DisplayName}}-{{.RoleName}}-{{random 4}}",
  open: () => ({
    width: 2,
    verify: async () => undefined,
    createUser: async ({ username, credential }) => void told.set(username, credential),
    changeCredential: async ({ username, credential }) => void told.set(username, credential),
    deleteUser: async ({ username }) => void told.delete(username),
    close: async () => undefined,
  }),
});

let server: KernelCaller;
let ca: { cert: string; key: string; leaf: string };

beforeAll(async () => {
  const authority = await makeAuthority({ type: "ec", bits: 256 });
  ca = {
    cert: pemText("CERTIFICATE", authority.certificate.der),
    key: privateKeyPem(authority.key, "pkcs8"),
    leaf: pemText("CERTIFICATE", makeLeaf(authority)),
  };
});

beforeEach(async () => {
  told.clear();
  server = await new KernelCaller([databaseEngine([anyDatabase])]).initialize();
  await server.kernel.stop();
  await server.call("write", "sys/mounts/database", { type: "database" });
  await server.call("write", "database/config/any", { plugin_name: "any-database-plugin", allowed_roles: "*" });
  return () => server.kernel.stop();
});

const write = (settings: object) =>
  server.call("write", "database/roles/app", { db_name: "any", default_ttl: 3600, ...settings });
const make = async () => (await server.call("read", "database/creds/app")).data.data;

describe("RSA keys", () => {
  it.each([
    [{}, 2048, { key_bits: 2048, format: "pkcs8" }],
    [{ key_bits: "3072", format: "PKCS8" }, 3072, { key_bits: 3072, format: "pkcs8" }],
  ])("are made as %j asks", async (credential_config, bits, shown) => {
    await write({ credential_type: "rsa_private_key", credential_config });
    expect((await server.call("read", "database/roles/app")).data).toMatchObject({ credential_config: shown });
    const data = await make();
    expect(Object.keys(data)).toEqual(["username", "rsa_private_key"]);
    expect(data.rsa_private_key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    const key = createPrivateKey(data.rsa_private_key);
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(bits);
    const credential = told.get(data.username) as { publicKey: string };
    expect(createPublicKey(credential.publicKey).equals(createPublicKey(key))).toBe(true);
  });

  it("are rotated for static roles", async () => {
    const settings = { db_name: "any", username: "app", rotation_period: 60, credential_type: "rsa_private_key" };
    await server.call("write", "database/static-roles/kept", settings);
    const { data } = await server.call("read", "database/static-creds/kept");
    const credential = told.get("app") as { publicKey: string };
    expect(createPublicKey(createPrivateKey(data.rsa_private_key)).equals(createPublicKey(credential.publicKey))).toBe(
      true,
    );
  });
});

describe("client certificates", () => {
  const certificates = (config: object) => ({
    credential_type: "client_certificate",
    credential_config: { ca_cert: ca.cert, ca_private_key: ca.key, key_type: "ec", ...config },
  });

  it.each([
    [{ key_type: "ec" }, "EC PRIVATE KEY"],
    [{ key_type: "ec", key_bits: 521, signature_bits: 512 }, "EC PRIVATE KEY"],
    [{ key_type: "rsa", signature_bits: "384" }, "RSA PRIVATE KEY"],
    [{ key_type: "ed25519", key_bits: 7 }, "PRIVATE KEY"],
  ])("are issued as %j asks", async (config, kind) => {
    await write(certificates({ ...config, common_name_template: "{{.RoleName}}-{{random 6}}" }));
    const data = await make();
    expect(Object.keys(data)).toEqual(["username", "client_certificate", "private_key", "private_key_type"]);
    expect(data.username).toMatch(/^app-\w{6}$/);
    expect(data.private_key.split("\n")[0]).toBe(`-----BEGIN ${kind}-----`);
    expect(data.private_key_type).toBe(config.key_type);
    const certificate = new X509Certificate(data.client_certificate);
    const authority = new X509Certificate(ca.cert);
    expect(certificate.subject).toBe(`CN=${data.username}`);
    expect(certificate.checkPrivateKey(createPrivateKey(data.private_key))).toBe(true);
    expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
    expect([certificate.validFromDate, certificate.validToDate].map((date) => date.toISOString())).toEqual([
      "2029-12-31T23:59:30.000Z",
      "2030-01-01T01:00:05.000Z",
    ]);
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    expect(told.get(data.username)).toEqual({ type: "client_certificate", commonName: data.username });
  });

  it("have the user's name where there is no template, and their authority's key is never shown", async () => {
    await write(certificates({}));
    const data = await make();
    expect(data.username).toMatch(/^user-root-app-\w{4}$/);
    const { credential_config } = (await server.call("read", "database/roles/app")).data;
    expect(credential_config).toEqual({ ca_cert: ca.cert, key_type: "ec", key_bits: 256, signature_bits: 256 });
  });
});

describe("credential_config", () => {
  it.each([
    ["rsa_private_key", { key_bits: 1024 }, "invalid key_bits: 1024; one of 2048, 3072, 4096"],
    ["rsa_private_key", { format: "pkcs1" }, "invalid format: pkcs1; only pkcs8"],
    ["client_certificate", {}, "invalid key_type; one of rsa, ec, ed25519"],
    ["client_certificate", { key_type: "dsa" }, "invalid key_type: dsa; one of rsa, ec, ed25519"],
    [
      "client_certificate",
      { key_type: "rsa", key_bits: 256 },
      "invalid key_bits: 256; one of 2048, 3072, 4096 for rsa",
    ],
    [
      "client_certificate",
      { key_type: "ec", key_bits: 2048 },
      "invalid key_bits: 2048; one of 224, 256, 384, 521 for ec",
    ],
    ["client_certificate", { key_type: "ec", signature_bits: 1 }, "invalid signature_bits: 1; one of 256, 384, 512"],
    ["client_certificate", { key_type: "ec", ca_cert: "x" }, "ca_cert and ca_private_key must be set together"],
    [
      "client_certificate",
      { key_type: "ec", ca_cert: "x", ca_private_key: "y" },
      "no data found in PEM block of ca_cert",
    ],
    ["client_certificate", { key_type: "ec", common_name_template: "{{nope}}" }, /^invalid common_name_template: /],
  ])("of the type %s refuses %j", async (credential_type, credential_config, problem) => {
    await expect(write({ credential_type, credential_config })).rejects.toMatchObject({
      status: 400,
      message:
        typeof problem === "string"
          ? `credential_config validation failed: ${problem}`
          : expect.stringMatching(/validation failed: invalid common_name_template/),
    });
  });

  it("refuses a certificate that is no authority's, and a key of another", async () => {
    const other = privateKeyPem((await makeAuthority({ type: "ec", bits: 384 })).key, "pkcs8");
    const config = (ca_cert: string, ca_private_key: string) => ({
      credential_type: "client_certificate",
      credential_config: { key_type: "ec", ca_cert, ca_private_key },
    });
    await expect(write(config(ca.leaf, ca.key))).rejects.toThrow("the given certificate is not marked for CA use");
    await expect(write(config(ca.cert, other))).rejects.toThrow("ca_private_key does not belong to ca_cert");
  });

  it("may lack an authority until certificates are asked for", async () => {
    const { warnings } = await write({ credential_type: "client_certificate", credential_config: { key_type: "rsa" } });
    expect(warnings).toEqual(["no certificate can be issued until credential_config has ca_cert and ca_private_key"]);
    await expect(make()).rejects.toMatchObject({ status: 400, message: "missing required ca_cert and ca_private_key" });
  });

  it("can be emptied, and begins anew with another type", async () => {
    await write({ credential_config: { password_policy: "mine" } });
    expect((await server.call("read", "database/roles/app")).data.credential_config).toEqual({
      password_policy: "mine",
    });
    await write({ credential_config: {} });
    expect((await server.call("read", "database/roles/app")).data).not.toHaveProperty("credential_config");
    await expect(write({ credential_type: "bogus" })).rejects.toMatchObject({ status: 400 });
  });

  it("names a password policy, which must exist when it is used", async () => {
    await write({ credential_config: { password_policy: "mine" } });
    await expect(make()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('no password policy found: "mine"'),
    });
    await server.call("write", "sys/policies/password/mine", {
      policy: 'length = 8\nrule "charset" { charset = "x" }',
    });
    expect((await make()).password).toBe("xxxxxxxx");
  });
});
