/** Roles that are programs: what they may decide, and what comes of it. */
import { beforeAll, describe, expect, it } from "vitest";
import { nameText } from "../../lib/x509/name.ts";
import { certificateIn, request, TestAuthority, verify } from "./authority-fixture.suite.ts";

const output = (template: string, rest = "") => `ValidationOutput{template: CertTemplate{${template}}${rest}}`;
const named =
  "Subject: PKIX.Name{CommonName: request.common_name, Country: ['DE']}, NotBefore: now, NotAfter: now + duration('5h')";
const ec = ", key_type: 'ec', key_bits: 256u";

describe("CEL roles", () => {
  let authority: TestAuthority;
  const save = (expression: string, variables: object[] = []) =>
    authority.write("cel/roles/role", { cel_program: { variables, expression } });

  beforeAll(async () => {
    authority = await TestAuthority.withRoot();
  });

  it("are kept, changed and deleted", async () => {
    const cel_program = { variables: [{ name: "ok", expression: "true" }], expression: "ok ? 'no' : 'never'" };
    expect(await authority.write("cel/roles/one", { cel_program })).toEqual({ name: "one", cel_program });
    expect((await authority.call("list", "cel/roles")).data.keys).toEqual(["one"]);
    const patched = (await authority.call("patch", "cel/roles/one", { cel_program: { expression: "'changed'" } })).data;
    expect(patched.cel_program).toEqual({ ...cel_program, expression: "'changed'" });
    await authority.call("delete", "cel/roles/one");
    expect((await authority.refusal("read", "cel/roles/one")).status).toBe(404);
  });

  it.each<[object, string]>([
    [{}, "missing required field 'cel_program'"],
    [{ cel_program: { expression: "" } }, "cel_program.expression cannot be empty"],
    [{ cel_program: { expression: "1 +" } }, "invalid CEL syntax for main expression"],
    [{ cel_program: { expression: "x" } }, "undeclared reference to 'x'"],
    [{ cel_program: { expression: "v", variables: [{ name: "v", expression: "y" }] } }, "undeclared reference to 'y'"],
    [{ cel_program: 5 }, "'cel_program' must be a valid map"],
  ])("refuse %j", async (body, message) => {
    const refused = await authority.refusal("write", "cel/roles/bad", body);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  it("issue what the program says", async () => {
    await save(`valid ? ${output(named, ec)} : 'common_name must end in .example.com'`, [
      { name: "valid", expression: "request.common_name.endsWith('.example.com')" },
    ]);
    const data = await authority.write("cel/issue/role", { common_name: "a.example.com", anything: [1] });
    const certificate = certificateIn(data.certificate);
    expect(nameText(certificate.subject)).toBe("CN=a.example.com,C=DE");
    expect(data).toMatchObject({
      private_key_type: "ec",
      expiration: Date.UTC(2030, 0, 1, 5) / 1000,
      not_before: Date.UTC(2030, 0, 1) / 1000,
    });
    expect(data.ca_chain).toEqual([data.issuing_ca]);
    verify(data.certificate, data.issuing_ca);
    expect(await authority.refusal("write", "cel/issue/role", { common_name: "evil.org" })).toEqual({
      status: 400,
      message: "common_name must end in .example.com",
    });
  });

  it.each<[string, string, object]>([
    ["numbers are numbers", `request.n == 5 && request.n + 1 == 6 ? ${output(named, ec)} : 'no'`, {}],
    [
      "authorities",
      output(`${named}, IsCA: true, MaxPathLen: 1`, ec),
      { basicConstraints: { isAuthority: true, maxPathLength: 1 }, keyUsages: ["CertSign", "CRLSign"] },
    ],
    [
      "policies",
      output(`${named}, PolicyIdentifiers: [ObjectIdentifier{arc: [1u, 2u, 3u]}]`, ec),
      { policies: [{ oid: "1.2.3" }] },
    ],
    [
      "addresses",
      output(`${named}, IPAddresses: [net.IP{IP: b'\\x7f\\x00\\x00\\x01'}]`, ec),
      { names: { ips: ["127.0.0.1"] } },
    ],
    [
      "hosts",
      output(`${named}, DNSNames: ['a.b'], EmailAddresses: ['a@b']`, ec),
      { names: { dnsNames: ["a.b"], emails: ["a@b"] } },
    ],
    [
      "usages",
      output(`${named}, KeyUsage: KeyUsage.KeyUsageKeyAgreement, ExtKeyUsage: [ExtKeyUsage.ExtKeyUsageServerAuth]`, ec),
      { keyUsages: ["KeyAgreement"], extendedKeyUsages: ["1.3.6.1.5.5.7.3.1"] },
    ],
    ["several usages", output(`${named}, KeyUsage: 96`, ec), { keyUsages: ["CertSign", "CRLSign"] }],
    ["identities", `entity_id == '' && entity_groups.size() == 0 ? ${output(named, ec)} : 'no'`, {}],
  ])("know %s", async (_, expression, expected) => {
    await save(expression);
    const { certificate } = await authority.write("cel/issue/role", { common_name: "x.y", n: 5 });
    expect(certificateIn(certificate).extensions).toMatchObject(expected);
  });

  it.each<[string, object, string]>([
    ["true", {}, "request denied"],
    ["1", {}, "unexpected mainProgram result type int"],
    ["ValidationOutput{}", {}, "template is nil"],
    ["request.missing", {}, "error evaluating mainProgram: "],
    [output(named, ", key_type: 'dsa'"), {}, "unknown key type dsa"],
    [output(named, `${ec}, issuer_ref: 'nobody'`), {}, "unable to find PKI issuer for reference: nobody"],
    [
      output(named, ec),
      { ttl: "1h", not_after: "2031-01-01T00:00:00Z" },
      "Either ttl or not_after should be provided.",
    ],
  ])("refuse with %s and %j", async (expression, body, message) => {
    await save(expression);
    const refused = await authority.refusal("write", "cel/issue/role", { common_name: "x", ...body });
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  it("sign requests, which they may look into", async () => {
    await save(
      `use_csr && parsed_csr.DNSNames == ['a.b'] ? ${output("Subject: PKIX.Name{CommonName: parsed_csr.Subject.CommonName}, NotBefore: now, NotAfter: now + duration('1h')", ", no_store: true")} : 'no'`,
    );
    const { csr } = await request({ commonName: "from csr" }, { names: { dnsNames: ["a.b"] } });
    const data = await authority.write("cel/sign/role", { csr });
    expect(nameText(certificateIn(data.certificate).subject)).toBe("CN=from csr");
    expect(data.private_key).toBeUndefined();
    await expect(authority.read(`cert/${data.serial_number}`)).rejects.toThrow();
    expect((await authority.refusal("write", "cel/sign/role")).message).toBe('"csr" is empty');
    const { dry_run } = await authority.write("cel/sign/role", { csr, dry_run: true });
    expect(dry_run.subject).toBe("CN=from csr");
  });
});
