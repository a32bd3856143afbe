import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { noOpenssl } from "../../../test/support/issued-certificates.ts";
import { openssl } from "../../../test/support/openssl.ts";
import { classicalKinds, latticeKinds, testKey } from "../../../test/support/x509-authority.ts";
import { membersOf, readElement } from "../der/reader.ts";
import { sequence } from "../der/writer.ts";
import { pemText } from "./pem.ts";
import { parsePrivateKey, parsePrivateKeyPem, privateKeyDer, privateKeyPem } from "./private-key.ts";
import { X509Error } from "./x509-error.ts";

const kinds = [...classicalKinds, ...latticeKinds].filter(({ pss }) => !pss);
const firstLines = { rsa: "RSA PRIVATE KEY", ec: "EC PRIVATE KEY", ed25519: "PRIVATE KEY", "ml-dsa": "PRIVATE KEY" };

describe.each(kinds)("$name", (kind) => {
  test("written and read in both forms", async () => {
    const key = await testKey(kind);
    for (const form of ["traditional", "pkcs8"] as const) {
      expect(parsePrivateKeyPem(privateKeyPem(key, form)).equals(key)).toBe(true);
      expect(parsePrivateKey(privateKeyDer(key, form)).equals(key)).toBe(true);
    }
    expect(privateKeyPem(key, "pkcs8")).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(privateKeyPem(key, "traditional").split("\n")[0]).toBe(`-----BEGIN ${firstLines[kind.type]}-----`);
  });
});

describe("openssl finds sound", () => {
  beforeEach(({ skip }) => skip(noOpenssl !== undefined, noOpenssl));

  test.each(kinds.filter(({ type }) => type !== "ml-dsa"))("$name", async (kind) => {
    const key = await testKey(kind);
    for (const form of ["traditional", "pkcs8"] as const) {
      openssl({ "key.pem": `${privateKeyPem(key, form)}\n` }, "pkey", "-in", "key.pem", "-noout", "-check");
    }
  });
});

test("parameters of a curve in front are passed over", async () => {
  const key = await testKey({ type: "ec", bits: 256 });
  const parameters = pemText("EC PARAMETERS", Buffer.from("06082a8648ce3d030107", "hex"));
  expect(parsePrivateKeyPem(`${parameters}\n${privateKeyPem(key, "traditional")}`).equals(key)).toBe(true);
});

/** The private half of one key with the public half of another. */
function mixed(): Uint8Array {
  const [a, b] = [0, 1].map(() =>
    membersOf(
      readElement(
        generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "der", type: "sec1" }),
      ),
    ),
  );
  return sequence(...a!.slice(0, 3).map(({ whole }) => whole), b![3]!.whole);
}

const encrypted = generateKeyPairSync("ed25519").privateKey.export({
  format: "pem",
  type: "pkcs8",
  cipher: "aes-256-cbc",
  passphrase: "secret",
}) as string;
const good = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }) as string;

test.each([
  ["nothing", "", "there is no PEM block with a private key"],
  ["a certificate", pemText("CERTIFICATE", Buffer.from("3000", "hex")), 'of kind "CERTIFICATE" is not a private key'],
  ["two keys", good + good, "more than one PEM block"],
  ["an encrypted key", encrypted, "encrypted private keys are not supported"],
  ["halves of two keys", pemText("EC PRIVATE KEY", mixed()), "does not fit the public key"],
  ["an unknown form", pemText("PRIVATE KEY", Buffer.from("3000", "hex")), "unknown form"],
  ["nonsense", pemText("PRIVATE KEY", Buffer.from("nonsense")), "the private key could not be parsed"],
  [
    "a broken key",
    pemText("PRIVATE KEY", Buffer.from("3009020100300406022a03", "hex")),
    "malformed or of an unsupported kind",
  ],
  [
    "a key that cannot sign",
    generateKeyPairSync("x25519").privateKey.export({ format: "pem", type: "pkcs8" }) as string,
    "other than RSA, EC, Ed25519 and ML-DSA",
  ],
])("refuses %s", (_, pem, message) => {
  expect(() => parsePrivateKeyPem(pem)).toThrow(X509Error);
  expect(() => parsePrivateKeyPem(pem)).toThrow(message);
});
