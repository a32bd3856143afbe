/** PostgreSQL over TLS: users that are known by certificates, and a connection that is. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { KernelCaller } from "../../../../test/support/kernel-caller.ts";
import { noPostgres, type Postgres, startPostgres } from "../../../../test/support/postgres.ts";
import { makeAuthority, makeLeaf } from "../../../../test/support/x509-authority.ts";
import { subjectAltName } from "../../../lib/x509/alternative-names.ts";
import { generateKey, publicKeyOf } from "../../../lib/x509/key.ts";
import { pemText } from "../../../lib/x509/pem.ts";
import { privateKeyPem } from "../../../lib/x509/private-key.ts";
import { database } from "../engine.ts";

let server: KernelCaller;
let postgres: Postgres;
let folder: string;
let ca: { cert: string; key: string };
let port: number;

const rules = ["hostssl all postgres 127.0.0.1/32 scram-sha-256", "hostssl all all 127.0.0.1/32 cert"];

beforeAll(async () => {
  if (noPostgres !== undefined) return;
  const authority = await makeAuthority({ type: "ec", bits: 256 });
  const key = await generateKey({ type: "ec", bits: 256 });
  const names = subjectAltName({ ips: ["127.0.0.1"], dnsNames: ["db.example"] });
  const cert = pemText("CERTIFICATE", makeLeaf(authority, { publicKey: publicKeyOf(key).spki, extensions: [names] }));
  ca = { cert: pemText("CERTIFICATE", authority.certificate.der), key: privateKeyPem(authority.key, "pkcs8") };
  folder = await mkdtemp(join(tmpdir(), "strongroom-certificates-"));
  await chmod(folder, 0o755);
  await writeFile(join(folder, "ca.pem"), `${ca.cert}\n`);
  await writeFile(join(folder, "rules"), `${rules.join("\n")}\n`);
  const settings = { ssl_ca_file: join(folder, "ca.pem"), hba_file: join(folder, "rules") };
  postgres = await startPostgres({ settings, tls: { cert: `${cert}\n`, key: `${privateKeyPem(key, "pkcs8")}\n` } });
  port = Number(new URL(postgres.url).port);
  // The database judges certificates by its own clock.
  server = await new KernelCaller([database], undefined, { now: Date.now() }).initialize();
  await server.call("write", "sys/mounts/database", { type: "database" });
}, 60_000);

beforeEach(({ skip }) => skip(noPostgres !== undefined, noPostgres));

afterAll(async () => {
  await server?.kernel.stop();
  await postgres?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const connection = (settings: object = {}) => ({
  plugin_name: "postgresql-database-plugin",
  connection_url: `postgresql://{{username}}:{{password}}@127.0.0.1:${port}/postgres`,
  username: "postgres",
  password: new URL(postgres.url).password,
  allowed_roles: "*",
  tls_ca: ca.cert,
  ...settings,
});

it("knows users by their certificates", async () => {
  await server.call("write", "database/config/tls", connection());
  await server.call("write", "database/roles/app", {
    db_name: "tls",
    creation_statements: 'CREATE ROLE "{{name}}" LOGIN',
    credential_type: "client_certificate",
    credential_config: { ca_cert: ca.cert, ca_private_key: ca.key, key_type: "ec" },
  });
  const { data, registered } = (await server.call("read", "database/creds/app")).data;
  const logIn = async () => {
    const ssl = { ca: ca.cert, cert: data.client_certificate, key: data.private_key };
    const client = new Client({ host: "127.0.0.1", port, user: data.username, database: "postgres", ssl });
    await client.connect();
    const { rows } = await client.query("SELECT current_user AS name");
    await client.end();
    return rows[0].name;
  };
  expect(await logIn()).toBe(data.username);
  await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
  await expect(logIn()).rejects.toThrow();
});

it("hears from the server that it wants TLS", async () => {
  const url = `postgresql://{{username}}:{{password}}@127.0.0.1:${port}/postgres?sslmode=disable`;
  const plain = connection({ tls_ca: "", connection_url: url });
  await expect(server.call("write", "database/config/plain", plain)).rejects.toThrow(
    /no pg_hba.conf entry.*no encryption/,
  );
});

it("verifies the server's certificate and its name, as the mode asks", async () => {
  const other = pemText("CERTIFICATE", (await makeAuthority({ type: "ec", bits: 384 })).certificate.der);
  const outcome = (mode: string, settings: object = {}) => {
    const url = `postgresql://{{username}}:{{password}}@localhost:${port}/postgres${mode && `?sslmode=${mode}`}`;
    return server.call("write", "database/config/modes", connection({ connection_url: url, ...settings })).then(
      () => 204,
      ({ status }) => status,
    );
  };
  expect(await outcome("require", { tls_ca: "" })).toBe(204);
  expect(await outcome("verify-ca")).toBe(204);
  expect(await outcome("verify-full")).toBe(502);
  expect(await outcome("verify-full", { tls_server_name: "db.example" })).toBe(204);
  expect(await outcome("verify-ca", { tls_ca: other })).toBe(502);
  expect(await outcome("sometimes")).toBe(400);
});
