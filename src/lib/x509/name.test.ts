import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readElement } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import {
  attributeValues,
  encodeSubject,
  isEmptyName,
  isSameName,
  nameText,
  parseName,
  type Subject,
  subjectOf,
} from "./name.ts";
import { X509Error } from "./x509-error.ts";

const whole: Subject = {
  commonName: "web",
  country: ["DE"],
  province: ["Berlin"],
  locality: ["Mitte"],
  streetAddress: ["Unter den Linden 1"],
  postalCode: ["10117"],
  organization: ["Example", "Another"],
  organizationalUnit: ["ops"],
  serialNumber: "42",
  userIds: ["joe"],
  extra: [{ oid: "2.5.4.12", value: "Dr." }],
};

test("fields come in their order, several values in one relative name", () => {
  const name = parseName(encodeSubject(whole));
  expect(name.relativeNames.map((attributes) => attributes.map(({ value }) => value).join("+"))).toEqual([
    "DE",
    "Berlin",
    "Mitte",
    "Unter den Linden 1",
    "10117",
    "Another+Example",
    "ops",
    "web",
    "42",
    "joe",
    "Dr.",
  ]);
  expect(subjectOf(name)).toMatchObject({ ...whole, organization: ["Another", "Example"] });
  expect(attributeValues(name, "2.5.4.10")).toEqual(["Another", "Example"]);
});

test.each([
  [{}, ""],
  [{ commonName: "" }, ""],
  [{ commonName: "web", organization: ["Example"], country: ["DE"] }, "CN=web,O=Example,C=DE"],
  [{ organization: ["b", "a"], commonName: "x" }, "CN=x,O=a+O=b"],
  [{ commonName: ' a,b+c"d\\e<f>g;h ' }, 'CN=\\ a\\,b\\+c\\"d\\\\e\\<f\\>g\\;h\\ '],
  [{ commonName: "#1" }, "CN=\\#1"],
  [{ serialNumber: "42", streetAddress: ["S"], postalCode: ["P"] }, "SERIALNUMBER=42,POSTALCODE=P,STREET=S"],
  [{ userIds: ["joe"] }, "0.9.2342.19200300.100.1.1=#13036a6f65"],
])("%j is %s", (subject: Subject, text) => {
  expect(nameText(parseName(encodeSubject(subject)))).toBe(text);
});

test("an empty one", () => {
  expect(isEmptyName(encodeSubject({}))).toBe(true);
  expect(isEmptyName(encodeSubject({ commonName: "a" }))).toBe(false);
});

test.each([
  ["Example Inc. (2)", tags.printableString],
  ["a:b=c?d/e'f,g-h+i", tags.printableString],
  ["*.example.com", tags.utf8String],
  ["a&b", tags.utf8String],
  ["a@b", tags.utf8String],
  ["a_b", tags.utf8String],
  ["Müller", tags.utf8String],
])("%s is written as type %i", (commonName, tag) => {
  expect(parseName(encodeSubject({ commonName })).relativeNames[0]![0]!.tag).toBe(tag);
});

test("a type that was asked for is kept", () => {
  const extra = [{ oid: "1.2.840.113549.1.9.1", value: "a@b", tag: tags.ia5String }];
  expect(parseName(encodeSubject({ extra })).relativeNames).toEqual([extra]);
});

describe("refuses", () => {
  test.each<[string, Subject]>([
    ["half a character", { commonName: "\ud800" }],
    ["an attribute without a proper identifier", { extra: [{ oid: "x", value: "1" }] }],
  ])("to write %s", (_, subject) => {
    expect(() => encodeSubject(subject)).toThrow(X509Error);
  });

  test.each([
    ["what is no sequence", "0400"],
    ["a relative name that is no set", "30023000"],
    ["an attribute without a value", "30093107300506035504 03".replace(" ", "")],
    ["a value that is no text", "300c310a3008060355040302 0101".replace(" ", "")],
  ])("to read %s", (_, hex) => {
    expect(() => parseName(Buffer.from(hex, "hex"))).toThrow(X509Error);
  });
});

test.each<[string, Subject, Subject, boolean]>([
  ["letter case", { commonName: "Test CA" }, { commonName: "test ca" }, true],
  ["spaces", { commonName: "Test  CA " }, { commonName: "Test CA" }, true],
  [
    "the type of the text",
    { commonName: "a_b" },
    { extra: [{ oid: "2.5.4.3", value: "a_b", tag: tags.teletexString }] },
    true,
  ],
  ["the values of one relative name", { organization: ["a", "b"] }, { organization: ["b", "a"] }, true],
  ["a letter", { commonName: "Test CA" }, { commonName: "Test CB" }, false],
  ["the kind", { commonName: "a" }, { organization: ["a"] }, false],
  ["one more", { commonName: "a" }, { commonName: "a", organization: ["b"] }, false],
])("names that differ in %s", (_, a, b, isSame) => {
  expect(isSameName(encodeSubject(a), encodeSubject(b))).toBe(isSame);
});

test("what is no name is the same as nothing but itself", () => {
  expect(isSameName(Buffer.from("0400", "hex"), encodeSubject({}))).toBe(false);
});

test("the way there and back", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const texts = fc.array(text, { maxLength: 3 });
  const subjects = fc.record({
    commonName: text,
    organization: texts,
    locality: texts,
    serialNumber: text,
    userIds: texts,
  });
  fc.assert(
    fc.property(subjects, (subject) => {
      const der = encodeSubject(subject);
      const read = subjectOf(parseName(der));
      expect(read).toMatchObject({ commonName: subject.commonName, serialNumber: subject.serialNumber });
      for (const field of ["organization", "locality", "userIds"] as const) {
        expect([...read[field]].sort()).toEqual([...subject[field]].sort());
      }
      expect(isSameName(der, encodeSubject(read))).toBe(true);
      expect(readElement(der).tag).toBe(tags.sequence);
    }),
  );
});
