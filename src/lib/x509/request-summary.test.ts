import { expect, test } from "vitest";
import { testKey } from "../../../test/support/x509-authority.ts";
import { subjectAltName } from "./alternative-names.ts";
import { buildRequest, parseRequest } from "./certificate-request.ts";
import { publicKeyOf } from "./key.ts";
import { encodeSubject } from "./name.ts";
import { requestSummary } from "./request-summary.ts";
import { signatureAlgorithmNamed, signerWith } from "./signature.ts";

test("a request as CEL programs see it", async () => {
  const key = await testKey({ type: "ec", bits: 384 });
  const names = subjectAltName({ dnsNames: ["a.example.com"], emails: ["a@b.c"], ips: ["::1"], uris: ["urn:x"] });
  const subject = encodeSubject({ commonName: "web", country: ["DE"], extra: [{ oid: "1.2.3", value: "x" }] });
  const der = buildRequest({ subject, publicKey: publicKeyOf(key).spki, extensions: [names] }, signerWith(key));
  expect(requestSummary(parseRequest(der))).toMatchObject({
    Raw: der,
    Version: 0n,
    SignatureAlgorithm: "ECDSA-SHA384",
    PublicKeyAlgorithm: "ECDSA",
    PublicKeyBits: 384n,
    Subject: { CommonName: "web", Country: ["DE"], Organization: [], SerialNumber: "", ExtraNames: ["1.2.3"] },
    DNSNames: ["a.example.com"],
    EmailAddresses: ["a@b.c"],
    IPAddresses: ["::1"],
    URIs: ["urn:x"],
    Extensions: { "2.5.29.17": names.value },
  });
});

test.each([
  ["SHA512WithRSA", "SHA512-RSA"],
  ["SHA256WithRSAPSS", "SHA256-RSAPSS"],
])("%s is called %s", async (name, called) => {
  const key = await testKey({ type: "rsa", bits: 2048 });
  const signer = signerWith(key, signatureAlgorithmNamed(name));
  const der = buildRequest({ subject: encodeSubject({}), publicKey: publicKeyOf(key).spki, extensions: [] }, signer);
  expect(requestSummary(parseRequest(der))).toMatchObject({ SignatureAlgorithm: called, PublicKeyAlgorithm: "RSA" });
});
