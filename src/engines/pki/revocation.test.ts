/** Revocation, as clients hear of it: by CRL, by OCSP, and by asking. */
import { beforeAll, describe, expect, it } from "vitest";
import { RawReply } from "../../api/reply.ts";
import { parsePem } from "../../lib/x509/pem.ts";
import { parseRevocationList } from "../../lib/x509/revocation-list.ts";
import { serialText } from "../../lib/x509/serial-number.ts";
import { openssl, opensslFile, TestAuthority } from "./authority-fixture.suite.ts";

const listed = (pem: string): string[] =>
  [...parseRevocationList(parsePem(pem)[0]!.der).entries()].map(({ serial }) => serialText(serial));

async function withRole(settings: object = {}): Promise<TestAuthority> {
  const authority = await TestAuthority.withRoot(settings);
  await authority.write("roles/web", { allow_any_name: true, key_type: "ec" });
  return authority;
}

const issue = (authority: TestAuthority) => authority.write("issue/web", { common_name: "a.b" });

describe("revoke", () => {
  let authority: TestAuthority;
  beforeAll(async () => {
    authority = await withRole();
  });

  it("puts a certificate on the CRL, once", async () => {
    const { serial_number, issuing_ca } = await issue(authority);
    const revoked = await authority.write("revoke", {
      serial_number: serial_number.replaceAll(":", "-").toUpperCase(),
    });
    expect(revoked).toEqual({
      revocation_time: Date.UTC(2030, 0, 1) / 1000,
      revocation_time_rfc3339: "2030-01-01T00:00:00.000Z",
      state: "revoked",
    });
    authority.server.passSeconds(60);
    expect(await authority.write("revoke", { serial_number })).toEqual(revoked);
    const { crl } = await authority.read("issuer/root/crl");
    expect(listed(crl)).toEqual([serial_number]);
    openssl({ "crl.pem": crl, "ca.pem": issuing_ca }, "crl", "-in", "crl.pem", "-CAfile", "ca.pem", "-noout");
    expect((await authority.call("list", "certs/revoked")).data.keys).toEqual([serial_number]);
    expect((await authority.read(`cert/${serial_number}`)).revocation_time).toBe(revoked.revocation_time);
  });

  it("takes the certificate itself, also one that is not stored", async () => {
    await authority.write("roles/unstored", { allow_any_name: true, key_type: "ec", no_store: true });
    const { certificate, serial_number } = await authority.write("issue/unstored", { common_name: "a.b" });
    await authority.write("revoke", { certificate, reason: "keyCompromise" });
    expect(listed((await authority.read("cert/crl")).certificate)).toContain(serial_number);
  });

  it("takes the word of whoever holds the key", async () => {
    const mine = await issue(authority);
    const other = await issue(authority);
    const { serial_number } = mine;
    for (const [private_key, message] of [
      ["", "Must have private key to revoke via the /revoke-with-key path."],
      ["/home/joe/key.pem", "Provided data for private_key was too short"],
      [other.private_key, "provided private key does not match certificate's public key"],
    ]) {
      const refused = await authority.refusal("write", "revoke-with-key", { serial_number, private_key });
      expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message!) });
    }
    const { private_key, certificate } = mine;
    expect(await authority.write("revoke-with-key", { certificate, private_key })).toMatchObject({ state: "revoked" });
  });

  it.each<[object, string]>([
    [{}, "The serial number or certificate to revoke must be provided."],
    [
      { serial_number: "aa", certificate: "bb" },
      "Must provide either the certificate or the serial to revoke; not both.",
    ],
    [{ serial_number: "aa:bb" }, "certificate with serial aa:bb not found."],
    [{ serial_number: "" }, "The serial number must be provided"],
    [{ serial_number: "zz" }, "is not a serial number"],
    [{ certificate: "hello" }, "certificate could not be PEM-decoded"],
    [{ serial_number: "aa:bb", reason: "boredom" }, 'unknown reason "boredom"'],
  ])("refuses %j", async (body, message) => {
    const refused = await authority.refusal("write", "revoke", body);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  it("refuses issuers, and certificates of others", async () => {
    const { certificate } = await authority.read("cert/ca");
    const { keys, key_info } = (await authority.call("list", "issuers")).data;
    const { serial_number } = key_info[keys[0]];
    for (const body of [{ serial_number }, { certificate }]) {
      expect((await authority.refusal("write", "revoke", body)).message).toBe(
        `adding issuer (id: ${keys[0]}) to its own CRL is not allowed`,
      );
    }
    const stranger = await issue(await withRole());
    expect((await authority.refusal("write", "revoke", { certificate: stranger.certificate })).message).toContain(
      "unable to verify signature on presented cert",
    );
  });

  it("leaves alone what has expired", async () => {
    const { serial_number } = await authority.write("issue/web", { common_name: "a.b", ttl: "1h" });
    authority.server.passSeconds(3600);
    const { data, warnings } = await authority.call("write", "revoke", { serial_number });
    expect([data?.data, warnings]).toEqual([undefined, [expect.stringContaining("already expired")]]);
  });
});

