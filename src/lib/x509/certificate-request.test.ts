import fc from "fast-check";
import * as pkijs from "pkijs";
import { beforeEach, describe, expect, test } from "vitest";
import { noOpenssl } from "../../../test/support/issued-certificates.ts";
import { openssl, withOpenssl } from "../../../test/support/openssl.ts";
import { classicalKinds, latticeKinds, testKey } from "../../../test/support/x509-authority.ts";
import { boolean, explicit, integer, objectIdentifier, sequence, setOf, utf8String } from "../der/writer.ts";
import { subjectAltName } from "./alternative-names.ts";
import { basicConstraints } from "./basic-constraints.ts";
import { buildRequest, isRequestSigned, parseRequest } from "./certificate-request.ts";
import { publicKeyOf } from "./key.ts";
import { extendedKeyUsage, keyUsage } from "./key-usage.ts";
import { encodeSubject, nameText, subjectOf } from "./name.ts";
import { pemBlocksOf, pemText } from "./pem.ts";
import { signatureAlgorithmFor, signerWith } from "./signature.ts";
import { X509Error } from "./x509-error.ts";

const key = await testKey({ type: "ec", bits: 256 });
const signer = signerWith(key);
const publicKey = publicKeyOf(key).spki;
const subject = encodeSubject({ commonName: "web.example.com", organization: ["Example"], userIds: ["joe"] });
const extensions = [
  subjectAltName({ dnsNames: ["web.example.com"], ips: ["10.0.0.1"], otherNames: [{ oid: "1.2.3.4", value: "ü" }] }),
  keyUsage(["DigitalSignature"]),
  extendedKeyUsage(["1.3.6.1.5.5.7.3.1"]),
  basicConstraints({ isAuthority: true, maxPathLength: 1 }),
];
const request = buildRequest({ subject, publicKey, extensions }, signer);

test.each([...classicalKinds, ...latticeKinds])("$name: written, read and verified", async (kind) => {
  const own = await testKey(kind);
  const by = signerWith(own, signatureAlgorithmFor(kind, { bits: 0, pss: kind.pss ?? false }));
  const der = buildRequest({ subject, publicKey: publicKeyOf(own).spki, extensions }, by);
  const read = parseRequest(der);
  expect(isRequestSigned(read)).toBe(true);
  expect(read.publicKey.kind).toEqual({ type: kind.type, bits: kind.bits });
  expect(subjectOf(read.subject)).toMatchObject({ commonName: "web.example.com", userIds: ["joe"] });
  expect(read.extensions).toMatchObject({
    names: { dnsNames: ["web.example.com"], ips: ["10.0.0.1"], otherNames: [{ oid: "1.2.3.4", value: "ü" }] },
    keyUsages: ["DigitalSignature"],
    extendedKeyUsages: ["1.3.6.1.5.5.7.3.1"],
    basicConstraints: { isAuthority: true, maxPathLength: 1 },
  });
  const theirs = pkijs.CertificationRequest.fromBER(Uint8Array.from(der));
  expect(theirs.subject.typesAndValues.map(({ value }) => value.valueBlock.value)).toEqual([
    "Example",
    "web.example.com",
    "joe",
  ]);
});

test("without extensions", () => {
  const read = parseRequest(buildRequest({ subject: encodeSubject({}), publicKey, extensions: [] }, signer));
  expect(isRequestSigned(read)).toBe(true);
  expect(read.extensions.all).toEqual([]);
});

test("a signature by another key does not count", async () => {
  const other = signerWith(await testKey({ type: "ec", bits: 384 }));
  expect(isRequestSigned(parseRequest(buildRequest({ subject, publicKey, extensions }, other)))).toBe(false);
  const changed = Buffer.from(request);
  changed[changed.indexOf("web")] = 0x57;
  expect(isRequestSigned(parseRequest(changed))).toBe(false);
});

