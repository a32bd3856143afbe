/** Roots, intermediates, imports, issuers and keys, as operators set them up. */
import { beforeAll, describe, expect, it } from "vitest";
import { basicConstraints } from "../../lib/x509/basic-constraints.ts";
import { keyUsage } from "../../lib/x509/key-usage.ts";
import { nameText } from "../../lib/x509/name.ts";
import { certificateIn, request, TestAuthority, verify } from "./authority-fixture.suite.ts";

describe("a root", () => {
  it.each([
    [{ key_type: "rsa" }, "rsa", 2048],
    [{ key_type: "ec", key_bits: 384 }, "ec", 384],
    [{ key_type: "ed25519" }, "ed25519", 0],
    [{ key_type: "rsa", use_pss: true, signature_bits: 512 }, "rsa", 2048],
  ])("of %j signs itself", async (wishes, type, bits) => {
    const authority = await TestAuthority.mounted();
    const data = await authority.write("root/generate/internal", {
      common_name: "Example Root",
      ttl: "8760h",
      ...wishes,
    });
    const certificate = certificateIn(data.certificate);
    expect(certificate.publicKey.kind).toEqual({ type, bits });
    expect(certificate.extensions.basicConstraints).toMatchObject({ isAuthority: true });
    expect(certificate.extensions.keyUsages).toEqual(["CertSign", "CRLSign"]);
    expect(data.private_key).toBeUndefined();
    verify(data.certificate, data.certificate);
    await authority.write("roles/web", { allow_any_name: true, key_type: "ec" });
    const leaf = await authority.write("issue/web", { common_name: "a.example.com" });
    verify(leaf.certificate, data.certificate);
  });

  it("shows its key once, if asked", async () => {
    const authority = await TestAuthority.mounted();
    const data = await authority.write("root/generate/exported", {
      common_name: "R",
      key_type: "ec",
      format: "pem_bundle",
    });
    expect(data.private_key).toMatch(/^-----BEGIN EC PRIVATE KEY/);
    expect(data.certificate).toContain("-----BEGIN CERTIFICATE-----");
    expect(await authority.read(`key/${data.key_id}`)).toEqual({
      key_id: data.key_id,
      key_name: "",
      key_type: "ec",
      subject_key_id: expect.stringMatching(/^[0-9a-f]{2}(:[0-9a-f]{2}){19}$/),
    });
  });

  it("takes constraints, subject and path length", async () => {
    const authority = await TestAuthority.mounted();
    const { data, warnings } = await authority.call("write", "root/generate/internal", {
      common_name: "Example Root",
      organization: "Example",
      country: "DE",
      key_type: "ec",
      max_path_length: 0,
      permitted_dns_domains: ".example.com,example.org",
      excluded_ip_ranges: "10.0.0.0/8",
      not_before: "2029-06-01T00:00:00Z",
      not_after: "9999-12-31T23:59:59Z",
    });
    const certificate = certificateIn(data.certificate);
    expect(nameText(certificate.subject)).toBe("CN=Example Root,O=Example,C=DE");
    expect(certificate.extensions.basicConstraints?.maxPathLength).toBe(0);
    expect(certificate.extensions.nameConstraints?.permitted.dnsDomains).toEqual([".example.com", "example.org"]);
    expect(certificate.extensions.nameConstraints?.excluded.ipRanges).toEqual(["10.0.0.0/8"]);
    expect(certificate.notBefore.toISOString()).toBe("2029-06-01T00:00:00.000Z");
    expect(certificate.notAfter.toISOString()).toBe("9999-12-31T23:59:59.000Z");
    expect(warnings.join()).toContain("Max path length of the generated certificate is zero");
    const { csr } = await request({ commonName: "I" });
    expect((await authority.refusal("write", "root/sign-intermediate", { csr, common_name: "I" })).message).toBe(
      "signing certificate has a max path length of zero, and cannot issue further CA certificates",
    );
  });

  it.each<[string, object, string]>([
    ["root/generate/sideways", {}, 'the "exported" path parameter must be "internal", "existing", exported" or "kms"'],
    ["root/generate/existing", { key_type: "ec" }, "invalid parameter for the kms/existing path parameter"],
    ["root/generate/internal", { key_type: "dsa" }, "unknown key type dsa"],
    [
      "root/generate/internal",
      { key_type: "rsa", key_bits: 1024 },
      "RSA keys < 2048 bits are unsafe and not supported: got 1024",
    ],
    ["root/generate/internal", { key_type: "ec", key_bits: 255 }, "unsupported bit length for EC key: 255"],
    ["root/generate/internal", { issuer_name: "default" }, "reserved keyword 'default' can not be used as issuer name"],
    ["root/generate/internal", { issuer_name: "a b" }, "issuer name contained invalid characters"],
    ["root/generate/internal", { issuer_name: "root", key_type: "ec" }, "issuer name already in use"],
    ["root/generate/internal", { signature_bits: 100 }, "unsupported hash signature algorithm: 100"],
  ])("at %s refuses %j", async (path, body, message) => {
    const authority = await TestAuthority.withRoot();
    const refused = await authority.refusal("write", path, body);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  it("is followed by another", async () => {
    const authority = await TestAuthority.withRoot();
    const next = await authority.write("root/rotate/internal", { common_name: "Second", key_type: "ec" });
    expect(next.issuer_name).toBe("next");
    expect((await authority.read("config/issuers")).default).not.toBe(next.issuer_id);
    expect(await authority.write("root/replace", {})).toMatchObject({ default: next.issuer_id });
    expect((await authority.read("cert/ca")).certificate).toBe(next.certificate);
    await authority.call("delete", "root");
    await expect(authority.call("list", "issuers")).resolves.toMatchObject({ data: { keys: [] } });
  });
});

describe("an intermediate", () => {
  let authority: TestAuthority;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  let signed: any;
  let csr = "";
  beforeAll(async () => {
    authority = await TestAuthority.withRoot();
    await authority.server.call("write", "sys/mounts/mid", { type: "pki" });
    const begun = await authority.server.call("write", "mid/intermediate/generate/internal", {
      common_name: "Example Intermediate",
      key_type: "ec",
    });
    csr = begun.data.csr;
    signed = await authority.write("root/sign-intermediate", {
      csr,
      common_name: "Example Intermediate",
      ttl: "8760h",
    });
  });

  it("is signed by the root", () => {
    const certificate = certificateIn(signed.certificate);
    expect(certificate.extensions.basicConstraints).toMatchObject({ isAuthority: true });
    expect(certificate.extensions.keyUsages).toEqual(["KeyEncipherment", "KeyAgreement", "CertSign", "CRLSign"]);
    expect(signed.ca_chain).toEqual([signed.certificate, signed.issuing_ca]);
    verify(signed.certificate, signed.issuing_ca);
  });

  it("issues once it has its certificate", async () => {
    const { data } = await authority.server.call("write", "mid/intermediate/set-signed", {
      certificate: `${signed.certificate}\n${signed.issuing_ca}`,
    });
    expect(data.imported_issuers).toHaveLength(2);
    expect(data.imported_keys).toBeNull();
    expect(Object.values(data.mapping).filter((id) => id !== "")).toHaveLength(1);
    await authority.server.call("write", "mid/roles/web", { allow_any_name: true, key_type: "ec" });
    const leaf = (await authority.server.call("write", "mid/issue/web", { common_name: "a.example.com" })).data;
    expect(leaf.ca_chain).toEqual([signed.certificate, signed.issuing_ca]);
    verify(leaf.certificate, signed.issuing_ca, [signed.certificate]);
    const trimmed = (
      await authority.server.call("write", "mid/issue/web", { common_name: "a.b", remove_roots_from_chain: true })
    ).data;
    expect(trimmed.ca_chain).toEqual([signed.certificate]);
    const leafRequest = await request({ commonName: "a.example.com" });
    const bundle = (
      await authority.server.call("write", "mid/sign/web", { csr: leafRequest.csr, format: "pem_bundle" })
    ).data;
    expect(bundle.certificate.endsWith(signed.certificate)).toBe(true);
    const again = await authority.server.call("write", "mid/intermediate/set-signed", {
      certificate: signed.certificate,
    });
    expect(again.data).toMatchObject({ imported_issuers: null, existing_issuers: [expect.any(String)] });
  });

  it.each<[string, object, (text: string) => void]>([
    [
      "path length",
      { max_path_length: 0 },
      (pem) => expect(certificateIn(pem).extensions.basicConstraints?.maxPathLength).toBe(0),
    ],
    [
      "key usages",
      { key_usage: "DigitalSignature" },
      (pem) => expect(certificateIn(pem).extensions.keyUsages).toEqual(["DigitalSignature", "CertSign", "CRLSign"]),
    ],
    [
      "no key usages",
      { key_usage: [] },
      (pem) => expect(certificateIn(pem).extensions.keyUsages).toEqual(["CertSign", "CRLSign"]),
    ],
    [
      "extended usages",
      { ext_key_usage: "ServerAuth", ext_key_usage_oids: "1.2.3.4" },
      (pem) => expect(certificateIn(pem).extensions.extendedKeyUsages).toEqual(["1.3.6.1.5.5.7.3.1", "1.2.3.4"]),
    ],
    [
      "key id",
      { skid: "aa:bb-cc dd" },
      (pem) => expect(Buffer.from(certificateIn(pem).extensions.subjectKeyId!).toString("hex")).toBe("aabbccdd"),
    ],
    [
      "constraints",
      { permitted_dns_domains: ["example.com"] },
      (pem) => expect(certificateIn(pem).extensions.nameConstraints?.permitted.dnsDomains).toEqual(["example.com"]),
    ],
    [
      "subject",
      { ou: "Ops", serial_number: "5" },
      (pem) => expect(nameText(certificateIn(pem).subject)).toContain("OU=Ops"),
    ],
    [
      "beginning",
      { not_before: "2029-01-01T00:00:00Z" },
      (pem) => expect(certificateIn(pem).notBefore.toISOString()).toBe("2029-01-01T00:00:00.000Z"),
    ],
    [
      "backdating",
      { not_before_duration: "1h" },
      (pem) => expect(certificateIn(pem).notBefore.toISOString()).toBe("2029-12-31T23:00:00.000Z"),
    ],
    [
      "end",
      { not_after: "9999-12-31T23:59:59Z" },
      (pem) => expect(certificateIn(pem).notAfter.toISOString()).toBe("9999-12-31T23:59:59.000Z"),
    ],
    [
      "names",
      { alt_names: "ca.example.com", ip_sans: "10.0.0.1" },
      (pem) =>
        expect(certificateIn(pem).extensions.names).toMatchObject({ dnsNames: ["ca.example.com"], ips: ["10.0.0.1"] }),
    ],
  ])("takes %s", async (_, wishes, check) => {
    const data = await authority.write("issuer/root/sign-intermediate", {
      csr,
      common_name: "Example Intermediate",
      ...wishes,
    });
    check(data.certificate);
  });

  it("takes everything from its request, if asked, but what makes an authority", async () => {
    const own = await request(
      { commonName: "From CSR", organization: ["CSR"] },
      { names: { dnsNames: ["csr.example.com"] }, extensions: [keyUsage(["DigitalSignature"])] },
    );
    const { certificate } = await authority.write("root/sign-intermediate", {
      csr: own.csr,
      common_name: "Ignored",
      use_csr_values: true,
    });
    const parsed = certificateIn(certificate);
    expect(nameText(parsed.subject)).toBe("CN=From CSR,O=CSR");
    expect(parsed.extensions.names.dnsNames).toEqual(["csr.example.com"]);
    expect(parsed.extensions.keyUsages).toEqual(["DigitalSignature", "CertSign", "CRLSign"]);
  });

  it("is signed again as it is, where it is self-issued", async () => {
    const other = await TestAuthority.withRoot({ common_name: "Other Root" });
    const given = (await other.read("cert/ca")).certificate;
    const data = await authority.write("root/sign-self-issued", { certificate: given });
    expect(nameText(certificateIn(data.certificate).subject)).toBe("CN=Other Root");
    expect(nameText(certificateIn(data.certificate).issuer)).toBe("CN=Example Root");
    verify(data.certificate, data.issuing_ca);
    await authority.write("issuer/root/sign-self-issued", {
      certificate: given,
      require_matching_certificate_algorithms: true,
    });
    expect((await authority.refusal("write", "root/sign-self-issued", { certificate: "x" })).message).toBe(
      "certificate could not be PEM-decoded",
    );
    expect(
      (await authority.refusal("write", "root/sign-self-issued", { certificate: signed.certificate })).message,
    ).toBe("given certificate is not self-issued");
  });
});

describe("sign-verbatim", () => {
  let authority: TestAuthority;
  beforeAll(async () => {
    authority = await TestAuthority.withRoot();
  });

  it("copies the request", async () => {
    const { csr } = await request(
      { commonName: "Anything goes", organization: ["O"] },
      { names: { dnsNames: ["x_y"], uris: ["a:b"] } },
    );
    const data = await authority.write("sign-verbatim", { csr, user_ids: "joe", not_before: "2029-12-01T00:00:00Z" });
    const certificate = certificateIn(data.certificate);
    expect(nameText(certificate.subject)).toContain("CN=Anything goes,O=O");
    expect(nameText(certificate.subject)).toMatch(/^0\.9\.2342\.19200300\.100\.1\.1=|^UID=joe/);
    expect(certificate.extensions.names).toMatchObject({ dnsNames: ["x_y"], uris: ["a:b"] });
    expect(certificate.extensions.keyUsages).toEqual(["DigitalSignature", "KeyEncipherment", "KeyAgreement"]);
    expect(certificate.notBefore.toISOString()).toBe("2029-12-01T00:00:00.000Z");
    verify(data.certificate, data.issuing_ca);
  });

  it("uses its own usages only where the request has none", async () => {
    const { csr } = await request({ commonName: "x" }, { extensions: [keyUsage(["DataEncipherment"])] });
    const data = await authority.write("issuer/root/sign-verbatim", {
      csr,
      key_usage: "DigitalSignature",
      ext_key_usage: "ClientAuth",
    });
    const { extensions } = certificateIn(data.certificate);
    expect(extensions.keyUsages).toEqual(["DataEncipherment"]);
    expect(extensions.extendedKeyUsages).toEqual(["1.3.6.1.5.5.7.3.2"]);
  });

  it("refuses to make an authority", async () => {
    for (const made of [basicConstraints({ isAuthority: true }), keyUsage(["CertSign"])]) {
      const { csr } = await request({ commonName: "CA" }, { extensions: [made] });
      const refused = await authority.refusal("write", "sign-verbatim", { csr });
      expect(refused.status).toBe(400);
      expect(refused.message).toContain("refusing to sign an intermediate CA certificate");
    }
  });

  it("takes lifetimes and storage from a role, in the path or in the body", async () => {
    await authority.write("roles/short", {
      ttl: "2h",
      max_ttl: "4h",
      no_store: true,
      not_before_duration: "1m",
      basic_constraints_valid_for_non_ca: true,
    });
    const { csr } = await request({ commonName: "x" });
    for (const [path, body] of [
      ["sign-verbatim/short", {}],
      ["sign-verbatim", { name: "short" }],
      ["issuer/root/sign-verbatim/short", {}],
    ] as const) {
      const data = await authority.write(path, { csr, ...body });
      expect(data.expiration).toBe(Date.UTC(2030, 0, 1, 2) / 1000);
      expect(data.not_before).toBe(Date.UTC(2030, 0, 1) / 1000 - 60);
      expect(certificateIn(data.certificate).extensions.basicConstraints).toMatchObject({ isAuthority: false });
      await expect(authority.read(`cert/${data.serial_number}`)).rejects.toThrow();
    }
    expect((await authority.refusal("write", "sign-verbatim/none", { csr })).message).toBe("unknown role: none");
  });
});

describe("imports", () => {
  it("bring in issuers with and without keys", async () => {
    const other = await TestAuthority.mounted();
    const made = await other.write("root/generate/exported", { common_name: "Elsewhere", key_type: "ec" });
    const authority = await TestAuthority.mounted();
    const first = await authority.write("issuers/import/cert", { pem_bundle: made.certificate });
    expect(first).toMatchObject({ imported_issuers: [expect.any(String)], imported_keys: null });
    const [id] = first.imported_issuers;
    expect(first.mapping).toEqual({ [id]: "" });
    const second = await authority.write("config/ca", { pem_bundle: `${made.private_key}\n${made.certificate}` });
    expect(second).toMatchObject({ existing_issuers: [id], imported_keys: [expect.any(String)] });
    expect((await authority.read(`issuer/${id}`)).key_id).toBe(second.imported_keys[0]);
    await authority.write("roles/web", { allow_any_name: true, key_type: "ec" });
    verify((await authority.write("issue/web", { common_name: "a.b" })).certificate, made.certificate);
  });

  it.each<[string, object, string]>([
    ["issuers/import/bundle", {}, "'pem_bundle' and 'certificate' parameters were empty"],
    ["config/ca", { pem_bundle: "/etc/ca.pem" }, "provided data for import was too short; perhaps a path was passed"],
    ["config/ca", { pem_bundle: "x".repeat(100) }, "error when parsing block 1: invalid PEM data"],
  ])("at %s refuse %j", async (path, body, message) => {
    const authority = await TestAuthority.mounted();
    expect((await authority.refusal("write", path, body)).message).toContain(message);
  });

  it("refuse keys where only certificates are wanted, and leaves where only authorities are", async () => {
    const authority = await TestAuthority.withRoot();
    await authority.write("roles/web", { allow_any_name: true, key_type: "ec" });
    const leaf = await authority.write("issue/web", { common_name: "a.b" });
    expect(
      (
        await authority.refusal("write", "issuers/import/cert", {
          pem_bundle: `${leaf.private_key}\n${leaf.certificate}`,
        })
      ).message,
    ).toContain("private keys found in the PEM bundle but not allowed by the path");
    expect((await authority.refusal("write", "config/ca", { pem_bundle: leaf.certificate })).message).toContain(
      "Refusing to import non-CA certificate",
    );
  });
});

describe("issuers and keys", () => {
  it("are renamed, changed and deleted", async () => {
    const authority = await TestAuthority.withRoot();
    const before = await authority.read("issuer/root");
    const patched = (await authority.call("patch", "issuer/root", { leaf_not_after_behavior: "truncate" })).data;
    expect(patched).toEqual({ ...before, leaf_not_after_behavior: "truncate" });
    const written = await authority.write("issuer/root", { issuer_name: "first", usage: "crl-signing,read-only" });
    expect(written).toMatchObject({
      issuer_name: "first",
      leaf_not_after_behavior: "err",
      usage: "crl-signing,read-only",
    });
    expect((await authority.refusal("read", "issuer/root")).status).toBe(404);
    await authority.write("roles/web", { allow_any_name: true });
    expect((await authority.refusal("write", "issue/web", { common_name: "a.b" })).message).toContain(
      "requested usage issuing-certificates for issuer",
    );
    const { keys, key_info } = (await authority.call("list", "issuers")).data;
    expect(key_info[keys[0]]).toMatchObject({ issuer_name: "first", is_default: true });
    const { key_id } = written;
    expect((await authority.refusal("delete", `key/${key_id}`)).message).toBe(
      `Failed to Delete Key.  Key in Use by Issuer: ${keys[0]}`,
    );
    expect((await authority.call("delete", "issuer/first")).warnings.join()).toContain("was the default issuer");
    await authority.call("delete", `key/${key_id}`);
    expect((await authority.call("list", "keys")).data.keys).toEqual([]);
  });

  it.each([
    [{ leaf_not_after_behavior: "always_enforce_err" }, "Unknown value for field `leaf_not_after_behavior`."],
    [
      { usage: "foo" },
      "Unable to parse specified usages: [foo] - valid values are crl-signing,issuing-certificates,ocsp-signing,read-only",
    ],
    [{ manual_chain: "nobody" }, "unable to find PKI issuer for reference: nobody"],
    [{ revocation_signature_algorithm: "MD5" }, "Unknown signature algorithm value: MD5"],
    [
      { revocation_signature_algorithm: "SHA256WithRSA" },
      "unable to use issuer of type ec to sign with SHA256WithRSA key type",
    ],
    [
      { issuing_certificates: "nowhere" },
      "invalid URL found in Authority Information Access (AIA) parameter issuing_certificates: nowhere",
    ],
  ])("refuse %j", async (body, message) => {
    const authority = await TestAuthority.withRoot();
    const refused = await authority.refusal("patch", "issuer/root", body);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  it("are generated and imported", async () => {
    const authority = await TestAuthority.mounted();
    const made = await authority.write("keys/generate/exported", { key_name: "one", key_type: "ec" });
    expect(made).toMatchObject({
      key_name: "one",
      key_type: "ec",
      private_key: expect.stringContaining("EC PRIVATE KEY"),
    });
    expect(await authority.read("config/keys")).toEqual({ default: made.key_id });
    const again = await authority.call("write", "keys/import", { pem_bundle: made.private_key });
    expect(again.data.key_id).toBe(made.key_id);
    expect(again.warnings).toHaveLength(1);
    expect((await authority.write("key/one", { key_name: "two" })).key_name).toBe("two");
    const root = await authority.write("root/generate/existing", { common_name: "R", key_ref: "two" });
    expect(root.key_id).toBe(made.key_id);
    expect((await authority.refusal("write", "keys/generate/kms")).message).toBe("Unknown type of key to generate");
  });
});
