import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import fc from "fast-check";
import * as pkijs from "pkijs";
import { beforeEach, describe, expect, test } from "vitest";
import { noOpenssl } from "../../../test/support/issued-certificates.ts";
import { openssl } from "../../../test/support/openssl.ts";
import {
  atTime,
  classicalKinds,
  latticeKinds,
  makeAuthority,
  makeLeaf,
  notAfter,
  notBefore,
  testKey,
} from "../../../test/support/x509-authority.ts";
import { readElement } from "../der/reader.ts";
import { boolean, explicit, integer, objectIdentifier, octetString, sequence, utf8String } from "../der/writer.ts";
import { subjectAltName } from "./alternative-names.ts";
import { basicConstraints } from "./basic-constraints.ts";
import {
  buildCertificate,
  builtCertificate,
  type CertificateFields,
  isAuthority,
  parseCertificate,
} from "./certificate.ts";
import { certificatePolicies, inhibitAnyPolicy } from "./certificate-policies.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { authorityInfoAccess, crlDistributionPoints, freshestCrl } from "./information-access.ts";
import { isIssuedBy, isSelfSigned } from "./issuing.ts";
import { keyIdOf, publicKeyOf } from "./key.ts";
import { subjectKeyId } from "./key-identifier.ts";
import { extendedKeyUsage, extendedKeyUsages, keyUsage, keyUsageNames } from "./key-usage.ts";
import { encodeSubject, nameText, subjectOf } from "./name.ts";
import { nameConstraints } from "./name-constraints.ts";
import { pemBlocksOf, pemText } from "./pem.ts";
import { serialText } from "./serial-number.ts";
import { signatureAlgorithmFor, signatureAlgorithmOf, signerWith } from "./signature.ts";
import { ocspNoCheck, tlsFeature } from "./simple-extensions.ts";
import { X509Error } from "./x509-error.ts";

const pem = (der: Uint8Array) => `${pemText("CERTIFICATE", der)}\n`;
const authority = await makeAuthority({ type: "ec", bits: 256 });
const leafKey = publicKeyOf(await testKey({ type: "ed25519", bits: 0 }));

/** Everything at once that a leaf can carry. */
const everyExtension: readonly Extension[] = [
  basicConstraints({ isAuthority: false }),
  keyUsage(["DigitalSignature", "KeyAgreement"]),
  extendedKeyUsage([extendedKeyUsages.ServerAuth, "1.2.3.4"]),
  subjectAltName({
    otherNames: [{ oid: "1.3.6.1.4.1.311.20.2.3", value: "ä@example.com" }],
    dnsNames: ["web.example.com", "*.example.com"],
    emails: ["joe@example.com"],
    ips: ["10.0.0.1", "2001:db8::1"],
    uris: ["spiffe://example.com/web"],
  }),
  subjectKeyId(keyIdOf(leafKey)),
  authorityInfoAccess({
    ocspServers: ["http://ocsp.example.com"],
    issuingCertificates: ["http://ca.example.com/ca.crt"],
  }),
  crlDistributionPoints(["http://ca.example.com/crl", "http://b.example.com/crl"]),
  freshestCrl(["http://ca.example.com/delta"]),
  certificatePolicies([{ oid: "1.2.3.5" }, { oid: "1.2.3.6", cps: "https://example.com/cps", notice: "Für Tests" }]),
  tlsFeature([5]),
  ocspNoCheck,
  extension("1.2.3.99", false, utf8String("anything")),
];

describe.each([...classicalKinds, ...latticeKinds])("$name", (kind) => {
  test("an authority and its leaf, as this library and node see them", async () => {
    const root = await makeAuthority(kind);
    const leaf = parseCertificate(makeLeaf(root, { extensions: everyExtension, publicKey: leafKey.spki }));
    expect(isAuthority(root.certificate)).toBe(true);
    expect(isSelfSigned(root.certificate)).toBe(true);
    expect(isSelfSigned(leaf)).toBe(false);
    expect(isIssuedBy(leaf, root.certificate)).toBe(true);
    const [parent, child] = [new X509Certificate(root.certificate.der), new X509Certificate(leaf.der)];
    expect(child.checkIssued(parent)).toBe(true);
    expect(child.verify(parent.publicKey)).toBe(true);
    expect(root.certificate.publicKey.kind).toEqual({ type: kind.type, bits: kind.bits });
  });
});

