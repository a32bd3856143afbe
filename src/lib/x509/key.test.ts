import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { classicalKinds, latticeKinds, makeAuthority, testKey } from "../../../test/support/x509-authority.ts";
import { bitString, integer, nothing, objectIdentifier, sequence } from "../der/writer.ts";
import { generateKey, isSamePublicKey, type KeyKind, keyIdOf, kindOf, parsePublicKey, publicKeyOf } from "./key.ts";
import { X509Error } from "./x509-error.ts";

const kinds = [...classicalKinds, ...latticeKinds].filter(({ pss }) => !pss);

test.each(kinds)("$name: made, told apart and read back", async ({ type, bits }) => {
  const key = await testKey({ type, bits });
  expect(key.type).toBe("private");
  expect(kindOf(key)).toEqual({ type, bits });
  const publicKey = publicKeyOf(key);
  const read = parsePublicKey(publicKey.spki);
  expect(read.kind).toEqual({ type, bits });
  expect(isSamePublicKey(read, publicKey)).toBe(true);
  expect(Buffer.compare(read.keyBits, publicKey.keyBits)).toBe(0);
  expect(isSamePublicKey(read, publicKeyOf(createPublicKey(key)))).toBe(true);
});

test("the key identifier is the one that everybody computes", async () => {
  const { certificate, publicKey } = await makeAuthority({ type: "ec", bits: 256 });
  expect(Buffer.from(certificate.extensions.subjectKeyId!)).toEqual(Buffer.from(keyIdOf(publicKey)));
  expect(keyIdOf(publicKey)).toHaveLength(20);
  expect(new X509Certificate(certificate.der).publicKey.equals(publicKey.key)).toBe(true);
});

test.each<KeyKind>([
  { type: "rsa", bits: 1024 },
  { type: "rsa", bits: 100_000 },
  { type: "ec", bits: 255 },
  { type: "ml-dsa", bits: 1 },
])("makes no %j", async (kind) => {
  await expect(generateKey(kind)).rejects.toThrow(X509Error);
});

describe("refuses", () => {
  test.each([
    ["X25519", () => generateKeyPairSync("x25519").publicKey],
    ["Ed448", () => generateKeyPairSync("ed448").publicKey],
    ["another curve", () => generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey],
    ["keys for RSA PSS only", () => generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey],
  ])("%s", (_, make) => {
    const spki = make().export({ format: "der", type: "spki" });
    expect(() => parsePublicKey(spki)).toThrow(X509Error);
  });

  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256", paramEncoding: "explicit" });
  const named = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "der", type: "spki" });
  const compressed = Buffer.concat([Buffer.from([2 + (named.at(-1)! & 1)]), named.subarray(-64, -32)]);
  const curve = sequence(objectIdentifier("1.2.840.10045.2.1"), objectIdentifier("1.2.840.10045.3.1.7"));
  const rsa = objectIdentifier("1.2.840.113549.1.1.1");

  test.each([
    ["a curve by its parameters", publicKey.export({ format: "der", type: "spki" })],
    ["a point in short form", sequence(curve, bitString(compressed))],
    ["a point that is not on the curve", sequence(curve, bitString(Buffer.alloc(65, 4)))],
    ["RSA without parameters", sequence(sequence(rsa), bitString(sequence(integer(15), integer(3))))],
    ["RSA without a modulus", sequence(sequence(rsa, nothing), bitString(sequence()))],
    ["a huge modulus", sequence(sequence(rsa, nothing), bitString(sequence(integer(2n ** 20_000n - 1n), integer(3))))],
    ["nonsense", Buffer.from("nonsense")],
    ["nothing", new Uint8Array()],
  ])("%s", (_, spki) => {
    expect(() => parsePublicKey(spki)).toThrow(X509Error);
  });
});
