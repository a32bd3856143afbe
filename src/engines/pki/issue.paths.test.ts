import { beforeAll, describe, expect, it } from "vitest";
import { nameText, subjectOf } from "../../lib/x509/name.ts";
import { serialText } from "../../lib/x509/serial-number.ts";
import { certificateIn, request, TestAuthority, verify } from "./authority-fixture.suite.ts";

const web = { allowed_domains: "example.com", allow_subdomains: true, max_ttl: "720h", key_type: "ec" };

describe("issue", () => {
  let authority: TestAuthority;
  beforeAll(async () => {
    authority = await TestAuthority.withRoot();
    await authority.write("roles/web", web);
  });

  it("gives a key, a certificate for it, and its chain", async () => {
    const data = await authority.write("issue/web", { common_name: "www.example.com", ttl: "1h" });
    const certificate = certificateIn(data.certificate);
    expect(nameText(certificate.subject)).toBe("CN=www.example.com");
    expect(certificate.extensions.names.dnsNames).toEqual(["www.example.com"]);
    expect(serialText(certificate.serial)).toBe(data.serial_number);
    expect(data.expiration).toBe(Date.UTC(2030, 0, 1, 1) / 1000);
    expect(data.not_before).toBe(Date.UTC(2030, 0, 1) / 1000 - 30);
    expect(data.private_key_type).toBe("ec");
    expect(data.private_key).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
    expect(data.ca_chain).toEqual([data.issuing_ca]);
    verify(data.certificate, data.issuing_ca);
    expect((await authority.read(`cert/${data.serial_number}`)).certificate.trim()).toBe(data.certificate);
  });

  it.each([
    [{}, "the common_name field is required, or must be provided in a CSR with"],
    [{ common_name: "example.com" }, "common name example.com not allowed by this role"],
    [{ common_name: "a.foo.com" }, "common name a.foo.com not allowed by this role"],
    [{ common_name: "A.EXAMPLE.COM" }, "common name A.EXAMPLE.COM not allowed by this role"],
    [{ common_name: "a_b.example.com" }, "common name a_b.example.com not allowed by this role"],
    [{ common_name: "a.*.example.com" }, "common name a.*.example.com not allowed by this role"],
    [{ common_name: "a.example.com." }, "common name a.example.com. not allowed by this role"],
    [{ alt_names: "b.foo.com" }, "subject alternate name b.foo.com not allowed by this role"],
    [{ alt_names: "joe@example.com" }, "email address joe@example.com not allowed by this role"],
    [{ ip_sans: "foo" }, 'the value "foo" is not a valid IP address'],
    [
      { uri_sans: "https://x/" },
      "URI Subject Alternative Names are not allowed in this role, but were provided via the API",
    ],
    [{ other_sans: "1.2.3;utf8:x" }, "other SAN OID 1.2.3 not allowed by this role"],
    [{ other_sans: "foo" }, 'could not parse requested other SAN: expected a semicolon in other SAN "foo"'],
    [{ serial_number: "abc" }, "serial_number abc not allowed by this role"],
    [{ user_ids: "joe" }, "user_id joe is not allowed by this role"],
    [{ format: "xml" }, 'the "format" path parameter must be "pem", "der", or "pem_bundle"'],
    [{ private_key_format: "jwk" }, 'private_key_format must be "der" or "pkcs8"'],
    [
      { ttl: "1h", not_after: "2031-01-01T00:00:00Z" },
      "Either ttl or not_after should be provided. Both should not be provided in the same request.",
    ],
    [
      { not_after: "2099-01-01T00:00:00Z" },
      "cannot satisfy request, as TTL would result in notAfter of 2099-01-01T00:00:00Z that is beyond",
    ],
    [{ not_after: "yesterday" }, 'error parsing not_after "yesterday"'],
    [
      { not_before: "2031-01-01T00:00:00Z", ttl: "1h" },
      "The certificate's Not Before (2031-01-01T00:00:00Z) is later than",
    ],
  ])("refuses %j", async (body, message) => {
    const asked = {
      ...("common_name" in body || Object.keys(body).length === 0 ? {} : { common_name: "a.example.com" }),
      ...body,
    };
    const refused = await authority.refusal("write", "issue/web", asked);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  it.each([
    ["unknown role", "issue/nobody", 400, "unknown role: nobody"],
    [
      "unknown issuer",
      "issuer/nobody/issue/web",
      404,
      "could not fetch the CA certificate (was one set?): unable to find PKI issuer for reference: nobody",
    ],
  ])("refuses an %s", async (_, path, status, message) => {
    expect(await authority.refusal("write", path, { common_name: "a.example.com" })).toEqual({ status, message });
  });

  it("caps the lifetime with a warning", async () => {
    const { data, warnings } = await authority.call("write", "issue/web", {
      common_name: "a.example.com",
      ttl: "1000h",
    });
    expect(warnings).toEqual(['TTL "1000h0m0s" is longer than permitted maxTTL "720h0m0s", so maxTTL is being used']);
    expect(data.expiration).toBe(Date.UTC(2030, 0, 1) / 1000 + 720 * 3600);
  });

  it.each([
    ["der", /^MII/, /^MH/],
    ["pem", /^-----BEGIN CERTIFICATE-----\n[^-]*-----END CERTIFICATE-----$/, /^-----BEGIN EC PRIVATE KEY/],
    [
      "pem_bundle",
      /^-----BEGIN EC PRIVATE KEY-----\n[^-]*-----END EC PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----\n[^-]*-----END CERTIFICATE-----$/,
      /^-----BEGIN EC PRIVATE KEY/,
    ],
  ])("answers in the form %s", async (format, certificate, key) => {
    const data = await authority.write("issue/web", { common_name: "a.example.com", format });
    expect(data.certificate).toMatch(certificate);
    expect(data.private_key).toMatch(key);
  });

  it("gives the key as PKCS#8, but not inside a bundle", async () => {
    const wishes = { common_name: "a.example.com", private_key_format: "pkcs8" };
    expect((await authority.write("issue/web", wishes)).private_key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    const bundle = await authority.write("issue/web", { ...wishes, format: "pem_bundle" });
    expect(bundle.certificate).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
    expect(bundle.private_key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it("leaves roots out of the chain if asked", async () => {
    const data = await authority.write("issue/web", { common_name: "a.example.com", remove_roots_from_chain: true });
    expect(data.ca_chain).toEqual([]);
  });

  it("issues until the end of time where the issuer permits it", async () => {
    await authority.call("patch", "issuer/root", { leaf_not_after_behavior: "permit" });
    const data = await authority.write("issue/web", {
      common_name: "a.example.com",
      not_after: "9999-12-31T23:59:59Z",
    });
    expect(certificateIn(data.certificate).notAfter.toISOString()).toBe("9999-12-31T23:59:59.000Z");
    await authority.call("patch", "issuer/root", { leaf_not_after_behavior: "truncate" });
    const cut = await authority.write("issue/web", { common_name: "a.example.com", not_after: "9999-12-31T23:59:59Z" });
    expect(certificateIn(cut.certificate).notAfter).toEqual(certificateIn(cut.issuing_ca).notAfter);
    await authority.call("patch", "issuer/root", { leaf_not_after_behavior: "err" });
  });

  it("only says what it would issue in a dry run", async () => {
    const before = (await authority.call("list", "certs")).data.keys.length;
    const { dry_run } = await authority.write("issue/web", {
      common_name: "a.example.com",
      ip_sans: "10.0.0.1",
      dry_run: true,
    });
    expect(dry_run).toMatchObject({
      subject: "CN=a.example.com",
      dns_names: ["a.example.com"],
      ip_addresses: ["10.0.0.1"],
      key_type: "ec",
      key_usage: ["DigitalSignature", "KeyAgreement"],
    });
    expect((await authority.call("list", "certs")).data.keys.length).toBe(before);
    expect((await authority.refusal("write", "issue/web", { common_name: "b.org", dry_run: true })).message).toBe(
      "common name b.org not allowed by this role",
    );
  });
});

describe("names under a role", () => {
  let authority: TestAuthority;
  beforeAll(async () => {
    authority = await TestAuthority.withRoot();
  });

  it.each<[string, object, object, object | string]>([
    [
      "bare domains",
      { allowed_domains: "example.com", allow_bare_domains: true },
      { common_name: "Example.com" },
      { dnsNames: ["Example.com"] },
    ],
    [
      "mailboxes",
      { allowed_domains: "example.com", allow_bare_domains: true },
      { common_name: "joe@example.com" },
      { emails: ["joe@example.com"] },
    ],
    ["localhost", {}, { common_name: "localhost" }, { dnsNames: ["localhost"] }],
    ["no localhost", { allow_localhost: false }, { common_name: "localhost" }, "common name localhost not allowed"],
    ["wildcards", web, { common_name: "*.example.com" }, { dnsNames: ["*.example.com"] }],
    [
      "no wildcards",
      { ...web, allow_wildcard_certificates: false },
      { common_name: "*.example.com" },
      "not allowed by this role",
    ],
    [
      "no wildcards whatever the name",
      { allow_any_name: true, allow_wildcard_certificates: false },
      { common_name: "*.a.b" },
      "not allowed by this role",
    ],
    [
      "globs",
      { allowed_domains: "a*.example.com", allow_glob_domains: true },
      { common_name: "ab.c.example.com" },
      { dnsNames: ["ab.c.example.com"] },
    ],
    ["any name", { allow_any_name: true }, { common_name: "x.y" }, { dnsNames: ["x.y"] }],
    [
      "no hosts but names",
      { allow_any_name: true, enforce_hostnames: false },
      { common_name: "Joe Doe" },
      { dnsNames: [] },
    ],
    [
      "hosts in other alphabets",
      { allow_any_name: true },
      { common_name: "bücher.example" },
      { dnsNames: ["xn--bcher-kva.example"] },
    ],
    [
      "addresses",
      { allow_any_name: true },
      { common_name: "x.y", ip_sans: "10.1.2.3,::1" },
      { ips: ["10.1.2.3", "::1"] },
    ],
    [
      "no addresses",
      { allow_any_name: true, allow_ip_sans: false },
      { common_name: "x.y", ip_sans: "10.1.2.3" },
      "IP Subject Alternative Names are not allowed in this role, but was provided via the API",
    ],
    [
      "addresses in ranges",
      { allow_any_name: true, allowed_ip_sans_cidr: "10.0.0.0/8" },
      { common_name: "x.y", ip_sans: "192.168.1.1" },
      'the IP address "192.168.1.1" is not allowed in this role',
    ],
    [
      "URIs",
      { allow_any_name: true, allowed_uri_sans: "spiffe://a/*" },
      { common_name: "x.y", uri_sans: "spiffe://a/b" },
      { uris: ["spiffe://a/b"] },
    ],
    [
      "other URIs",
      { allow_any_name: true, allowed_uri_sans: "spiffe://a/*" },
      { common_name: "x.y", uri_sans: "spiffe://b/" },
      "URI Subject Alternative Names were provided via the API which are not valid for this role",
    ],
    [
      "other names",
      { allow_any_name: true, allowed_other_sans: "1.2.3;UTF8:*@x" },
      { common_name: "x.y", other_sans: "1.2.3;utf8:a@x" },
      { otherNames: [{ oid: "1.2.3", value: "a@x" }] },
    ],
    [
      "other names in JSON",
      { allow_any_name: true, allowed_other_sans: "*" },
      { common_name: "x.y", other_sans: '["1.2.3;UTF-8:a,b"]' },
      { otherNames: [{ oid: "1.2.3", value: "a,b" }] },
    ],
    [
      "other names in a list",
      { allow_any_name: true, allowed_other_sans: "*" },
      { common_name: "x.y", other_sans: ["1.2.3;UTF8:a", "1.2.4;UTF8:b,c"] },
      {
        otherNames: [
          { oid: "1.2.3", value: "a" },
          { oid: "1.2.4", value: "b,c" },
        ],
      },
    ],
    [
      "other values",
      { allow_any_name: true, allowed_other_sans: "1.2.3;UTF8:b" },
      { common_name: "x.y", other_sans: "1.2.3;utf8:a" },
      "other SAN a not allowed for OID 1.2.3 by this role",
    ],
    [
      "a common name outside the names",
      { allow_any_name: true },
      { common_name: "x.y", exclude_cn_from_sans: true },
      { dnsNames: [] },
    ],
    ["no common name", { ...web, require_cn: false }, { alt_names: "a.example.com" }, { dnsNames: ["a.example.com"] }],
    [
      "people",
      { allow_any_name: true, cn_validations: "disabled", enforce_hostnames: true },
      { common_name: "Joe Doe" },
      { dnsNames: [] },
    ],
    [
      "no mailboxes",
      { allow_any_name: true, cn_validations: "hostname" },
      { common_name: "a@b.c" },
      "common name a@b.c not allowed by this role",
    ],
  ])("%s", async (_, role, body, expected) => {
    await authority.write("roles/names", { key_type: "ed25519", ...role });
    if (typeof expected === "string") {
      expect((await authority.refusal("write", "issue/names", body)).message).toContain(expected);
      return;
    }
    const { certificate } = await authority.write("issue/names", body);
    expect(certificateIn(certificate).extensions.names).toMatchObject(expected);
  });

  it("puts the role's subject, user ids and serial number into the subject", async () => {
    await authority.write("roles/subject", {
      allow_any_name: true,
      key_type: "ec",
      country: "DE",
      organization: ["Example", "Sample"],
      ou: "Ops",
      locality: "Bonn",
      province: "NW",
      street_address: "Way 1",
      postal_code: "53111",
      allowed_user_ids: "j*",
      allowed_serial_numbers: "7*",
    });
    const data = await authority.write("issue/subject", { common_name: "x.y", user_ids: "joe", serial_number: "77" });
    const text = nameText(certificateIn(data.certificate).subject);
    for (const part of ["C=DE", "O=Example", "O=Sample", "OU=Ops", "L=Bonn", "ST=NW", "CN=x.y"]) {
      expect(text).toContain(part);
    }
    expect(subjectOf(certificateIn(data.certificate).subject)).toMatchObject({ userIds: ["joe"], serialNumber: "77" });
  });

  it.each([
    [{ key_type: "rsa" }, "rsa", 2048],
    [{ key_type: "ec", key_bits: 384 }, "ec", 384],
    [{ key_type: "ec", key_bits: 224 }, "ec", 224],
    [{ key_type: "ec", key_bits: 521 }, "ec", 521],
    [{ key_type: "ed25519" }, "ed25519", 0],
    [{ key_type: "ml-dsa", key_bits: 44 }, "ml-dsa", 44],
  ])("makes keys of %j", async (role, type, bits) => {
    await authority.write("roles/keys", { allow_any_name: true, ...role });
    const data = await authority.write("issue/keys", { common_name: "x.y" });
    expect(certificateIn(data.certificate).publicKey.kind).toEqual({ type, bits });
    if (type !== "ml-dsa") verify(data.certificate, data.issuing_ca);
  });

  it("lets the request choose the key where the role takes any", async () => {
    await authority.write("roles/any", { allow_any_name: true, key_type: "any" });
    expect((await authority.refusal("write", "issue/any", { common_name: "x.y" })).message).toContain(
      'role key type "any" not allowed',
    );
    expect((await authority.refusal("write", "issue/any", { common_name: "x.y", key_type: "dsa" })).message).toBe(
      "unknown key type dsa",
    );
    const data = await authority.write("issue/any", { common_name: "x.y", key_type: "ec", key_bits: 384 });
    expect(certificateIn(data.certificate).publicKey.kind).toEqual({ type: "ec", bits: 384 });
  });

  it("adds usages, policies and constraints of the role", async () => {
    await authority.write("roles/usages", {
      allow_any_name: true,
      key_type: "ec",
      server_flag: false,
      code_signing_flag: true,
      ext_key_usage: "timestamping",
      ext_key_usage_oids: "1.3.6.1.5.5.7.3.9",
      key_usage: "digitalsignature,keyEncipherment,nonsense",
      policy_identifiers: '[{"oid":"1.3.6.1.4.1.7.8","notice":"I am a notice","cps":"https://example.com/cps"}]',
      basic_constraints_valid_for_non_ca: true,
    });
    const { extensions } = certificateIn((await authority.write("issue/usages", { common_name: "x.y" })).certificate);
    expect(extensions.keyUsages).toEqual(["DigitalSignature", "KeyEncipherment"]);
    expect(extensions.extendedKeyUsages).toEqual([
      "1.3.6.1.5.5.7.3.2",
      "1.3.6.1.5.5.7.3.3",
      "1.3.6.1.5.5.7.3.8",
      "1.3.6.1.5.5.7.3.9",
    ]);
    expect(extensions.policies).toEqual([
      { oid: "1.3.6.1.4.1.7.8", notice: "I am a notice", cps: "https://example.com/cps" },
    ]);
    expect(extensions.basicConstraints).toMatchObject({ isAuthority: false });
  });
});

describe("sign", () => {
  let authority: TestAuthority;
  beforeAll(async () => {
    authority = await TestAuthority.withRoot();
    await authority.write("roles/web", web);
  });

  it("takes names from the request", async () => {
    const { csr } = await request(
      { commonName: "a.example.com", organization: ["Dropped"] },
      { names: { dnsNames: ["b.example.com"], ips: ["10.0.0.1"] } },
    );
    const data = await authority.write("sign/web", { csr });
    const certificate = certificateIn(data.certificate);
    expect(nameText(certificate.subject)).toBe("CN=a.example.com");
    expect(certificate.extensions.names).toMatchObject({
      dnsNames: ["a.example.com", "b.example.com"],
      ips: ["10.0.0.1"],
    });
    expect(data.private_key).toBeUndefined();
    verify(data.certificate, data.issuing_ca);
  });

  it("takes names from the API where the role says so", async () => {
    await authority.write("roles/api", { ...web, use_csr_common_name: false, use_csr_sans: false });
    const { csr } = await request({ commonName: "evil.org" }, { names: { dnsNames: ["evil.org"] } });
    const { certificate } = await authority.write("sign/api", {
      csr,
      common_name: "a.example.com",
      alt_names: "b.example.com",
    });
    expect(certificateIn(certificate).extensions.names.dnsNames).toEqual(["a.example.com", "b.example.com"]);
  });

  it("appends the issuer in a bundle unless it is a root that was made here", async () => {
    const { csr } = await request({ commonName: "a.example.com" });
    const data = await authority.write("sign/web", { csr, format: "pem_bundle" });
    expect(data.certificate.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ["no csr", {}, '"csr" is empty'],
    ["not PEM", { csr: "hello" }, "csr contains no data"],
    [
      "bad DER",
      { csr: "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----" },
      "certificate request could not be parsed: ",
    ],
  ])("refuses %s", async (_, body, message) => {
    const refused = await authority.refusal("write", "sign/web", body);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  it("refuses keys that the role does not take", async () => {
    await authority.write("roles/rsa", { ...web, key_type: "rsa" });
    await authority.write("roles/large", { ...web, key_type: "ec", key_bits: 384 });
    const { csr } = await request({ commonName: "a.example.com" });
    expect((await authority.refusal("write", "sign/rsa", { csr })).message).toBe("role requires keys of type rsa");
    expect((await authority.refusal("write", "sign/large", { csr })).message).toBe(
      "role requires a minimum of a 384-bit key, but CSR's key is 256 bits",
    );
  });

  it("refuses a request whose signature was tampered with", async () => {
    const { csr } = await request({ commonName: "a.example.com" });
    const der = Buffer.from(csr.split("\n").slice(1, -1).join(""), "base64");
    const at = der.indexOf("a.example.com");
    der[at] = 0x62;
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----`;
    expect((await authority.refusal("write", "sign/web", { csr: forged })).message).toBe("request signature invalid");
  });
});

describe("a lease", () => {
  it("lives as long as its certificate, and revokes it", async () => {
    const authority = await TestAuthority.withRoot();
    await authority.write("roles/leased", { ...web, generate_lease: true });
    const { answer } = await authority.server.exchange(
      "write",
      "pki/issue/leased",
      { common_name: "a.example.com", ttl: "1h" },
      authority.server.rootToken,
    );
    const { data, registered } = answer as {
      data: { serial_number: string };
      registered: { id: string; seconds: number };
    };
    expect(registered).toMatchObject({ seconds: 3600, renewable: false });
    expect(registered.id).toMatch(/^pki\/issue\/leased\//);
    await authority.server.call("write", "sys/leases/revoke", { lease_id: registered.id, sync: true });
    expect((await authority.read(`cert/${data.serial_number}`)).revocation_time).toBeGreaterThan(0);
  });
});

it("lets a certificate whose lifetime nobody named end with its issuer, and refuses one that was asked for", async () => {
  const authority = await TestAuthority.withRoot({ ttl: "24h" });
  await authority.write("roles/web", { allow_any_name: true, key_type: "ec" });
  const data = await authority.write("issue/web", { common_name: "a.b" });
  expect(certificateIn(data.certificate).notAfter).toEqual(certificateIn(data.issuing_ca).notAfter);
  expect((await authority.refusal("write", "issue/web", { common_name: "a.b", ttl: "25h" })).message).toContain(
    "that is beyond the expiration of the CA certificate",
  );
});
