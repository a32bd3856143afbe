/** Authorities of every kind of key for tests of certificates. */
import type { KeyObject } from "node:crypto";
import { basicConstraints } from "../../src/lib/x509/basic-constraints.ts";
import {
  buildCertificate,
  type Certificate,
  type CertificateFields,
  parseCertificate,
} from "../../src/lib/x509/certificate.ts";
import type { Extension } from "../../src/lib/x509/extension.ts";
import { generateKey, type KeyKind, keyIdOf, type PublicKey, publicKeyOf } from "../../src/lib/x509/key.ts";
import { authorityKeyId, subjectKeyId } from "../../src/lib/x509/key-identifier.ts";
import { keyUsage } from "../../src/lib/x509/key-usage.ts";
import { encodeSubject } from "../../src/lib/x509/name.ts";
import { type SignatureWishes, type Signer, signatureAlgorithmFor, signerWith } from "../../src/lib/x509/signature.ts";

export interface TestAuthority {
  readonly key: KeyObject;
  readonly publicKey: PublicKey;
  readonly signer: Signer;
  readonly certificate: Certificate;
}

/** Every kind with every way to sign; those that an older openssl knows come first. */
export const classicalKinds: readonly (KeyKind & SignatureWishes & { readonly name: string })[] = [
  { name: "RSA with SHA-256", type: "rsa", bits: 2048 },
  { name: "RSA PSS with SHA-256", type: "rsa", bits: 2048, pss: true },
  { name: "P-224", type: "ec", bits: 224 },
  { name: "P-256", type: "ec", bits: 256 },
  { name: "P-384", type: "ec", bits: 384 },
  { name: "P-521", type: "ec", bits: 521 },
  { name: "Ed25519", type: "ed25519", bits: 0 },
];

export const latticeKinds: typeof classicalKinds = [
  { name: "ML-DSA-44", type: "ml-dsa", bits: 44 },
  { name: "ML-DSA-65", type: "ml-dsa", bits: 65 },
  { name: "ML-DSA-87", type: "ml-dsa", bits: 87 },
];

const keys = new Map<string, Promise<KeyObject>>();

/** One per kind for a whole test file: RSA keys take their time. */
export function testKey({ type, bits }: KeyKind): Promise<KeyObject> {
  const name = `${type} ${bits}`;
  const made = keys.get(name) ?? generateKey({ type, bits });
  keys.set(name, made);
  return made;
}

export const notBefore = new Date("2026-01-01T00:00:00Z");
export const notAfter = new Date("2046-01-01T00:00:00Z");
/** Between the two, for openssl. */
export const atTime = ["-attime", String(Date.UTC(2030, 0, 1) / 1000)];

export async function makeAuthority(
  kind: KeyKind & SignatureWishes,
  extensions: readonly Extension[] = [],
): Promise<TestAuthority> {
  const key = await testKey(kind);
  const publicKey = publicKeyOf(key);
  const signer = signerWith(key, signatureAlgorithmFor(kind, { bits: 0, pss: kind.pss ?? false }));
  const name = encodeSubject({ commonName: "Test Root", organization: ["Example"], country: ["DE"] });
  const fields: CertificateFields = {
    serial: 4711n,
    issuer: name,
    subject: name,
    notBefore,
    notAfter,
    publicKey: publicKey.spki,
    extensions: [
      basicConstraints({ isAuthority: true }),
      keyUsage(["DigitalSignature", "CertSign", "CRLSign"]),
      subjectKeyId(keyIdOf(publicKey)),
      ...extensions,
    ],
  };
  return { key, publicKey, signer, certificate: parseCertificate(buildCertificate(fields, signer)) };
}

export interface LeafWishes extends Partial<CertificateFields> {
  readonly extensions?: readonly Extension[];
}

/** For the key of another kind, or for the authority's own. */
export function makeLeaf({ certificate, publicKey, signer }: TestAuthority, wishes: LeafWishes = {}): Uint8Array {
  const key = wishes.publicKey ?? publicKey.spki;
  return buildCertificate(
    {
      serial: 255n,
      issuer: certificate.subject.der,
      subject: encodeSubject({ commonName: "web.example.com" }),
      notBefore,
      notAfter,
      ...wishes,
      publicKey: key,
      extensions: [authorityKeyId(keyIdOf(publicKey)), ...(wishes.extensions ?? [])],
    },
    signer,
  );
}