describe("openssl verify -x509_strict", () => {
  beforeEach(({ skip }) => skip(noOpenssl !== undefined, noOpenssl));

  test.each(classicalKinds)("$name", async (kind) => {
    const root = await makeAuthority(kind);
    const files = {
      "root.pem": pem(root.certificate.der),
      "leaf.pem": pem(makeLeaf(root, { extensions: everyExtension })),
    };
    const words = ["verify", "-x509_strict", "-purpose", "sslserver", ...atTime, "-CAfile", "root.pem", "leaf.pem"];
    expect(openssl(files, ...words)).toContain("leaf.pem: OK");
  });

  test.each([256, 384, 512])("RSA with SHA-%i, also PSS", async (bits) => {
    const root = await makeAuthority({ type: "rsa", bits: 2048 });
    for (const pss of [false, true]) {
      const signer = signerWith(root.key, signatureAlgorithmFor(root.publicKey.kind, { bits, pss }));
      const leaf = makeLeaf({ ...root, signer });
      expect(isIssuedBy(parseCertificate(leaf), root.certificate)).toBe(true);
      const files = { "root.pem": pem(root.certificate.der), "leaf.pem": pem(leaf) };
      expect(openssl(files, "verify", "-x509_strict", ...atTime, "-CAfile", "root.pem", "leaf.pem")).toContain("OK");
      expect(openssl(files, "x509", "-in", "leaf.pem", "-noout", "-text")).toContain(`sha${bits}`);
    }
  });

  test("reads every extension as it was meant", () => {
    const leaf = makeLeaf(authority, { extensions: [...everyExtension, inhibitAnyPolicy(0)] });
    const text = openssl({ "leaf.pem": pem(leaf) }, "x509", "-in", "leaf.pem", "-noout", "-text");
    for (const part of [
      "Digital Signature, Key Agreement",
      "TLS Web Server Authentication, 1.2.3.4",
      "DNS:web.example.com, DNS:*.example.com, email:joe@example.com, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1, URI:spiffe://example.com/web",
      "OCSP - URI:http://ocsp.example.com",
      "CA Issuers - URI:http://ca.example.com/ca.crt",
      "CPS: https://example.com/cps",
      "Explicit Text: Für Tests",
      "status_request",
      "X509v3 Freshest CRL",
      "OCSP No Check",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("obeys name constraints that were written here", async () => {
    const constraints = nameConstraints({
      permitted: {
        dnsDomains: ["example.com"],
        ipRanges: ["10.0.0.0/8", "fd00::/8"],
        emails: ["example.com"],
        uriDomains: [".example.com"],
      },
      excluded: { dnsDomains: ["secret.example.com"] },
    });
    const root = await makeAuthority({ type: "ec", bits: 256 }, [constraints]);
    const verdict = (dnsNames: string[], ips: string[] = []) => {
      const leaf = makeLeaf(root, { extensions: [subjectAltName({ dnsNames, ips })] });
      const files = { "root.pem": pem(root.certificate.der), "leaf.pem": pem(leaf) };
      return () => openssl(files, "verify", "-x509_strict", ...atTime, "-CAfile", "root.pem", "leaf.pem");
    };
    expect(verdict(["a.example.com"], ["10.1.2.3", "fd00::1"])()).toContain("OK");
    expect(verdict(["a.example.org"])).toThrow("permitted subtree violation");
    expect(verdict(["a.secret.example.com"])).toThrow("excluded subtree violation");
    expect(verdict(["a.example.com"], ["11.0.0.1"])).toThrow("permitted subtree violation");
  });
});

test("every extension is read back", () => {
  const { extensions } = parseCertificate(makeLeaf(authority, { extensions: everyExtension }));
  expect(extensions).toMatchObject({
    basicConstraints: { isAuthority: false },
    keyUsages: ["DigitalSignature", "KeyAgreement"],
    extendedKeyUsages: ["1.3.6.1.5.5.7.3.1", "1.2.3.4"],
    names: {
      otherNames: [{ oid: "1.3.6.1.4.1.311.20.2.3", value: "ä@example.com" }],
      dnsNames: ["web.example.com", "*.example.com"],
      emails: ["joe@example.com"],
      ips: ["10.0.0.1", "2001:db8::1"],
      uris: ["spiffe://example.com/web"],
      rest: [],
    },
    informationAccess: {
      ocspServers: ["http://ocsp.example.com"],
      issuingCertificates: ["http://ca.example.com/ca.crt"],
    },
    crlDistributionPoints: ["http://ca.example.com/crl", "http://b.example.com/crl"],
    freshestCrl: ["http://ca.example.com/delta"],
    policies: [{ oid: "1.2.3.5" }, { oid: "1.2.3.6", cps: "https://example.com/cps", notice: "Für Tests" }],
  });
  expect(extensions.byId.get("1.2.3.99")).toMatchObject({ isCritical: false, value: utf8String("anything") });
  expect(Buffer.compare(extensions.authorityKeyId!, keyIdOf(authority.publicKey))).toBe(0);
  expect(Buffer.compare(extensions.subjectKeyId!, keyIdOf(leafKey))).toBe(0);
});

test("every root that node knows is read, and verifies unless its signature is of old", () => {
  for (const pemOfRoot of rootCertificates) {
    const [root, node] = [parseCertificate(pemBlocksOf(pemOfRoot, "CERTIFICATE")[0]!), new X509Certificate(pemOfRoot)];
    expect([root.notBefore, root.notAfter]).toEqual([node.validFromDate, node.validToDate]);
    expect(root.serial).toBe(BigInt(`0x${node.serialNumber}`));
    expect(isAuthority(root)).toBe(node.ca);
    expect(isSelfSigned(root)).toBe(signatureAlgorithmOf(root.signatureAlgorithm) !== undefined);
  }
});

test("years up to 9999", () => {
  const last = new Date("9999-12-31T23:59:59Z");
  const leaf = makeLeaf(authority, { notAfter: last });
  expect(parseCertificate(leaf).notAfter).toEqual(last);
  expect(new X509Certificate(leaf).validToDate).toEqual(last);
  expect(() => makeLeaf(authority, { notAfter: new Date("+010000-01-01T00:00:00Z") })).toThrow(X509Error);
});

test("no two extensions of one kind", () => {
  const names = subjectAltName({ dnsNames: ["a.example.com"] });
  expect(() => makeLeaf(authority, { extensions: [names, names] })).toThrow("two extensions of one kind");
});

const fieldsOf: fc.Arbitrary<Pick<CertificateFields, "serial" | "notBefore" | "notAfter">> = fc.record({
  serial: fc.bigInt({ min: 1n, max: 2n ** 159n - 1n }),
  notBefore: fc.constantFrom(notBefore, new Date("1951-02-03T04:05:06Z"), new Date("2049-12-31T23:59:59Z")),
  notAfter: fc.constantFrom(notAfter, new Date("2050-01-01T00:00:00Z"), new Date("9999-12-31T23:59:59Z")),
});
const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
const domain = fc.tuple(label, label).map((labels) => `${labels.join(".")}.com`);
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((value) => !/[\0\n]/.test(value));
const subjects = fc.record({
  commonName: text,
  organization: fc.uniqueArray(text, { maxLength: 3 }),
  userIds: fc.uniqueArray(label, { maxLength: 2 }),
});
const names = fc.record({
  dnsNames: fc.array(domain, { minLength: 1, maxLength: 3 }),
  emails: fc.array(
    fc.tuple(label, domain).map(([local, host]) => `${local}@${host}`),
    { maxLength: 2 },
  ),
  ips: fc.array(fc.oneof(fc.ipV4(), fc.constantFrom("2001:db8::1", "::1", "fe80::a:b", "1:2:3:4:5:6:7:8")), {
    maxLength: 3,
  }),
  uris: fc.array(
    domain.map((host) => `https://${host}/x`),
    { maxLength: 2 },
  ),
  otherNames: fc.array(fc.record({ oid: fc.constantFrom("1.2.3.4", "1.3.6.1.4.1.311.20.2.3"), value: text }), {
    maxLength: 2,
  }),
});
const usages = fc.subarray([...keyUsageNames], { minLength: 1 });

test("what is written is read alike by this library, by node and by pkijs", () => {
  fc.assert(
    fc.property(fieldsOf, subjects, names, usages, (fields, subject, alternative, keyUsages) => {
      const der = makeLeaf(authority, {
        ...fields,
        subject: encodeSubject(subject),
        extensions: [subjectAltName(alternative), keyUsage(keyUsages)],
      });
      const [ours, node] = [parseCertificate(der), new X509Certificate(der)];
      const theirs = pkijs.Certificate.fromBER(Uint8Array.from(der));
      expect(ours).toMatchObject(fields);
      expect(subjectOf(ours.subject).commonName).toBe(subject.commonName);
      expect([...subjectOf(ours.subject).organization].sort()).toEqual([...subject.organization].sort());
      expect(ours.extensions.names).toEqual({ ...alternative, ips: ours.extensions.names.ips, rest: [] });
      expect(ours.extensions.keyUsages).toEqual(keyUsages);

      expect(node.serialNumber).toBe(serialText(fields.serial).replaceAll(":", "").toUpperCase());
      expect([node.validFromDate, node.validToDate]).toEqual([fields.notBefore, fields.notAfter]);
      for (const ip of ours.extensions.names.ips) expect(node.checkIP(ip)).toBe(ip);
      for (const host of alternative.dnsNames) expect(node.checkHost(host)).toBeDefined();

      expect(BigInt(`0x${Buffer.from(theirs.serialNumber.valueBlock.valueHexView).toString("hex")}`)).toBe(
        fields.serial,
      );
      expect([theirs.notBefore.value, theirs.notAfter.value]).toEqual([fields.notBefore, fields.notAfter]);
      const attribute = theirs.subject.typesAndValues.find(({ type }) => type === "2.5.4.3");
      expect(attribute?.value.valueBlock.value).toBe(subject.commonName);
      const found = theirs.extensions?.find(({ extnID }) => extnID === extensionIds.subjectAltName)?.parsedValue;
      const ofKind = (kind: number) =>
        (found as pkijs.AltName).altNames.filter(({ type }) => type === kind).map(({ value }) => value);
      expect(ofKind(2)).toEqual(alternative.dnsNames);
      expect(ofKind(1)).toEqual(alternative.emails);
      expect(ofKind(6)).toEqual(alternative.uris);
      expect(ofKind(0)).toHaveLength(alternative.otherNames.length);
    }),
    { numRuns: 60 },
  );
});

const onlyTypedErrors = (der: Uint8Array) => {
  try {
    const certificate = parseCertificate(der);
    expect(certificate.publicKey.kind.bits).toBeGreaterThanOrEqual(0);
    nameText(certificate.subject);
  } catch (error) {
    expect(error).toBeInstanceOf(X509Error);
  }
};

test("random bytes are refused with a typed error", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), onlyTypedErrors));
});

