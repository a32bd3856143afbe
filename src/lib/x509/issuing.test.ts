import { expect, test } from "vitest";
import { testKey } from "../../../test/support/x509-authority.ts";
import { basicConstraints } from "./basic-constraints.ts";
import { buildCertificate, type Certificate, parseCertificate } from "./certificate.ts";
import { chainsOf, isIssuedBy, isSelfIssued, isSelfSigned } from "./issuing.ts";
import { type KeyKind, keyIdOf, publicKeyOf } from "./key.ts";
import { authorityKeyId, subjectKeyId } from "./key-identifier.ts";
import { encodeSubject } from "./name.ts";
import { signerWith } from "./signature.ts";

const kinds: Record<string, KeyKind> = {
  a: { type: "ec", bits: 256 },
  b: { type: "ec", bits: 384 },
  c: { type: "ed25519", bits: 0 },
  d: { type: "ec", bits: 521 },
};

let serial = 0n;

/** `a/Root` is the key `a` with the name `Root`. */
async function issue(subject: string, issuer: string, isLinked = true, linkedTo?: Uint8Array): Promise<Certificate> {
  const [[key, name], [issuerKey, issuerName]] = [subject.split("/"), issuer.split("/")] as [
    [string, string],
    [string, string],
  ];
  const [own, by] = [await testKey(kinds[key]!), await testKey(kinds[issuerKey]!)];
  serial += 1n;
  const links = [subjectKeyId(keyIdOf(publicKeyOf(own))), authorityKeyId(linkedTo ?? keyIdOf(publicKeyOf(by)))];
  const der = buildCertificate(
    {
      serial,
      issuer: encodeSubject({ commonName: issuerName }),
      subject: encodeSubject({ commonName: name }),
      notBefore: new Date(0),
      notAfter: new Date(1e12),
      publicKey: publicKeyOf(own).spki,
      extensions: [basicConstraints({ isAuthority: true }), ...(isLinked ? links : [])],
    },
    signerWith(by),
  );
  return parseCertificate(der);
}

test("an issuer has the name, the key id and the key", async () => {
  const root = await issue("a/Root", "a/Root");
  expect(isIssuedBy(await issue("b/Sub", "a/Root"), root)).toBe(true);
  expect(isIssuedBy(await issue("b/Sub", "a/root"), root)).toBe(true);
  expect(isIssuedBy(await issue("b/Sub", "a/Root", false), root)).toBe(true);
  expect(isIssuedBy(await issue("b/Sub", "a/Root", true, Buffer.alloc(20)), root)).toBe(false);
  expect(isIssuedBy(await issue("b/Sub", "a/Other"), root)).toBe(false);
  expect(isIssuedBy(await issue("b/Sub", "c/Root"), root)).toBe(false);
  expect(isIssuedBy(await issue("b/Sub", "c/Root", false), root)).toBe(false);
});

test("by oneself, and under one's own name", async () => {
  const root = await issue("a/Root", "a/Root");
  expect([isSelfIssued(root), isSelfSigned(root)]).toEqual([true, true]);
  const renewed = await issue("b/Root", "a/Root");
  expect([isSelfIssued(renewed), isSelfSigned(renewed)]).toEqual([true, false]);
  const sub = await issue("b/Sub", "a/Root");
  expect([isSelfIssued(sub), isSelfSigned(sub)]).toEqual([false, false]);
});

test("chains: parents, roots first, each followed by its own chain", async () => {
  const all = [
    await issue("a/Root", "a/Root"),
    await issue("b/Sub", "a/Root"),
    await issue("c/Leaf", "b/Sub"),
    await issue("d/Alone", "c/Gone"),
  ];
  expect(chainsOf(all)).toEqual([[0], [1, 0], [2, 1, 0], [3]]);
  expect(chainsOf([])).toEqual([]);
});

test("chains of cross-signed authorities end, and hold the same set", async () => {
  const all = [
    await issue("a/A", "b/B"),
    await issue("b/B", "a/A"),
    await issue("a/A", "a/A"),
    await issue("c/Sub", "a/A"),
  ];
  const [crossA, crossB, root, sub] = chainsOf(all) as [number[], number[], number[], number[]];
  expect(crossA).toEqual([0, 1, 2]);
  expect(crossB).toEqual([1, 2, 0]);
  expect(root).toEqual([2, 0, 1]);
  expect(sub).toEqual([3, 2, 0, 1]);
});
