/** Settings of the mount and of roles, and tidying. */
import { describe, expect, it } from "vitest";
import { certificateIn, TestAuthority } from "./authority-fixture.suite.ts";

describe("settings", () => {
  it.each<[string, object, object]>([
    [
      "config/urls",
      { issuing_certificates: "https://a/ca,https://b/ca", ocsp_servers: ["https://a/ocsp"] },
      {
        issuing_certificates: ["https://a/ca", "https://b/ca"],
        crl_distribution_points: [],
        delta_crl_distribution_points: [],
        ocsp_servers: ["https://a/ocsp"],
        enable_templating: false,
      },
    ],
    ["config/cluster", { path: "https://a/v1/pki" }, { path: "https://a/v1/pki", aia_path: "" }],
    [
      "config/crl",
      { expiry: "48h", ocsp_expiry: "1h" },
      { expiry: "48h", ocsp_expiry: "1h", disable: false, auto_rebuild: false, delta_rebuild_interval: "15m" },
    ],
    [
      "config/auto-tidy",
      { enabled: true, tidy_cert_store: true, safety_buffer: "24h" },
      {
        enabled: true,
        tidy_cert_store: true,
        safety_buffer: 86400,
        revoked_safety_buffer: 86400,
        interval_duration: 43200,
        pause_duration: "0s",
        page_size: 1000,
      },
    ],
  ])("%s takes %j", async (path, body, expected) => {
    const authority = await TestAuthority.mounted();
    expect(await authority.write(path, body)).toMatchObject(expected);
    expect(await authority.read(path)).toMatchObject(expected);
  });

  it.each<[string, object, string]>([
    [
      "config/urls",
      { ocsp_servers: "nowhere" },
      "invalid URL found in Authority Information Access (AIA) parameter ocsp_servers: nowhere",
    ],
    ["config/cluster", { path: "nowhere" }, "invalid, non-URL path given to cluster: nowhere"],
    ["config/issuers", {}, "Invalid issuer specification; must be non-empty and can't be 'default'."],
    [
      "config/issuers",
      { default: "x" },
      "Error resolving issuer reference: unable to find PKI issuer for reference: x",
    ],
    ["config/auto-tidy", { enabled: true }, "Auto-tidy enabled but no tidy operations were requested."],
    ["config/auto-tidy", { safety_buffer: 0 }, "safety_buffer must be greater than zero"],
    ["tidy", { page_size: 5 }, "page_size must be greater than five"],
    ["roles/r", { ttl: "2h", max_ttl: "1h" }, '"ttl" value must be less than "max_ttl" value'],
    ["roles/r", { key_type: "dsa" }, "unknown key type dsa"],
    ["roles/r", { key_bits: 1024 }, "RSA keys < 2048 bits are unsafe and not supported: got 1024"],
    ["roles/r", { signature_bits: 100 }, "unsupported hash signature algorithm: 100"],
    [
      "roles/r",
      { allowed_ip_sans_cidr: "10.0.0.1" },
      "error parsing allowed_ip_sans_cidr: invalid CIDR address: 10.0.0.1",
    ],
    ["roles/r", { allowed_other_sans: "x" }, 'error parsing allowed_other_sans: expected a semicolon in other SAN "x"'],
    ["roles/r", { ext_key_usage_oids: "a.b" }, '"a.b" could not be parsed as a valid oid for an extended key usage'],
    ["roles/r", { cn_validations: "foo" }, "cn_validations value incorrect: unknown type: `foo`"],
    ["roles/r", { policy_identifiers: "a.b.c" }, 'policy identifier "a.b.c" is neither a valid OID'],
    ["roles/r", { ttl: "abc" }, 'Field validation failed: error converting input for field "ttl"'],
  ])("%s refuses %j", async (path, body, message) => {
    const authority = await TestAuthority.mounted();
    const refused = await authority.refusal("write", path, body);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  it("put addresses into certificates, filled in for their issuer", async () => {
    const authority = await TestAuthority.withRoot();
    await authority.write("config/cluster", {
      path: "https://ca.example.com/v1/pki",
      aia_path: "http://ca.example.com",
    });
    await authority.write("config/urls", {
      enable_templating: true,
      issuing_certificates: "{{cluster_aia_path}}/issuer/{{issuer_id}}/der",
      crl_distribution_points: "{{cluster_path}}/issuer/{{issuer_id}}/crl/der",
    });
    await authority.write("roles/web", { allow_any_name: true, key_type: "ec" });
    const { certificate } = await authority.write("issue/web", { common_name: "a.b" });
    const { extensions } = certificateIn(certificate);
    const { issuer_id } = await authority.read("issuer/root");
    expect(extensions.informationAccess?.issuingCertificates).toEqual([
      `http://ca.example.com/issuer/${issuer_id}/der`,
    ]);
    expect(extensions.crlDistributionPoints).toEqual([`https://ca.example.com/v1/pki/issuer/${issuer_id}/crl/der`]);
  });

  it("of a role come back as they are kept", async () => {
    const authority = await TestAuthority.mounted();
    const role = await authority.write("roles/r", {});
    expect(role).toMatchObject({
      ttl: 0,
      max_ttl: 0,
      allow_ip_sans: true,
      allow_localhost: true,
      key_type: "rsa",
      key_bits: 2048,
      signature_bits: 256,
      issuer_ref: "default",
      not_before_duration: 30,
      require_cn: true,
      key_usage: ["DigitalSignature", "KeyAgreement", "KeyEncipherment"],
      policy_identifiers: [],
    });
    expect(await authority.read("roles/r")).toEqual(role);
    const patched = (await authority.call("patch", "roles/r", { max_ttl: "1h" })).data;
    expect(patched).toEqual({ ...role, max_ttl: 3600 });
    expect((await authority.call("list", "roles")).data.keys).toEqual(["r"]);
    await authority.call("delete", "roles/r");
    expect((await authority.refusal("read", "roles/r")).status).toBe(404);
    expect((await authority.refusal("patch", "roles/r", {})).message).toBe("Unable to fetch role entry to patch");
  });
});

describe("tidying", () => {
  it("removes what expired long ago, and says so", async () => {
    const authority = await TestAuthority.withRoot();
    await authority.write("roles/web", { allow_any_name: true, key_type: "ec" });
    const old = await authority.write("issue/web", { common_name: "old.b", ttl: "1h" });
    const revoked = await authority.write("issue/web", { common_name: "revoked.b", ttl: "1h" });
    await authority.write("revoke", { serial_number: revoked.serial_number });
    const fresh = await authority.write("issue/web", { common_name: "fresh.b", ttl: "9000h" });
    expect((await authority.read("tidy-status")).state).toBe("Inactive");
    authority.server.passSeconds(100 * 3600);
    const started = await authority.call("write", "tidy", {
      tidy_cert_store: true,
      tidy_revoked_certs: true,
      tidy_acme: true,
    });
    expect(started.data.status).toBe(202);
    await expect.poll(async () => (await authority.read("tidy-status")).state, { timeout: 10_000 }).toBe("Finished");
    expect(await authority.read("tidy-status")).toMatchObject({
      cert_store_deleted_count: 1,
      revoked_cert_deleted_count: 1,
      safety_buffer: 259200,
    });
    const { keys } = (await authority.call("list", "certs")).data;
    expect(keys).toContain(fresh.serial_number);
    expect(keys).not.toContain(old.serial_number);
    expect((await authority.call("write", "tidy-cancel")).warnings).toEqual([
      "Tidy operation cannot be cancelled as none is currently running.",
    ]);
  });
});

describe("the inventory", () => {
  it("is searched by name, role, issuer, end and state, a page at a time", async () => {
    const authority = await TestAuthority.withRoot();
    for (const role of ["a", "b"]) await authority.write(`roles/${role}`, { allow_any_name: true, key_type: "ec" });
    const issued: string[] = [];
    for (const [role, name, ttl] of [
      ["a", "one.x", "1h"],
      ["a", "two.x", "2h"],
      ["b", "one.x", "3h"],
    ]) {
      issued.push((await authority.write(`issue/${role}`, { common_name: name, ttl })).serial_number);
    }
    await authority.write("revoke", { serial_number: issued[2] });
    const find = async (body: object) => (await authority.read("certs/search", body)).keys;
    expect(await find({ name: "ONE.x" })).toEqual([issued[0], issued[2]]);
    expect(await find({ name: "*.x" })).toEqual(issued);
    expect(await find({ role: "a" })).toEqual([issued[0], issued[1]]);
    expect(await find({ role: "b", name: "two.x" })).toEqual([]);
    expect(await find({ revoked: "true" })).toEqual([issued[2]]);
    expect(await find({ expires_before: "2030-01-01T02:00:00Z" })).toEqual([issued[0]]);
    expect(await find({ expires_after: "2030-01-01T02:00:00Z", expires_before: "2030-01-02T00:00:00Z" })).toEqual([
      issued[1],
      issued[2],
    ]);
    const first = await authority.read("certs/search", { name: "*.x", limit: 2 });
    expect(first.keys).toEqual([issued[0], issued[1]]);
    expect(await find({ name: "*.x", after: first.next })).toEqual([issued[2]]);
    const detailed = (await authority.call("list", "certs/detailed")).data;
    expect(detailed.key_info[issued[0]!]).toMatchObject({
      common_name: "one.x",
      issuer: "CN=Example Root",
      key_type: "ec",
      key_bits: 256,
      dns_names: ["one.x"],
    });
  });
});
