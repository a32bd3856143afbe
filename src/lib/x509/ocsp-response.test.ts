import { hash } from "node:crypto";
import fc from "fast-check";
import * as pkijs from "pkijs";
import { beforeEach, describe, expect, test } from "vitest";
import { noOpenssl } from "../../../test/support/issued-certificates.ts";
import { openssl, withOpenssl } from "../../../test/support/openssl.ts";
import {
  classicalKinds,
  makeAuthority,
  makeLeaf,
  type TestAuthority,
  testKey,
} from "../../../test/support/x509-authority.ts";
import { explicit, integer, nothing, objectIdentifier, octetString, sequence } from "../der/writer.ts";
import { extension, extensionIds } from "./extension.ts";
import { keyIdOf, publicKeyOf } from "./key.ts";
import { extendedKeyUsage, extendedKeyUsages, keyUsage } from "./key-usage.ts";
import { encodeSubject } from "./name.ts";
import { type CertificateId, isAskedOf, parseOcspRequest } from "./ocsp-request.ts";
import {
  buildOcspResponse,
  type OcspAnswer,
  type OcspResponseFields,
  type OcspStatus,
  ocspErrors,
} from "./ocsp-response.ts";
import { pemText } from "./pem.ts";
import { signerWith } from "./signature.ts";
import { ocspNoCheck } from "./simple-extensions.ts";
import { X509Error } from "./x509-error.ts";

const pem = (der: Uint8Array) => `${pemText("CERTIFICATE", der)}\n`;
const authority = await makeAuthority({ type: "ec", bits: 256 });
// openssl compares answers with the clock of the machine.
const thisUpdate = new Date(Date.now() - 60_000);
const nextUpdate = new Date(Date.now() + 600_000);

const statuses: OcspStatus[] = [
  { status: "good" },
  { status: "unknown" },
  { status: "revoked", at: new Date("2026-05-01T10:00:00Z") },
  { status: "revoked", at: new Date("2026-05-01T10:00:00Z"), reason: 1 },
];

const filesOf = ({ certificate }: TestAuthority, leaf: Uint8Array) => ({
  "root.pem": pem(certificate.der),
  "leaf.pem": pem(leaf),
});

/** What openssl asks about a leaf. */
function asked(by: TestAuthority, leaf: Uint8Array, ...words: string[]): Buffer {
  const all = ["ocsp", ...words, "-issuer", "root.pem", "-cert", "leaf.pem", "-reqout", "request"];
  return withOpenssl(filesOf(by, leaf), all, ({ read }) => read("request"));
}

function respond(
  request: Uint8Array,
  status: OcspStatus,
  by: TestAuthority,
  changes: Partial<OcspResponseFields> = {},
): Uint8Array {
  const { certificates, nonce } = parseOcspRequest(request);
  const answers = certificates.map((certificate): OcspAnswer => ({ ...status, certificate, thisUpdate, nextUpdate }));
  const responder = { name: by.certificate.subject.der };
  return buildOcspResponse({ responder, producedAt: thisUpdate, answers, nonce, ...changes }, by.signer);
}

/** What openssl makes of the answer about a leaf. */
const verdict = (by: TestAuthority, leaf: Uint8Array, response: Uint8Array, ...words: string[]): string =>
  openssl(
    { ...filesOf(by, leaf), response },
    ...["ocsp", "-no_nonce", "-respin", "response", "-CAfile", "root.pem", ...words],
    ...["-issuer", "root.pem", "-cert", "leaf.pem"],
  );

/** Whether openssl takes the answer for that of its own request. */
const comparison = (by: TestAuthority, request: Uint8Array, response: Uint8Array): string =>
  openssl(
    { "root.pem": pem(by.certificate.der), request, response },
    ...["ocsp", "-reqin", "request", "-respin", "response", "-VAfile", "root.pem"],
  );

