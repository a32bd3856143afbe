import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import * as pkijs from "pkijs";
import { beforeEach, describe, expect, test } from "vitest";
import { noOpenssl } from "../../../test/support/issued-certificates.ts";
import { openssl } from "../../../test/support/openssl.ts";
import { classicalKinds, latticeKinds, makeAuthority, makeLeaf } from "../../../test/support/x509-authority.ts";
import { membersOf, readElement } from "../der/reader.ts";
import { time } from "../der/time.ts";
import { boolean, enumerated, integer, sequence, utf8String } from "../der/writer.ts";
import { extension } from "./extension.ts";
import { freshestCrl } from "./information-access.ts";
import { isSignedWithKeyOf } from "./issuing.ts";
import { keyIdOf } from "./key.ts";
import { authorityKeyId } from "./key-identifier.ts";
import { pemText } from "./pem.ts";
import {
  crlNumber,
  deltaCrlIndicator,
  invalidityDate,
  issuingDistributionPoint,
  reasonCode,
  revocationReasons,
} from "./revocation-extensions.ts";
import {
  buildRevocationList,
  parseRevocationList,
  type RevocationListFields,
  type RevokedEntry,
} from "./revocation-list.ts";
import { X509Error } from "./x509-error.ts";

const authority = await makeAuthority({ type: "ec", bits: 256 });
const thisUpdate = new Date("2026-06-01T00:00:00Z");
const nextUpdate = new Date("2046-01-01T00:00:00Z");
const entries: RevokedEntry[] = [
  { serial: 255n, revokedAt: new Date("2026-05-01T10:00:00Z") },
  { serial: 2n ** 159n - 1n, revokedAt: new Date("2026-05-02T10:00:00Z"), reason: revocationReasons.keyCompromise },
  {
    serial: 7n,
    revokedAt: new Date("2055-05-02T10:00:00Z"),
    reason: revocationReasons.superseded,
    extensions: [invalidityDate(new Date("2025-01-01T00:00:00Z"))],
  },
];

function listOf(wishes: Partial<RevocationListFields> = {}, by = authority): Promise<Uint8Array> {
  const extensions = [authorityKeyId(keyIdOf(by.publicKey)), crlNumber(5n)];
  const issuer = by.certificate.subject.der;
  return buildRevocationList({ issuer, thisUpdate, nextUpdate, extensions, entries, ...wishes }, by.signer);
}

test("what was written is read", async () => {
  const list = parseRevocationList(await listOf());
  expect(list).toMatchObject({ thisUpdate, nextUpdate, number: 5n, baseNumber: undefined });
  expect(Buffer.from(list.authorityKeyId!)).toEqual(Buffer.from(keyIdOf(authority.publicKey)));
  expect([...list.entries()]).toMatchObject(entries);
  expect([...list.entries()]).toHaveLength(3);
  expect(isSignedWithKeyOf(list, authority.certificate)).toBe(true);
});

test("an empty list has no entries at all", async () => {
  const der = await listOf({ entries: [] });
  const list = parseRevocationList(der);
  expect([...list.entries()]).toEqual([]);
  expect(membersOf(readElement(list.toBeSigned)).map(({ tag }) => tag)).toEqual([2, 0x30, 0x30, 0x17, 0x17, 0xa0]);
  expect(pkijs.CertificateRevocationList.fromBER(Uint8Array.from(der)).revokedCertificates).toBeUndefined();
});

test("a delta names the list that it builds on", async () => {
  const extensions = [crlNumber(6n), deltaCrlIndicator(5n)];
  expect(parseRevocationList(await listOf({ extensions }))).toMatchObject({ number: 6n, baseNumber: 5n });
});

test("entries may arrive as they are found", async () => {
  async function* found() {
    for (const entry of entries) {
      await setImmediate();
      yield entry;
    }
  }
  expect([...parseRevocationList(await listOf({ entries: found() })).entries()]).toMatchObject(entries);
});

test("a long list gives way to other work", async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    serial: BigInt(index + 1),
    revokedAt: thisUpdate,
    reason: 1,
  }));
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
  })();
  const der = await listOf({ entries: many });
  isDone = true;
  await others;
  expect(turns).toBeGreaterThan(20_000 / 1024);
  let count = 0;
  for (const { serial } of parseRevocationList(der).entries()) {
    count += 1;
    expect(serial).toBe(BigInt(count));
  }
  expect(count).toBe(20_000);
});

