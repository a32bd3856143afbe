import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonObject, parseJson } from "../../../lib/json.ts";
import { mergePatch } from "./merge-patch.ts";

/** The cases of RFC 7396, appendix A, that have objects on both sides, and some of our own. */
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ['{"a":1.0}', '{"a":{"b":1.50}}', '{"a":{"b":1.50}}'],
  ['{"a":{"b":1}}', '{"a":9007199254740993}', '{"a":9007199254740993}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
  ['{"constructor":1}', '{"constructor":null}', "{}"],
])("%s patched with %s is %s", (target, patch, result) => {
  expect(JSON.stringify(mergePatch(parse(target), parse(patch)))).toBe(result);
});

const parse = (text: string) => parseJson(text) as JsonObject;

test("a patch leaves its arguments alone, and applying it twice changes nothing more", () => {
  const object = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(object, object, (target, patch) => {
      const texts = [JSON.stringify(target), JSON.stringify(patch)];
      const once = mergePatch(target, patch);
      expect([JSON.stringify(target), JSON.stringify(patch)]).toEqual(texts);
      expect(JSON.stringify(mergePatch(once, patch))).toBe(JSON.stringify(once));
    }),
  );
});
