import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callerOf } from "../../../test/support/engine-caller.ts";
import { unversionedKv, versionedKv } from "./engine.ts";

/** What other stores of secrets are known to change. */
const values = [
  "9007199254740993",
  "-9223372036854775808",
  "18446744073709551616",
  "1.0",
  "0.10",
  "-0",
  "-0.0",
  "1e400",
  "1E+2",
  "1e-400",
  "3.14159265358979323846264338327950288",
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000\\u001f"',
  '"\u2028 ü 😀"',
  '""',
  "null",
  "true",
  "[]",
  "{}",
  "[9007199254740993,[1.0,{}],null]",
];

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "a/b", "\\ud800", "0", "data", "ttl"];

const documents = [
  ...values.map((value) => `{"a":${value}}`),
  ...names.map((name) => `{"${name}":1.0}`),
  '{"__proto__":{"constructor":{"__proto__":9007199254740993}}}',
  `{${values.map((value, index) => `"k${index}":${value}`).join(",")}}`,
];

describe("what was written is what is read, to the last digit", () => {
  test.each(documents)("%s", async (document) => {
    const v1 = callerOf(unversionedKv);
    await v1.call("write", "a", document);
    expect(JSON.stringify((await v1.call("read", "a")).data)).toBe(document);

    const v2 = callerOf(versionedKv);
    await v2.call("write", "data/a", `{"data":${document}}`);
    expect(JSON.stringify((await v2.call("read", "data/a")).data.data)).toBe(document);
  });

  test("whatever JSON it is", async () => {
    const property = fc.asyncProperty(
      fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
      async (value) => {
        const document = JSON.stringify({ ...value, big: 1 });
        const v2 = callerOf(versionedKv);
        await v2.call("write", "data/a", `{"data":${document}}`);
        expect(JSON.stringify((await v2.call("read", "data/a")).data.data)).toBe(document);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});

describe("a patch changes what it names and keeps the rest to the last digit", () => {
  test.each(documents)("beside %s", async (document) => {
    const kv = callerOf(versionedKv);
    const inner = document.slice(1, -1);
    await kv.call("write", "data/a", `{"data":{${inner},"z":1}}`);
    await kv.call("patch", "data/a", '{"data":{"z":12345678901234567890}}');
    expect(JSON.stringify((await kv.call("read", "data/a")).data.data)).toBe(`{${inner},"z":12345678901234567890}`);
  });

  // A null in a patch removes, and an empty object adds nothing to an object: neither is a value that a patch can set.
  test.each(documents.filter((document) => !document.includes("null")))("adding %s", async (document) => {
    const kv = callerOf(versionedKv);
    await kv.call("write", "data/a", '{"data":{}}');
    await kv.call("patch", "data/a", `{"data":{"sub":${document}}}`);
    expect(JSON.stringify((await kv.call("read", "data/a")).data.data)).toBe(`{"sub":${document}}`);
  });
});

test("the structure of a secret has the same keys", async () => {
  const kv = callerOf(versionedKv);
  const members = names.map((name) => `"${name}":{"${name}":9007199254740993}`);
  await kv.call("write", "data/a", `{"data":{${members.join(",")}}}`);
  const { data } = await kv.call("read", "subkeys/a");
  const { data: read } = await kv.call("read", "data/a");
  expect(JSON.stringify(data.subkeys)).toBe(JSON.stringify(read.data).replaceAll("9007199254740993", "null"));
});
