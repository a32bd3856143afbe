import { constants, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { classicalKinds, latticeKinds, testKey } from "../../../test/support/x509-authority.ts";
import { explicit, integer, nothing, objectIdentifier, sequence } from "../der/writer.ts";
import { publicKeyOf } from "./key.ts";
import {
  isSignedBy,
  signatureAlgorithmFor,
  signatureAlgorithmNamed,
  signatureAlgorithmOf,
  signerWith,
} from "./signature.ts";
import { X509Error } from "./x509-error.ts";

const data = Buffer.from("to be signed");

test.each([
  ["rsa", 2048, {}, "SHA256WithRSA"],
  ["rsa", 4096, { bits: 384 }, "SHA384WithRSA"],
  ["rsa", 2048, { bits: 512, pss: true }, "SHA512WithRSAPSS"],
  ["rsa", 2048, { pss: true }, "SHA256WithRSAPSS"],
  ["ec", 224, {}, "ECDSAWithSHA256"],
  ["ec", 256, { bits: 512, pss: true }, "ECDSAWithSHA256"],
  ["ec", 384, {}, "ECDSAWithSHA384"],
  ["ec", 521, {}, "ECDSAWithSHA512"],
  ["ed25519", 0, { bits: 256 }, "Ed25519"],
  ["ml-dsa", 65, {}, "ML-DSA-65"],
] as const)("%s %i with %j signs by %s", (type, bits, wishes, name) => {
  expect(signatureAlgorithmFor({ type, bits }, wishes).name).toBe(name);
});

test("other sizes of a hash are refused", () => {
  expect(() => signatureAlgorithmFor({ type: "rsa", bits: 2048 }, { bits: 255 })).toThrow(X509Error);
});

test.each([
  ["sha256withrsa", "SHA256WithRSA"],
  ["ECDSAwithSHA384", "ECDSAWithSHA384"],
  ["PureEd25519", "Ed25519"],
  ["ml-dsa-87", "ML-DSA-87"],
  ["SHA1WithRSA", undefined],
  ["", undefined],
])("%j names %s", (text, name) => {
  expect(signatureAlgorithmNamed(text)?.name).toBe(name);
});

describe.each([...classicalKinds, ...latticeKinds])("$name", (kind) => {
  test("signs what verifies, and nothing else", async () => {
    const key = await testKey(kind);
    const signer = signerWith(key, signatureAlgorithmFor(kind, { bits: 0, pss: kind.pss ?? false }));
    const algorithm = signer.algorithm.der;
    const publicKey = publicKeyOf(key);
    const signature = signer.sign(data);
    expect(isSignedBy({ algorithm, data, signature }, publicKey)).toBe(true);
    expect(isSignedBy({ algorithm, data, signature: await signer.signLater(data) }, publicKey)).toBe(true);
    expect(isSignedBy({ algorithm, data: Buffer.from("other"), signature }, publicKey)).toBe(false);
    expect(isSignedBy({ algorithm, data, signature: signature.subarray(1) }, publicKey)).toBe(false);
    expect(isSignedBy({ algorithm: sequence(), data, signature }, publicKey)).toBe(false);
    expect(signatureAlgorithmOf(algorithm)?.name).toBe(signer.algorithm.name);
  });
});

test("a key signs only by its own algorithms", async () => {
  const [rsa, lattice] = [await testKey({ type: "rsa", bits: 2048 }), await testKey({ type: "ml-dsa", bits: 44 })];
  expect(() => signerWith(rsa, signatureAlgorithmNamed("ECDSAWithSHA256"))).toThrow("type rsa 2048 to sign with ECDSA");
  expect(() => signerWith(lattice, signatureAlgorithmNamed("ML-DSA-65"))).toThrow(X509Error);
  const signature = signerWith(rsa).sign(data);
  const algorithm = signatureAlgorithmNamed("Ed25519")!.der;
  expect(isSignedBy({ algorithm, data, signature }, publicKeyOf(rsa))).toBe(false);
});

const sha256 = sequence(objectIdentifier("2.16.840.1.101.3.4.2.1"), nothing);
const sha1 = sequence(objectIdentifier("1.3.14.3.2.26"), nothing);
const pssWith = (digest: Uint8Array, maskDigest: Uint8Array, salt: number) =>
  sequence(
    objectIdentifier("1.2.840.113549.1.1.10"),
    sequence(
      explicit(0, digest),
      explicit(1, sequence(objectIdentifier("1.2.840.113549.1.1.8"), maskDigest)),
      explicit(2, integer(salt)),
    ),
  );

test.each([
  ["another salt", pssWith(sha256, sha256, 20), 20, true],
  ["a salt of another length than it says", pssWith(sha256, sha256, 21), 20, false],
  ["SHA-1", pssWith(sha1, sha1, 20), 20, false],
  ["two different hashes", pssWith(sha256, sha1, 20), 20, false],
  ["no parameters", sequence(objectIdentifier("1.2.840.113549.1.1.10")), 20, false],
])("PSS with %s", async (_, algorithm, saltLength, isGood) => {
  const key = await testKey({ type: "rsa", bits: 2048 });
  const signature = sign("sha256", data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
  expect(isSignedBy({ algorithm, data, signature }, publicKeyOf(key))).toBe(isGood);
});

test("SHA-1 is not believed", async () => {
  const key = await testKey({ type: "rsa", bits: 2048 });
  const algorithm = sequence(objectIdentifier("1.2.840.113549.1.1.5"), nothing);
  expect(isSignedBy({ algorithm, data, signature: sign("sha1", data, key) }, publicKeyOf(key))).toBe(false);
});