test("a certificate with some bytes changed is read or refused with a typed error", () => {
  const whole = makeLeaf(authority, { extensions: [...everyExtension] });
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(changes, fc.nat(4), (list, cut) => {
      const der = Buffer.from(whole);
      for (const [at, value] of list) der[at] = value;
      onlyTypedErrors(cut === 0 ? der.subarray(0, list[0]![0]) : der);
    }),
    { numRuns: 1500 },
  );
});

test("one that was just built reads as it would from its bytes", () => {
  const fields: CertificateFields = {
    serial: 0x1234n,
    issuer: authority.certificate.subject.der,
    subject: encodeSubject({ commonName: "web" }),
    notBefore: new Date("2030-01-01T00:00:00.750Z"),
    notAfter: new Date("2031-01-01T00:00:00.250Z"),
    publicKey: leafKey.spki,
    extensions: everyExtension,
  };
  const der = buildCertificate(fields, authority.signer);
  const { publicKey: built, ...rest } = { ...builtCertificate(der, fields, leafKey) };
  const { publicKey: read, ...others } = { ...parseCertificate(der) };
  expect(rest).toEqual(others);
  expect(built.spki).toEqual(read.spki);
});

describe("refuses a certificate", () => {
  const { signer, certificate } = authority;
  const name = certificate.subject.der;
  const validity = sequence(...[notBefore, notAfter].map(() => Buffer.from("170d3236303130313030303030305a", "hex")));
  const parts = {
    version: explicit(0, integer(2)),
    serial: integer(1),
    algorithm: signer.algorithm.der,
    issuer: name,
    validity,
    subject: name,
    key: certificate.spki,
    extensions: explicit(3, sequence(basicConstraints({ isAuthority: true }).der)),
  };
  const built = (changes: Partial<Record<keyof typeof parts | "more", Uint8Array>>) => {
    const body = sequence(...Object.values({ ...parts, ...changes }));
    return sequence(body, signer.algorithm.der, Buffer.from("030100", "hex"));
  };
  const none = new Uint8Array();
  const twice = explicit(
    3,
    sequence(basicConstraints({ isAuthority: true }).der, basicConstraints({ isAuthority: false }).der),
  );
  const withExtension = (oid: string, value: Uint8Array) =>
    explicit(3, sequence(sequence(objectIdentifier(oid), octetString(value))));

  test("unless it is sound", () => {
    expect(parseCertificate(built({})).serial).toBe(1n);
    expect(parseCertificate(built({ version: none, extensions: none })).extensions.all).toEqual([]);
  });

  test.each([
    ["of version 4", built({ version: explicit(0, integer(3)) }), "version 4 is not known"],
    ["of version 1 with extensions", built({ version: none }), "only version 3 has extensions"],
    [
      "with two signature algorithms",
      built({ algorithm: sequence(objectIdentifier("1.2.3")) }),
      "two different signature algorithms",
    ],
    ["with an extension twice", built({ extensions: twice }), "the extension 2.5.29.19 is there twice"],
    ["with something behind its extensions", built({ more: boolean(true) }), "more members than it may have"],
    ["with a serial that is a text", built({ serial: utf8String("1") }), "expected an element with tag 2"],
    ["with one date", built({ validity: sequence() }), "a structure ends too early"],
    ["with a name that is none", built({ subject: sequence(integer(1)) }), "expected an element with tag 49"],
    [
      "with no names",
      built({ extensions: withExtension("2.5.29.17", sequence()) }),
      "subject alternative name extension",
    ],
    [
      "with an odd IP address",
      built({ extensions: withExtension("2.5.29.17", sequence(Buffer.from("870101", "hex"))) }),
      "neither 4 nor 16 bytes",
    ],
    [
      "with an odd kind of name",
      built({ extensions: withExtension("2.5.29.17", sequence(Buffer.from("890101", "hex"))) }),
      "unknown kind",
    ],
    [
      "with an unknown key usage",
      built({ extensions: withExtension("2.5.29.15", Buffer.from("030300ffff", "hex")) }),
      "bit 9 has no meaning",
    ],
    [
      "with an odd path length",
      built({ extensions: withExtension("2.5.29.19", sequence(boolean(true), integer(-1))) }),
      "out of range",
    ],
    [
      "with constraints on nothing",
      built({ extensions: withExtension("2.5.29.30", sequence()) }),
      "it constrains nothing",
    ],
    ["followed by more bytes", Buffer.concat([built({}), none, Buffer.alloc(1)]), "there are bytes behind the end"],
  ])("%s", (_, der, message) => {
    expect(() => parseCertificate(der)).toThrow(X509Error);
    expect(() => parseCertificate(der)).toThrow(message);
  });

  test("only once its key is needed, if that is of an odd kind", () => {
    const odd = parseCertificate(
      built({ key: sequence(sequence(objectIdentifier("1.2.3")), Buffer.from("03020001", "hex")) }),
    );
    expect(() => odd.publicKey).toThrow(X509Error);
    expect(readElement(odd.spki).tag).toBe(0x30);
  });
});

test("a path length is for authorities only", () => {
  const { value } = basicConstraints({ isAuthority: false, maxPathLength: 3 });
  expect(Buffer.from(value).toString("hex")).toBe("3000");
});

test("an authority keeps its path length", () => {
  const der = buildCertificate(
    {
      serial: 1n,
      issuer: authority.certificate.subject.der,
      subject: encodeSubject({ commonName: "sub" }),
      notBefore,
      notAfter,
      publicKey: authority.publicKey.spki,
      extensions: [basicConstraints({ isAuthority: true, maxPathLength: 0 })],
    },
    authority.signer,
  );
  expect(parseCertificate(der).extensions.basicConstraints).toEqual({ isAuthority: true, maxPathLength: 0 });
});
