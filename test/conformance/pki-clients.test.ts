/** What cert-manager and Terraform ask of a certificate authority, as they send it, and what they read from the answers. */
import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { subjectAltName } from "../../src/lib/x509/alternative-names.ts";
import { buildRequest } from "../../src/lib/x509/certificate-request.ts";
import { noNames } from "../../src/lib/x509/general-name.ts";
import { generateKey, type KeyKind, publicKeyOf } from "../../src/lib/x509/key.ts";
import { encodeSubject } from "../../src/lib/x509/name.ts";
import { pemText } from "../../src/lib/x509/pem.ts";
import { signerWith } from "../../src/lib/x509/signature.ts";
import type { HttpAnswer, HttpCaller } from "../support/http-caller.ts";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";

let server: ServerProcess;
let client: HttpCaller;

beforeAll(async () => {
  server = await developmentServer();
  client = server.caller("root");
  await client.demand("POST", "sys/mounts/pki", { type: "pki", config: { max_lease_ttl: "87600h" } });
  await client.demand("POST", "sys/mounts/pki-root", { type: "pki", config: { max_lease_ttl: "87600h" } });
});
afterAll(() => server.kill());

/** Go's clients send JSON without saying so. */
const send = (line: string, body?: object, headers: Record<string, string> = {}): Promise<HttpAnswer> => {
  const [method = "", path = ""] = line.split(" ");
  return client.demand(method, path, body, { headers: { "x-vault-request": "true", ...headers } });
};

async function request(kind: KeyKind, commonName: string, dnsNames: string[]): Promise<string> {
  const key = await generateKey(kind);
  const extensions = dnsNames.length > 0 ? [subjectAltName({ ...noNames, dnsNames }, commonName === "")] : [];
  const fields = { subject: encodeSubject({ commonName }), publicKey: publicKeyOf(key).spki, extensions };
  return `${pemText("CERTIFICATE REQUEST", buildRequest(fields, signerWith(key)))}\n`;
}

/** Every certificate is signed by the next, and the last one by itself. */
function expectChain(pems: readonly string[]): void {
  const chain = pems.map((pem) => new X509Certificate(pem));
  for (const [index, certificate] of chain.entries()) {
    expect(certificate.verify((chain[index + 1] ?? certificate).publicKey)).toBe(true);
  }
}

/** Terraform sends every argument of a resource, also those that nobody gave. */
const noSubject = {
  ou: "",
  organization: "",
  country: "",
  locality: "",
  province: "",
  street_address: "",
  postal_code: "",
};
const noOtherNames = { alt_names: "", ip_sans: "", uri_sans: "", other_sans: "" };

