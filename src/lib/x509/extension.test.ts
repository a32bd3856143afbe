import { expect, test } from "vitest";
import { readElement } from "../der/reader.ts";
import { sequence } from "../der/writer.ts";
import { extension, readExtensions } from "./extension.ts";
import {
  authorityInfoAccess,
  crlDistributionPoints,
  parseDistributionPoints,
  parseInformationAccess,
} from "./information-access.ts";
import {
  authorityKeyId,
  parseAuthorityKeyId,
  parseKeyIdText,
  parseSubjectKeyId,
  subjectKeyId,
} from "./key-identifier.ts";
import { issuingDistributionPoint } from "./revocation-extensions.ts";
import { X509Error } from "./x509-error.ts";

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");

test("any extension by its identifier, written and read back", () => {
  const [plain, critical] = [
    extension("1.2.3", false, Buffer.from("0500", "hex")),
    extension("1.2.4", true, Buffer.alloc(0)),
  ];
  expect(hex(plain.der)).toBe("300806022a0304020500");
  const read = readExtensions(readElement(sequence(plain.der, critical.der)));
  expect(read.map(({ oid, isCritical, value }) => [oid, isCritical, hex(value)])).toEqual([
    ["1.2.3", false, "0500"],
    ["1.2.4", true, ""],
  ]);
  expect(() => extension("not.one", false, Buffer.alloc(0))).toThrow(X509Error);
});

test("key identifiers", () => {
  const id = Buffer.from("0102", "hex");
  expect(hex(parseSubjectKeyId(subjectKeyId(id).value))).toBe("0102");
  expect(hex(parseAuthorityKeyId(authorityKeyId(id).value))).toBe("0102");
  expect(parseAuthorityKeyId(Buffer.from("3003820101", "hex"))).toBeUndefined();
  expect(() => parseAuthorityKeyId(Buffer.from("3003830101", "hex"))).toThrow(X509Error);
});

test.each([
  ["01:0a", "010a"],
  ["01-0A", "010a"],
  ["01 0a", "010a"],
  ["010a", "010a"],
  ["", undefined],
  ["1", undefined],
  ["0x01", undefined],
])("the key identifier %j is %s", (text, bytes) => {
  expect(hex(parseKeyIdText(text))).toBe(bytes);
});

test("places where more can be found", () => {
  const access = { ocspServers: ["http://a"], issuingCertificates: ["http://b", "http://c"] };
  expect(parseInformationAccess(authorityInfoAccess(access).value)).toEqual(access);
  expect(parseDistributionPoints(crlDistributionPoints(["http://a", "http://b"]).value)).toEqual([
    "http://a",
    "http://b",
  ]);
  expect(() => crlDistributionPoints(["http://ä"])).toThrow('the URI "http://ä" must be printable ASCII');
});

test("the distribution point of a list", () => {
  const all = issuingDistributionPoint({ urls: ["urn:x"], onlyAuthorities: true, isIndirect: true });
  expect(hex(all.value)).toBe("3011a009a007860575726e3a788201ff8401ff");
  expect(all.isCritical).toBe(true);
});
