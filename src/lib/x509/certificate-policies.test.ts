import { expect, test } from "vitest";
import { certificatePolicies, parseCertificatePolicies, parsePolicyIdentifier } from "./certificate-policies.ts";
import { X509Error } from "./x509-error.ts";

test.each<[unknown, object]>([
  ["1.2.3", { oid: "1.2.3" }],
  [" 1.2.3 ", { oid: "1.2.3" }],
  ['{"oid": "1.2.3"}', { oid: "1.2.3" }],
  ['{"oid": "1.2.3", "notice": "N", "cps": "https://x"}', { oid: "1.2.3", notice: "N", cps: "https://x" }],
  [
    { oid: "1.2.3", cps: "https://x" },
    { oid: "1.2.3", cps: "https://x" },
  ],
])("%j is a policy", (entry, policy) => {
  expect(parsePolicyIdentifier(entry)).toEqual(policy);
});

test.each<[unknown]>([
  ["a.b.c"],
  ["{"],
  ["null"],
  ["[]"],
  ['{"oid": 5}'],
  ['{"oid": "1.2.3", "cps": {}}'],
  [5],
  [null],
  [undefined],
  [""],
])("%j is none", (entry) => {
  expect(() => parsePolicyIdentifier(entry)).toThrow(X509Error);
  expect(() => parsePolicyIdentifier(entry)).toThrow("is neither a valid OID nor a JSON object");
});

test("written and read back", () => {
  const policies = [
    { oid: "1.2.3" },
    { oid: "2.5.29.32.0", cps: "https://x" },
    { oid: "1.2.4", notice: "Für alle", cps: "urn:x" },
  ];
  expect(parseCertificatePolicies(certificatePolicies(policies).value)).toEqual(policies);
});

test("what cannot be written is refused", () => {
  expect(() => certificatePolicies([{ oid: "1.2.3", cps: "ü" }])).toThrow("must be printable ASCII");
  expect(() => certificatePolicies([{ oid: "x" }])).toThrow(X509Error);
});