describe("Terraform", () => {
  let rootPem = "";
  let issuing = "";

  test("vault_pki_secret_backend_root_cert", async () => {
    const { json } = await send("PUT pki-root/root/generate/internal", {
      common_name: "Terraform Root",
      ...noOtherNames,
      ...noSubject,
      ttl: "315360000",
      format: "pem",
      private_key_format: "der",
      key_type: "rsa",
      key_bits: 2048,
      max_path_length: -1,
      exclude_cn_from_sans: true,
      permitted_dns_domains: "",
      issuer_name: "terraform",
    });
    expect(json.data).toMatchObject({
      certificate: expect.stringContaining("BEGIN CERTIFICATE"),
      issuing_ca: json.data.certificate,
      serial_number: expect.stringContaining(":"),
      issuer_id: expect.stringContaining("-"),
      key_id: expect.stringContaining("-"),
    });
    rootPem = json.data.certificate;
    expect((await send(`GET pki-root/issuer/${json.data.issuer_id}`)).json.data.issuer_name).toBe("terraform");
  });

  test("vault_pki_secret_backend_config_urls, _crl_config and _config_cluster", async () => {
    const urls = {
      issuing_certificates: ["http://127.0.0.1:8200/v1/pki/ca"],
      crl_distribution_points: ["http://127.0.0.1:8200/v1/pki/crl"],
      ocsp_servers: null,
      enable_templating: false,
    };
    await send("PUT pki/config/urls", urls);
    expect((await send("GET pki/config/urls")).json.data).toMatchObject({ ...urls, ocsp_servers: [] });
    await send("PUT pki/config/crl", { expiry: "72h", disable: false, auto_rebuild: true, ocsp_expiry: "12h" });
    expect((await send("GET pki/config/crl")).json.data).toMatchObject({ expiry: "72h", auto_rebuild: true });
    await send("PUT pki/config/cluster", {
      path: "http://127.0.0.1:8200/v1/pki",
      aia_path: "http://127.0.0.1:8200/v1/pki",
    });
    expect((await send("GET pki/config/cluster")).json.data.path).toBe("http://127.0.0.1:8200/v1/pki");
  });

  test("vault_pki_secret_backend_intermediate_cert_request, _root_sign_intermediate, _intermediate_set_signed", async () => {
    const asked = await send("PUT pki/intermediate/generate/internal", {
      common_name: "Terraform Intermediate",
      ...noOtherNames,
      ...noSubject,
      format: "pem",
      private_key_format: "der",
      key_type: "ec",
      key_bits: 256,
      exclude_cn_from_sans: false,
      add_basic_constraints: true,
      key_name: "",
    });
    expect(asked.json.data).toMatchObject({ csr: expect.stringContaining("REQUEST"), key_id: expect.any(String) });
    const signed = await send("PUT pki-root/root/sign-intermediate", {
      csr: asked.json.data.csr,
      common_name: "Terraform Intermediate",
      ...noOtherNames,
      ...noSubject,
      ttl: "43800h",
      format: "pem_bundle",
      max_path_length: 0,
      exclude_cn_from_sans: false,
      use_csr_values: false,
      permitted_dns_domains: "",
    });
    const { certificate, issuing_ca, ca_chain, serial_number } = signed.json.data;
    expect(issuing_ca).toBe(rootPem);
    expectChain(ca_chain);
    expect(new X509Certificate(certificate).serialNumber.toLowerCase()).toBe(serial_number.replaceAll(":", ""));
    const set = await send("PUT pki/intermediate/set-signed", { certificate: `${certificate}\n${rootPem}` });
    expect(set.json.data.imported_issuers).toHaveLength(2);
    expect(set.json.data).toMatchObject({ imported_keys: null, existing_keys: null });
    issuing = Object.entries(set.json.data.mapping).find(([, key]) => key !== "")![0];
  });

  test("vault_pki_secret_backend_config_issuers and _issuer", async () => {
    await send("PUT pki/config/issuers", { default: issuing, default_follows_latest_issuer: true });
    expect((await send("GET pki/config/issuers")).json.data).toEqual({
      default: issuing,
      default_follows_latest_issuer: true,
    });
    const patched = await send(
      `PATCH pki/issuer/${issuing}`,
      {
        issuer_name: "issuing",
        leaf_not_after_behavior: "truncate",
        usage: "issuing-certificates,crl-signing,ocsp-signing,read-only",
        revocation_signature_algorithm: "",
        manual_chain: [],
        issuing_certificates: [],
        crl_distribution_points: [],
        ocsp_servers: [],
        enable_aia_url_templating: false,
      },
      { "content-type": "application/merge-patch+json" },
    );
    expect(patched.json.data).toMatchObject({ issuer_name: "issuing", leaf_not_after_behavior: "truncate" });
  });

  test("vault_pki_secret_backend_role, with every argument, read back as it was", async () => {
    const role = {
      allow_localhost: true,
      allowed_domains: ["example.com"],
      allowed_domains_template: false,
      allow_bare_domains: false,
      allow_subdomains: true,
      allow_glob_domains: false,
      allow_any_name: false,
      allow_wildcard_certificates: true,
      enforce_hostnames: true,
      allow_ip_sans: true,
      server_flag: true,
      client_flag: true,
      code_signing_flag: false,
      email_protection_flag: false,
      key_type: "any",
      key_bits: 0,
      signature_bits: 0,
      use_pss: false,
      key_usage: ["DigitalSignature", "KeyAgreement", "KeyEncipherment"],
      ext_key_usage: [],
      ext_key_usage_oids: [],
      use_csr_common_name: true,
      use_csr_sans: true,
      ou: [],
      organization: ["Example"],
      country: [],
      locality: [],
      province: [],
      street_address: [],
      postal_code: [],
      generate_lease: false,
      no_store: false,
      require_cn: false,
      cn_validations: ["email", "hostname"],
      policy_identifiers: ["1.3.6.1.4.1.7.8"],
      basic_constraints_valid_for_non_ca: false,
      not_after: "",
      issuer_ref: "default",
    };
    const written = { ...role, ttl: "3600", max_ttl: "7776000", not_before_duration: "30s" };
    await send("PUT pki/roles/web", written);
    expect((await send("GET pki/roles/web")).json.data).toMatchObject({
      ...role,
      ttl: 3600,
      max_ttl: 7_776_000,
      not_before_duration: 30,
    });
  });

  test("vault_pki_secret_backend_cert, and its end", async () => {
    const { json } = await send("PUT pki/issue/web", {
      common_name: "www.example.com",
      ...noOtherNames,
      ttl: "",
      format: "pem",
      private_key_format: "der",
      exclude_cn_from_sans: false,
      user_ids: "",
      key_type: "ec",
    });
    const { certificate, ca_chain, private_key, private_key_type, serial_number, expiration } = json.data;
    expectChain([certificate, ...ca_chain]);
    expect(ca_chain).toHaveLength(2);
    expect([private_key_type, expiration]).toEqual(["ec", expect.any(Number)]);
    expect(private_key).toContain("EC PRIVATE KEY");
    const revoked = await send("PUT pki/revoke", { serial_number });
    expect(revoked.json.data.revocation_time).toBeGreaterThan(0);
    const { data } = (await send(`GET pki/cert/${serial_number}`)).json;
    expect(data.revocation_time).toBe(revoked.json.data.revocation_time);
  });

  test("vault_pki_secret_backend_key, and its end", async () => {
    const { json } = await send("PUT pki/keys/generate/internal", { key_name: "spare", key_type: "ec", key_bits: 256 });
    await send(`PUT pki/key/${json.data.key_id}`, { key_name: "other" });
    expect((await send(`GET pki/key/${json.data.key_id}`)).json.data).toMatchObject({
      key_name: "other",
      key_type: "ec",
    });
    expect((await send(`DELETE pki/key/${json.data.key_id}`)).status).toBe(204);
  });
});

