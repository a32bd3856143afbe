import { expect, test } from "vitest";
import {
  extendedKeyUsage,
  extendedKeyUsageNamed,
  keyUsage,
  keyUsageNamed,
  keyUsageNames,
  parseExtendedKeyUsage,
  parseKeyUsage,
} from "./key-usage.ts";
import { X509Error } from "./x509-error.ts";

test.each([
  ["DigitalSignature", "DigitalSignature"],
  [" digitalsignature ", "DigitalSignature"],
  ["KeyUsageCertSign", "CertSign"],
  ["keyEncipherment", "KeyEncipherment"],
  ["crlsign", "CRLSign"],
  ["nonRepudiation", "ContentCommitment"],
  ["ServerAuth", undefined],
  ["", undefined],
])("%j is the usage %s", (text, name) => {
  expect(keyUsageNamed(text)).toBe(name);
});

test.each([
  ["ServerAuth", "1.3.6.1.5.5.7.3.1"],
  ["extkeyusageclientauth", "1.3.6.1.5.5.7.3.2"],
  ["any", "2.5.29.37.0"],
  ["OCSPSigning", "1.3.6.1.5.5.7.3.9"],
  ["1.2.3", undefined],
])("%j is the extended usage %s", (text, oid) => {
  expect(extendedKeyUsageNamed(text)).toBe(oid);
});

test.each([
  [["DigitalSignature"], "03020780"],
  [["CertSign", "CRLSign"], "03020106"],
  [["DecipherOnly"], "0303070080"],
] as const)("%j is %s", (usages, hex) => {
  const { value, isCritical } = keyUsage(usages);
  expect(isCritical).toBe(true);
  expect(Buffer.from(value).toString("hex")).toBe(hex);
  expect(parseKeyUsage(value)).toEqual(usages);
});

test("all of them", () => {
  expect(parseKeyUsage(keyUsage(keyUsageNames).value)).toEqual(keyUsageNames);
});

test("extended ones by identifier", () => {
  const oids = ["1.3.6.1.5.5.7.3.1", "1.2.3.4"];
  expect(parseExtendedKeyUsage(extendedKeyUsage(oids).value)).toEqual(oids);
  expect(() => extendedKeyUsage(["a.b"])).toThrow('"a.b" is not a valid object identifier for an extended key usage');
  expect(() => parseExtendedKeyUsage(Buffer.from("3000", "hex"))).toThrow(X509Error);
});