test("reads alike in pkijs", async () => {
  const arbitrary = fc.array(
    fc.record({
      serial: fc.bigInt({ min: 1n, max: 2n ** 159n }),
      revokedAt: fc.date({ min: new Date(0), max: nextUpdate, noInvalidDate: true }),
      reason: fc.constantFrom(undefined, ...Object.values(revocationReasons)),
    }),
    { maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(arbitrary, async (list) => {
      const whole = list.map((entry) => ({
        ...entry,
        revokedAt: new Date(Math.floor(entry.revokedAt.getTime() / 1000) * 1000),
      }));
      const der = await listOf({ entries: whole });
      const ours = [...parseRevocationList(der).entries()];
      const theirs = pkijs.CertificateRevocationList.fromBER(Uint8Array.from(der)).revokedCertificates ?? [];
      expect(ours.map(({ serial, revokedAt, reason }) => [serial, revokedAt, reason ?? 0])).toEqual(
        whole.map(({ serial, revokedAt, reason }) => [serial, revokedAt, reason ?? 0]),
      );
      expect(
        theirs.map(({ userCertificate, revocationDate }) => [
          BigInt(`0x${Buffer.from(userCertificate.valueBlock.valueHexView).toString("hex")}`),
          revocationDate.value,
        ]),
      ).toEqual(whole.map(({ serial, revokedAt }) => [serial, revokedAt]));
    }),
    { numRuns: 30 },
  );
});

describe("openssl crl", () => {
  beforeEach(({ skip }) => skip(noOpenssl !== undefined, noOpenssl));

  test.each(classicalKinds)("$name verifies", async (kind) => {
    const by = await makeAuthority(kind);
    const files = {
      "crl.pem": `${pemText("X509 CRL", await listOf({}, by))}\n`,
      "root.pem": `${pemText("CERTIFICATE", by.certificate.der)}\n`,
    };
    expect(openssl(files, "crl", "-in", "crl.pem", "-CAfile", "root.pem", "-noout")).toContain("verify OK");
  });

  test("a revoked leaf is refused, another one is not", async () => {
    const files = {
      "crl.pem": `${pemText("X509 CRL", await listOf())}\n`,
      "root.pem": `${pemText("CERTIFICATE", authority.certificate.der)}\n`,
      "revoked.pem": `${pemText("CERTIFICATE", makeLeaf(authority, { serial: 255n }))}\n`,
      "good.pem": `${pemText("CERTIFICATE", makeLeaf(authority, { serial: 256n }))}\n`,
    };
    const at = String(Date.UTC(2030, 0, 1) / 1000);
    const words = ["verify", "-x509_strict", "-crl_check", "-attime", at, "-CAfile", "root.pem", "-CRLfile", "crl.pem"];
    expect(openssl(files, ...words, "good.pem")).toContain("good.pem: OK");
    expect(() => openssl(files, ...words, "revoked.pem")).toThrow("certificate revoked");
  });

  test("reads every extension as it was meant", async () => {
    const extensions = [
      crlNumber(6n),
      deltaCrlIndicator(5n),
      freshestCrl(["http://ca.example.com/delta"]),
      issuingDistributionPoint({ urls: ["http://ca.example.com/crl"], onlyUserCertificates: true }),
    ];
    const files = { "crl.pem": `${pemText("X509 CRL", await listOf({ extensions }))}\n` };
    const text = openssl(files, "crl", "-in", "crl.pem", "-noout", "-text");
    for (const part of [
      "Version 2",
      "X509v3 CRL Number: \n                6",
      "X509v3 Delta CRL Indicator: critical\n                5",
      "X509v3 Freshest CRL",
      "Only User Certificates",
      "Key Compromise",
      "Superseded",
      "Invalidity Date",
      "Revocation Date: May  2 10:00:00 2055 GMT",
    ]) {
      expect(text).toContain(part);
    }
  });
});

test.each(latticeKinds)("$name verifies here", async (kind) => {
  const by = await makeAuthority(kind);
  expect(isSignedWithKeyOf(parseRevocationList(await listOf({}, by)), by.certificate)).toBe(true);
});

describe("refuses", () => {
  test("to write two extensions of one kind, odd reasons and odd dates", async () => {
    await expect(listOf({ extensions: [crlNumber(1n), crlNumber(2n)] })).rejects.toThrow("two extensions of one kind");
    await expect(listOf({ entries: [{ serial: 1n, revokedAt: thisUpdate, reason: 7 }] })).rejects.toThrow(X509Error);
    await expect(listOf({ nextUpdate: new Date(Number.NaN) })).rejects.toThrow(X509Error);
    expect(() => reasonCode(11)).toThrow("11 is not a reason for a revocation");
  });

  const { signer, certificate } = authority;
  const name = certificate.subject.der;
  const built = (...parts: Uint8Array[]) =>
    sequence(sequence(...parts), signer.algorithm.der, Buffer.from("030100", "hex"));
  const start = [integer(1), signer.algorithm.der, name, time(thisUpdate)];

  test.each([
    ["another version", built(integer(2), ...start.slice(1)), "only versions 1 and 2"],
    ["two algorithms", built(integer(1), sequence(), name, time(thisUpdate)), "two different signature algorithms"],
    ["no date", built(...start.slice(0, 3)), "ends too early"],
    ["more than it may have", built(...start, boolean(true)), "more members"],
    ["nonsense", Buffer.from("nonsense"), "could not be parsed"],
  ])("to read %s", (_, der, message) => {
    expect(() => parseRevocationList(der)).toThrow(X509Error);
    expect(() => parseRevocationList(der)).toThrow(message);
  });

  test.each([
    ["no date", sequence(integer(1))],
    ["a text for a serial", sequence(utf8String("1"), time(thisUpdate))],
    [
      "an odd reason",
      sequence(integer(1), time(thisUpdate), sequence(extension("2.5.29.21", false, boolean(true)).der)),
    ],
    ["what is cut", Buffer.from("300502", "hex")],
  ])("to read an entry with %s, once it is reached", (_, entry) => {
    const list = parseRevocationList(built(...start, sequence(sequence(integer(1), time(thisUpdate)), entry)));
    const read = list.entries();
    expect(read.next().value).toMatchObject({ serial: 1n });
    expect(() => read.next()).toThrow(X509Error);
  });

  test("anything else with a typed error", async () => {
    const whole = await listOf();
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(changes, (list) => {
        const der = Buffer.from(whole);
        for (const [at, value] of list) der[at] = value;
        try {
          for (const { serial } of parseRevocationList(der).entries()) expect(typeof serial).toBe("bigint");
        } catch (error) {
          expect(error).toBeInstanceOf(X509Error);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test("the reasons in their own encoding", () => {
  expect(Buffer.from(reasonCode(1).value)).toEqual(Buffer.from(enumerated(1)));
});