describe("openssl ocsp", () => {
  beforeEach(({ skip }) => skip(noOpenssl !== undefined, noOpenssl));

  test.each(classicalKinds)("$name is believed", async (kind) => {
    const by = await makeAuthority(kind);
    const leaf = makeLeaf(by);
    const request = asked(by, leaf);
    const text = verdict(by, leaf, respond(request, { status: "good" }, by));
    expect(text).toContain("Response verify OK");
    expect(text).toContain("leaf.pem: good");
    expect(text).not.toMatch(/warning/i);
  });

  test.each(statuses)("%j is understood", (status) => {
    const leaf = makeLeaf(authority);
    const request = asked(authority, leaf);
    const text = verdict(authority, leaf, respond(request, status, authority));
    expect(text).toContain(`leaf.pem: ${status.status}`);
    if (status.status === "revoked" && status.reason) expect(text).toContain("Reason: keyCompromise");
  });

  test.each(["-sha1", "-sha256", "-sha384", "-sha512"])("questions by %s are understood", (word) => {
    const leaf = makeLeaf(authority, { serial: 2n ** 150n });
    const request = asked(authority, leaf, word);
    const [id] = parseOcspRequest(request).certificates;
    expect(id).toMatchObject({ hash: word.slice(1), serial: 2n ** 150n });
    const { subject } = authority.certificate;
    expect(isAskedOf(id!, { subject: subject.der, publicKey: authority.publicKey })).toBe(true);
    expect(isAskedOf(id!, { subject: encodeSubject({}), publicKey: authority.publicKey })).toBe(false);
    expect(verdict(authority, leaf, respond(request, { status: "good" }, authority), word)).toContain("leaf.pem: good");
  });

  test("a nonce comes back, and none where none was asked for", () => {
    const leaf = makeLeaf(authority);
    const [request, plain] = [asked(authority, leaf), asked(authority, leaf, "-no_nonce")];
    expect(parseOcspRequest(request).nonce).toHaveLength(16);
    expect(parseOcspRequest(plain).nonce).toBeUndefined();
    const other = respond(request, { status: "good" }, authority, { nonce: Buffer.alloc(16) });
    expect(() => comparison(authority, request, other)).toThrow("Nonce Verify error");
    const answer = respond(request, { status: "good" }, authority);
    expect(comparison(authority, request, answer)).toContain("Response verify OK");
    expect(comparison(authority, plain, respond(plain, { status: "good" }, authority))).toContain("Response verify OK");
  });

  test("a delegated responder, named by its key", async () => {
    const key = await testKey({ type: "ed25519", bits: 0 });
    const publicKey = publicKeyOf(key);
    const leaf = makeLeaf(authority);
    const responder = makeLeaf(authority, {
      serial: 9n,
      subject: encodeSubject({ commonName: "OCSP" }),
      publicKey: publicKey.spki,
      extensions: [keyUsage(["DigitalSignature"]), extendedKeyUsage([extendedKeyUsages.OCSPSigning]), ocspNoCheck],
    });
    const request = asked(authority, leaf);
    const response = respond(
      request,
      { status: "good" },
      { ...authority, signer: signerWith(key) },
      {
        responder: { keyId: keyIdOf(publicKey) },
        certificates: [responder],
      },
    );
    expect(verdict(authority, leaf, response)).toContain("Response verify OK");
  });

  test.each([
    ["malformedRequest", "malformedrequest"],
    ["internalError", "internalerror"],
    ["tryLater", "trylater"],
    ["signatureRequired", "sigrequired"],
    ["unauthorized", "unauthorized"],
  ] as const)("the refusal %s is understood", (name, text) => {
    expect(() => openssl({ response: ocspErrors[name] }, "ocsp", "-respin", "response", "-noverify")).toThrow(text);
  });
});

const id = (changes: Partial<Record<"hash" | "name" | "key", Uint8Array>> = {}, serial = 255n) =>
  sequence(
    changes.hash ?? sequence(objectIdentifier("1.3.14.3.2.26"), nothing),
    changes.name ?? octetString(hash("sha1", authority.certificate.subject.der, "buffer")),
    changes.key ?? octetString(hash("sha1", authority.publicKey.keyBits, "buffer")),
    integer(serial),
  );
const requestOf = (...ids: Uint8Array[]) => sequence(sequence(sequence(...ids.map((each) => sequence(each)))));

test("several questions in one request are answered in their order, as pkijs reads it", () => {
  const request = requestOf(id({}, 1n), id({}, 2n));
  const { certificates } = parseOcspRequest(request);
  expect(certificates.map(({ serial }) => serial)).toEqual([1n, 2n]);
  const whole = pkijs.OCSPResponse.fromBER(Uint8Array.from(respond(request, { status: "good" }, authority)));
  const basic = pkijs.BasicOCSPResponse.fromBER(whole.responseBytes!.response.valueBlock.valueHexView);
  const { responses } = basic.tbsResponseData;
  expect(responses.map(({ certID }) => certID.serialNumber.valueBlock.valueDec)).toEqual([1, 2]);
  expect(responses.map(({ thisUpdate: at }) => Math.floor(at.getTime() / 1000))).toEqual(
    [0, 1].map(() => Math.floor(thisUpdate.getTime() / 1000)),
  );
  expect(responses[0]!.singleExtensions).toBeUndefined();
});

describe("refuses a request", () => {
  const md5 = sequence(objectIdentifier("1.2.840.113549.2.5"), nothing);
  const nonce = (value: Uint8Array) =>
    explicit(2, sequence(extension(extensionIds.ocspNonce, false, octetString(value)).der));

  test.each([
    ["about nothing", requestOf(), "1 to 64 certificates"],
    ["about everything", requestOf(...Array.from({ length: 65 }, () => id())), "1 to 64 certificates"],
    ["by MD5", requestOf(id({ hash: md5 })), "a hash other than"],
    ["without a hash", requestOf(id({ key: nothing })), "expected an element with tag 4"],
    [
      "with an empty nonce",
      sequence(sequence(sequence(sequence(id())), nonce(Buffer.alloc(0)))),
      "its nonce is empty or too long",
    ],
    [
      "of another version",
      sequence(sequence(Buffer.from("a003020101", "hex"), sequence(sequence(id())))),
      "only version 1",
    ],
    ["that is nonsense", Buffer.from("nonsense"), "could not be parsed"],
    ["that is empty", new Uint8Array(), "could not be parsed"],
  ])("%s", (_, der, message) => {
    expect(() => parseOcspRequest(der)).toThrow(X509Error);
    expect(() => parseOcspRequest(der)).toThrow(message);
  });

  test("of any other shape, with a typed error", () => {
    const whole = Buffer.from(requestOf(id()));
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(changes, fc.uint8Array({ maxLength: 50 }), (list, random) => {
        const changed = Buffer.from(whole);
        for (const [at, value] of list) changed[at] = value;
        for (const der of [changed, random]) {
          try {
            parseOcspRequest(der);
          } catch (error) {
            expect(error).toBeInstanceOf(X509Error);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("dates that cannot be written are refused", () => {
  const certificate: CertificateId = parseOcspRequest(requestOf(id())).certificates[0]!;
  const answers = [{ status: "good", certificate, thisUpdate: new Date(Number.NaN) }] as const;
  const responder = { name: encodeSubject({}) };
  expect(() => buildOcspResponse({ responder, producedAt: thisUpdate, answers }, authority.signer)).toThrow(X509Error);
});
