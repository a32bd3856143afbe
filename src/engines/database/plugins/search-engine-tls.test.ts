/** The search engine over TLS: whom the plugin trusts, and by what it is known. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KernelCaller } from "../../../../test/support/kernel-caller.ts";
import { type SearchEngineServer, startSearchEngine } from "../../../../test/support/search-engine-server.ts";
import { makeAuthority, makeLeaf } from "../../../../test/support/x509-authority.ts";
import { subjectAltName } from "../../../lib/x509/alternative-names.ts";
import { generateKey, publicKeyOf } from "../../../lib/x509/key.ts";
import { pemText } from "../../../lib/x509/pem.ts";
import { privateKeyPem } from "../../../lib/x509/private-key.ts";
import { database } from "../engine.ts";

let cluster: SearchEngineServer;
let server: KernelCaller;
let ca: string;
let pair: { cert: string; key: string };
let file: string;

beforeAll(async () => {
  const authority = await makeAuthority({ type: "ec", bits: 256 });
  ca = pemText("CERTIFICATE", authority.certificate.der);
  const key = await generateKey({ type: "ec", bits: 256 });
  const names = subjectAltName({ dnsNames: ["search.example"] });
  const leaf = makeLeaf(authority, { publicKey: publicKeyOf(key).spki, extensions: [names] });
  pair = { cert: pemText("CERTIFICATE", leaf), key: privateKeyPem(key, "pkcs8") };
  file = join(tmpdir(), `strongroom-ca-${process.pid}.pem`);
  await writeFile(file, ca);
  cluster = await startSearchEngine("root-secret", { ...pair, ca, requestCert: true, rejectUnauthorized: true });
  server = await new KernelCaller([database]).initialize();
  await server.call("write", "sys/mounts/database", { type: "database" });
});

afterAll(async () => {
  await server.kernel.stop();
  await cluster.stop();
});

const named = { tls_server_name: "search.example" };

it.each<[string, () => object, number]>([
  [
    "an authority, a name and a pair",
    () => ({ ca_cert: ca, ...named, client_cert: pair.cert, client_key: pair.key }),
    204,
  ],
  ["an authority from a file", () => ({ ca_path: file, ...named, client_cert: pair.cert, client_key: pair.key }), 204],
  ["no verification", () => ({ insecure: true, client_cert: pair.cert, client_key: pair.key }), 204],
  ["no authority", () => ({ ...named, client_cert: pair.cert, client_key: pair.key }), 502],
  ["another name", () => ({ ca_cert: ca, client_cert: pair.cert, client_key: pair.key }), 502],
  ["no pair", () => ({ ca_cert: ca, ...named }), 502],
])("with %s", async (_, settings, expected) => {
  const connection = {
    plugin_name: "searchengine-database-plugin",
    url: cluster.url,
    username: "elastic",
    password: "root-secret",
  };
  const status = await server.call("write", "database/config/tls", { ...connection, ...settings() }).then(
    () => 204,
    (error) => error.status,
  );
  expect(status).toBe(expected);
  await server.call("delete", "database/config/tls");
});