describe("CRLs", () => {
  it("have numbers, deltas, and a way to ask whether they changed", async () => {
    const authority = await withRole();
    const first = parseRevocationList(parsePem((await authority.read("issuer/root/crl")).crl)[0]!.der);
    const { serial_number } = await issue(authority);
    await authority.write("config/crl", { auto_rebuild: true, enable_delta: true });
    await authority.write("revoke", { serial_number });
    expect(listed((await authority.read("issuer/root/crl")).crl)).toEqual([]);
    expect(await authority.read("crl/rotate-delta")).toEqual({ success: true });
    const delta = parseRevocationList(parsePem((await authority.read("issuer/root/crl/delta")).crl)[0]!.der);
    expect([...delta.entries()]).toHaveLength(1);
    expect(delta.baseNumber).toBeGreaterThan(first.number!);
    expect(await authority.read("crl/rotate")).toEqual({ success: true });
    expect(listed((await authority.read("issuer/root/crl")).crl)).toEqual([serial_number]);
    expect(listed((await authority.read("issuer/root/crl/delta")).crl)).toEqual([]);
    const raw = (await authority.call("read", "crl", {}, "")).data as RawReply;
    expect(raw).toBeInstanceOf(RawReply);
    expect(raw.headers).toMatchObject({
      "content-type": "application/pkix-crl",
      etag: expect.any(String),
      "last-modified": expect.any(String),
    });
  });

  it.each([
    [{ enable_delta: true }, "Delta CRLs cannot be enabled when auto rebuilding is disabled"],
    [
      { auto_rebuild: true, auto_rebuild_grace_period: "100h" },
      "CRL auto-rebuilding grace period (100h) must be strictly shorter than CRL expiry (72h)",
    ],
    [
      { auto_rebuild: true, enable_delta: true, delta_rebuild_interval: "100h" },
      "CRL delta rebuild window (100h) must be strictly shorter",
    ],
    [{ expiry: "soon" }, "given expiry could not be decoded"],
    [{ ocsp_expiry: "-1h" }, "ocsp_expiry must be greater than or equal to 0"],
  ])("refuse %j", async (body, message) => {
    const authority = await TestAuthority.mounted();
    expect((await authority.refusal("write", "config/crl", body)).message).toContain(message);
  });

  it("tell of a revoked intermediate, in the list of the root", async () => {
    const authority = await withRole();
    const { csr } = await authority.write("intermediate/generate/internal", { common_name: "Mid", key_type: "ec" });
    const signed = await authority.write("root/sign-intermediate", { csr, common_name: "Mid" });
    const { imported_issuers } = await authority.write("intermediate/set-signed", { certificate: signed.certificate });
    const revoked = await authority.write(`issuer/${imported_issuers[0]}/revoke`);
    expect(revoked).toMatchObject({ revoked: true, usage: "crl-signing,ocsp-signing,read-only" });
    expect(listed((await authority.read("issuer/root/crl")).crl)).toEqual([signed.serial_number]);
    expect(listed((await authority.read(`issuer/${imported_issuers[0]}/crl`)).crl)).toEqual([]);
  });

  it("are combined and signed for others", async () => {
    const authority = await withRole();
    const { serial_number } = await issue(authority);
    await authority.write("revoke", { serial_number });
    const { crl } = await authority.read("issuer/root/crl");
    const own = await authority.write("issuer/root/sign-revocation-list", {
      crl_number: 9,
      revoked_certs: [{ serial_number: "1a:2b", revocation_time: "2029-01-01T00:00:00Z" }],
    });
    const both = await authority.write("issuer/root/resign-crls", { crls: [crl, own.crl], crl_number: 10 });
    expect(listed(both.crl).sort()).toEqual([serial_number, "1a:2b"].sort());
  });
});

describe("OCSP", () => {
  const ask = async (authority: TestAuthority, question: Buffer): Promise<RawReply> =>
    (await authority.call("read", `ocsp/${question.toString("base64")}`, {}, "")).data;

  it.each([{ key_type: "ec" }, { key_type: "rsa" }, { key_type: "ed25519" }])(
    "answers for %j, as openssl reads it",
    async (kind) => {
      const authority = await withRole(kind);
      const good = await issue(authority);
      const bad = await issue(authority);
      await authority.write("revoke", { serial_number: bad.serial_number, reason: "superseded" });
      for (const [leaf, words] of [
        [good, /(: |\n)good\n/],
        [bad, /(: |\n)revoked\n/],
      ] as const) {
        const files = { "ca.pem": leaf.issuing_ca, "leaf.pem": leaf.certificate };
        const question = opensslFile(files, "ocsp", "-issuer", "ca.pem", "-cert", "leaf.pem", "-reqout", "out");
        const reply = await ask(authority, question);
        expect([reply.status, reply.headers["content-type"]]).toEqual([200, "application/ocsp-response"]);
        const options = ["-respin", "answer.der", "-no_nonce", "-issuer", "ca.pem", "-cert", "leaf.pem"];
        const text = openssl(
          { ...files, "answer.der": reply.body as Uint8Array },
          ...["ocsp", ...options, "-CAfile", "ca.pem"],
        );
        expect(text).toMatch(words);
      }
    },
  );

  it("says what is wrong with a question", async () => {
    const authority = await withRole();
    expect((await ask(authority, Buffer.from("hello"))).status).toBe(400);
    expect((await ask(authority, Buffer.alloc(3000))).status).toBe(400);
    await authority.write("config/crl", { ocsp_disable: true });
    expect((await ask(authority, Buffer.from("hello"))).status).toBe(401);
  });
});