describe("cert-manager", () => {
  test("is this an issuer?", async () => {
    const { status, json } = await send("GET sys/health");
    expect({ status, ...json }).toMatchObject({ status: 200, initialized: true, sealed: false });
  });

  test.each([
    { what: "RSA", kind: { type: "rsa", bits: 2048 } as KeyKind, commonName: "app.example.com", names: "" },
    {
      what: "EC, names only",
      kind: { type: "ec", bits: 256 } as KeyKind,
      commonName: "",
      names: "a.example.com,b.example.com",
    },
    { what: "Ed25519", kind: { type: "ed25519", bits: 0 } as KeyKind, commonName: "", names: "c.example.com" },
  ])("a signing request: $what", async ({ kind, commonName, names }) => {
    const dnsNames = [...new Set([commonName, ...names.split(",")].filter((name) => name !== ""))];
    const { json } = await send("POST pki/sign/web", {
      common_name: commonName,
      alt_names: dnsNames.join(","),
      ip_sans: "",
      uri_sans: "",
      ttl: "2160h0m0s",
      csr: await request(kind, commonName, dnsNames),
      exclude_cn_from_sans: "true",
    });
    const { certificate, issuing_ca, ca_chain } = json.data;
    expectChain([certificate, ...ca_chain]);
    expect(issuing_ca).toBe(ca_chain[0]);
    const leaf = new X509Certificate(certificate);
    expect(leaf.subjectAltName).toBe(dnsNames.map((name) => `DNS:${name}`).join(", "));
    expect(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)).toBe((2160 * 3600 + 30) * 1000);
  });

  test("a role that refuses says why", async () => {
    const csr = await request({ type: "ec", bits: 256 }, "", ["elsewhere.net"]);
    const { status, json } = await client.call("POST", "pki/sign/web", {
      csr,
      alt_names: "elsewhere.net",
      ttl: "1h0m0s",
    });
    expect({ status, errors: json.errors }).toEqual({
      status: 400,
      errors: ["subject alternate name elsewhere.net not allowed by this role"],
    });
  });
});

test("a dry run may be asked for in the query, and issues nothing", async () => {
  await client.demand("POST", "sys/mounts/trial", { type: "pki" });
  await client.demand("POST", "trial/root/generate/internal", { common_name: "trial", key_type: "ec" });
  await client.demand("POST", "trial/roles/any", { allow_any_name: true, key_type: "ec" });
  const ask = async (query: string) => {
    const { json } = await client.demand("POST", `trial/issue/any${query}`, {
      common_name: "a.example.com",
      ttl: "1h",
    });
    return Object.keys(json.data);
  };
  expect(await ask("?dry_run=true")).toEqual(["dry_run"]);
  expect(await ask("?dry_run=false")).toContain("certificate");
});