describe("openssl", () => {
  beforeEach(({ skip }) => skip(noOpenssl !== undefined, noOpenssl));

  test.each(classicalKinds)("verifies what was written: $name", async (kind) => {
    const own = await testKey(kind);
    const by = signerWith(own, signatureAlgorithmFor(kind, { bits: 0, pss: kind.pss ?? false }));
    const der = buildRequest({ subject, publicKey: publicKeyOf(own).spki, extensions }, by);
    const text = openssl(
      { "a.csr": pemText("CERTIFICATE REQUEST", der) },
      "req",
      "-in",
      "a.csr",
      "-verify",
      "-noout",
      "-text",
    );
    expect(text).toContain("verify OK");
    expect(text).toContain("DNS:web.example.com, IP Address:10.0.0.1");
  });

  test.each([
    ["a plain one", ["-newkey", "rsa:2048"], { dnsNames: [] }],
    [
      "names",
      ["-newkey", "rsa:2048", "-addext", "subjectAltName=DNS:a.example.com,email:a@b.c,URI:urn:x"],
      { dnsNames: ["a.example.com"], emails: ["a@b.c"], uris: ["urn:x"] },
    ],
    [
      "PSS with a salt of 20",
      ["-newkey", "rsa:2048", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:20"],
      {},
    ],
    ["P-224 with SHA-512", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-224", "-sha512"], {}],
    ["Ed25519", ["-newkey", "ed25519"], {}],
    [
      "another name",
      ["-newkey", "ed25519", "-addext", "subjectAltName=otherName:1.2.3;UTF8:ü"],
      { otherNames: [{ oid: "1.2.3", value: "Ã¼" }] },
    ],
    ["a directory name", ["-newkey", "ed25519", "-addext", "subjectAltName=dirName:dn"], { dnsNames: [] }],
  ])("writes what can be read: %s", (_, words, names) => {
    const files = { cnf: "[req]\ndistinguished_name=dn\n[dn]\nO=x\n" };
    const all = [
      "req",
      "-new",
      "-config",
      "cnf",
      "-nodes",
      "-subj",
      "/C=DE/CN=web",
      "-keyout",
      "key",
      "-out",
      "csr",
      ...words,
    ];
    const [der] = withOpenssl(files, all, ({ read }) => pemBlocksOf(read("csr").toString(), "CERTIFICATE REQUEST"));
    const read = parseRequest(der!);
    expect(isRequestSigned(read)).toBe(true);
    expect(nameText(read.subject)).toBe("CN=web,C=DE");
    expect(read.extensions.names).toMatchObject(names);
  });
});

describe("refuses", () => {
  const extensionRequest = objectIdentifier("1.2.840.113549.1.9.14");
  const asked = sequence(extensionRequest, setOf(sequence(basicConstraints({ isAuthority: true }).der)));
  const built = (...parts: Uint8Array[]) =>
    sequence(sequence(...parts), signer.algorithm.der, Buffer.from("030100", "hex"));
  const odd = sequence(sequence(objectIdentifier("1.2.3")), Buffer.from("03020001", "hex"));

  test("nothing that is sound", () => {
    expect(parseRequest(built(integer(0), subject, publicKey)).extensions.all).toEqual([]);
    const password = sequence(objectIdentifier("1.2.840.113549.1.9.7"), setOf(utf8String("secret")));
    expect(
      parseRequest(built(integer(0), subject, publicKey, explicit(0, password, asked))).extensions.all,
    ).toHaveLength(1);
  });

  test.each([
    ["another version", built(integer(1), subject, publicKey), "only version 1 is known"],
    ["a key of an odd kind", built(integer(0), subject, odd), "unsupported kind"],
    ["no key", built(integer(0), subject), "ends too early"],
    ["extensions in two places", built(integer(0), subject, publicKey, explicit(0, asked, asked)), "more than once"],
    [
      "extensions in two values",
      built(integer(0), subject, publicKey, explicit(0, sequence(extensionRequest, setOf(sequence(), sequence())))),
      "more than once",
    ],
    [
      "an attribute without values",
      built(integer(0), subject, publicKey, explicit(0, sequence(extensionRequest))),
      "ends too early",
    ],
    [
      "an extension without a value",
      built(
        integer(0),
        subject,
        publicKey,
        explicit(0, sequence(extensionRequest, setOf(sequence(sequence(objectIdentifier("1.2.3")))))),
      ),
      "ends too early",
    ],
    ["more behind its attributes", built(integer(0), subject, publicKey, explicit(0), boolean(true)), "more members"],
    ["a certificate's bytes cut", request.subarray(0, -1), "the bytes end too early"],
  ])("%s", (_, der, message) => {
    expect(() => parseRequest(der)).toThrow(X509Error);
    expect(() => parseRequest(der)).toThrow(message);
  });

  test("anything else with a typed error", () => {
    const changes = fc.array(fc.tuple(fc.nat(request.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(changes, (list) => {
        const der = Buffer.from(request);
        for (const [at, value] of list) der[at] = value;
        try {
          isRequestSigned(parseRequest(der));
        } catch (error) {
          expect(error).toBeInstanceOf(X509Error);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
