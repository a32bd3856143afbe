import { describe, expect, test } from "vitest";
import { explicit, implicit, sequence } from "../der/writer.ts";
import { parseAlternativeNames, subjectAltName } from "./alternative-names.ts";
import { type AlternativeNames, noNames } from "./general-name.ts";
import { encodeSubject, parseName, type Subject } from "./name.ts";
import { type NameTrees, nameConstraints, parseNameConstraints } from "./name-constraints.ts";
import { nameViolation } from "./name-violation.ts";
import { X509Error } from "./x509-error.ts";

type Side = "permitted" | "excluded";

/** Through bytes and back, so that what is written is what is obeyed. */
function verdict(
  side: Side,
  trees: Partial<NameTrees>,
  names: Partial<AlternativeNames>,
  subject: Subject = {},
): string | undefined {
  const constraints = parseNameConstraints(nameConstraints({ [side]: trees }).value);
  return nameViolation(constraints, { ...noNames, ...names }, parseName(encodeSubject(subject)));
}

describe.each<[string, keyof NameTrees, keyof AlternativeNames, [tree: string, name: string, isInside: boolean][]]>([
  [
    "DNS name",
    "dnsDomains",
    "dnsNames",
    [
      ["example.com", "example.com", true],
      ["example.com", "a.b.example.com", true],
      ["example.com", "*.example.com", true],
      ["example.com", "A.EXAMPLE.com.", true],
      ["example.com", "badexample.com", false],
      ["example.com", "example.org", false],
      [".example.com", "a.example.com", true],
      [".example.com", "example.com", false],
      ["", "anything", true],
    ],
  ],
  [
    "e-mail address",
    "emails",
    "emails",
    [
      ["example.com", "joe@example.com", true],
      ["example.com", "joe@EXAMPLE.com", true],
      ["example.com", "joe@a.example.com", false],
      [".example.com", "joe@a.example.com", true],
      [".example.com", "joe@example.com", false],
      ["joe@example.com", "joe@example.com", true],
      ["joe@example.com", "Joe@example.com", false],
      ["joe@example.com", "ann@example.com", false],
    ],
  ],
  [
    "IP address",
    "ipRanges",
    "ips",
    [
      ["10.0.0.0/8", "10.1.2.3", true],
      ["10.0.0.0/8", "11.1.2.3", false],
      ["10.0.0.0/8", "fd00::1", false],
      ["fd00::/8", "fd12::1", true],
    ],
  ],
  [
    "URI",
    "uriDomains",
    "uris",
    [
      ["example.com", "https://example.com/x", true],
      ["example.com", "https://a.example.com/x", false],
      [".example.com", "spiffe://a.example.com/x", true],
      [".example.com", "https://user@a.example.com:8443/", true],
      ["example.com", "urn:example.com", false],
      ["1.2.3.4", "https://1.2.3.4/", false],
    ],
  ],
])("%s", (what, trees, names, cases) => {
  test.each(cases)("%j and %j: %s", (tree, name, isInside) => {
    const [permitted, excluded] = (["permitted", "excluded"] as const).map((side) =>
      verdict(side, { [trees]: [tree] }, { [names]: [name] }),
    );
    const shown = JSON.stringify(name);
    expect(permitted).toBe(
      isInside ? undefined : `the ${what} ${shown} is not permitted by the issuer's name constraints`,
    );
    expect(excluded).toBe(isInside ? `the ${what} ${shown} is excluded by the issuer's name constraints` : undefined);
  });
});

test("kinds that are not constrained are free", () => {
  expect(
    verdict("permitted", { dnsDomains: ["example.com"] }, { ips: ["1.2.3.4"], emails: ["a@b"], uris: ["urn:x"] }),
  ).toBeUndefined();
});

test("one permitted tree is enough, one excluded tree is too much", () => {
  const names = { dnsNames: ["a.example.org"] };
  expect(verdict("permitted", { dnsDomains: ["example.com", "example.org"] }, names)).toBeUndefined();
  expect(verdict("excluded", { dnsDomains: ["example.com", "example.org"] }, names)).toContain("is excluded");
});

test("a host in the common name counts where there is no other", () => {
  const trees = { dnsDomains: ["example.com"] };
  expect(verdict("permitted", trees, {}, { commonName: "a.example.org" })).toContain('"a.example.org"');
  expect(verdict("permitted", trees, { dnsNames: ["a.example.com"] }, { commonName: "a.example.org" })).toBeUndefined();
  expect(verdict("permitted", trees, {}, { commonName: "Joe Doe" })).toBeUndefined();
  expect(verdict("permitted", trees, {}, { commonName: "10.0.0.1" })).toBeUndefined();
});

test("a mailbox in the subject counts", () => {
  const subject = { extra: [{ oid: "1.2.840.113549.1.9.1", value: "joe@example.org" }] };
  expect(verdict("permitted", { emails: ["example.com"] }, {}, subject)).toContain("joe@example.org");
});

test("directory names hold what is below them", () => {
  const directories = [encodeSubject({ country: ["DE"], organization: ["Example"] })];
  const inside = { country: ["de"], organization: ["EXAMPLE"], commonName: "web" };
  expect(verdict("permitted", { directories }, {}, inside)).toBeUndefined();
  expect(verdict("excluded", { directories }, {}, inside)).toContain("is excluded");
  expect(verdict("permitted", { directories }, {}, { country: ["DE"], organization: ["Example Two"] })).toContain(
    "not permitted",
  );
  expect(verdict("permitted", { directories }, {})).toBeUndefined();
});

test("kinds of constraint that cannot be checked forbid such names", () => {
  const registered = implicit(8, Buffer.from("2a03", "hex"));
  const names = parseAlternativeNames(subjectAltName({ otherNames: [{ oid: "1.2.3", value: "x" }] }).value);
  const whole = sequence(explicit(0, sequence(registered)));
  const constraints = parseNameConstraints(whole);
  expect(constraints.hasUnknown).toBe(true);
  expect(nameViolation(constraints, names)).toContain("cannot be checked");
  expect(nameViolation(constraints, { ...noNames, dnsNames: ["a.example.com"] })).toBeUndefined();
});

test("a minimum distance of zero may be written down, another one may not", () => {
  const withMinimum = (distance: number) =>
    sequence(explicit(0, sequence(implicit(2, Buffer.from("a.b")), implicit(0, Uint8Array.of(distance)))));
  expect(parseNameConstraints(withMinimum(0)).permitted.dnsDomains).toEqual(["a.b"]);
  expect(() => parseNameConstraints(withMinimum(1))).toThrow(X509Error);
});

test.each([
  ["an IP range", { ipRanges: ["10.0.0.0"] }],
  ["a domain", { dnsDomains: ["exämple.com"] }],
])("%s that is none cannot be written", (_, permitted) => {
  expect(() => nameConstraints({ permitted })).toThrow(X509Error);
});
