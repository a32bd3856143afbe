import { describe, expect, it } from "vitest";
import { blocks } from "./blocks.ts";
import { parseHcl } from "./parser.ts";
import { plainObject } from "./plain-value.ts";

describe("blocks", () => {
  it.each([
    ['listener "tcp" { a = 1 }'],
    ["listener tcp { a = 1 }"],
    ["listener { tcp { a = 1 } }"],
    ["listener = { tcp = { a = 1 } }"],
    ["listener = [{ tcp = { a = 1 } }]"],
    ['listener { "tcp" = [{ a = 1 }] }'],
    ['{"listener": {"tcp": {"a": 1}}}'],
    ['{"listener": [{"tcp": {"a": 1}}]}'],
    ['{"listener": {"tcp": [{"a": 1}]}}'],
  ])("are the same however they are written: %s", (text) => {
    const found = blocks(parseHcl(text), "listener", 1);
    expect(found.map(({ labels, body }) => [labels.map((label) => label.text), plainObject(body)])).toEqual([
      [["tcp"], { a: 1 }],
    ]);
  });

  it.each<[string, string, number, string[][]]>([
    ['p "a" {} q {} p "b" {}', "p", 1, [["a"], ["b"]]],
    ['{"p": {"a": {}, "b": {}}}', "p", 1, [["a"], ["b"]]],
    ['{"p": {"a": [{}, {}]}}', "p", 1, [["a"], ["a"]]],
    ['audit "file" "x" {}', "audit", 2, [["file", "x"]]],
    [
      'audit "file" { x {} y {} }',
      "audit",
      2,
      [
        ["file", "x"],
        ["file", "y"],
      ],
    ],
    [
      '{"audit": [{"file": {"x": {}}}, {"http": {"y": {}}}]}',
      "audit",
      2,
      [
        ["file", "x"],
        ["http", "y"],
      ],
    ],
    ["telemetry { a = 1 } telemetry {}", "telemetry", 0, [[], []]],
    ["p = []", "p", 1, []],
    ["q {}", "p", 1, []],
  ])("%s has %s blocks with %o label(s): %o", (text, key, labelCount, labels) => {
    const found = blocks(parseHcl(text), key, labelCount);
    expect(found.map((block) => block.labels.map((label) => label.text))).toEqual(labels);
  });

  it("know where they begin", () => {
    expect(blocks(parseHcl('\n p "a" {}\n p "b" {}'), "p", 1).map((block) => block.position)).toEqual([
      { line: 2, column: 2 },
      { line: 3, column: 2 },
    ]);
    expect(blocks(parseHcl('{"p":\n {"a": {},\n "b": {}}}'), "p", 1).map((block) => block.position.line)).toEqual([
      2, 3,
    ]);
  });

  it.each<[string, number, string]>([
    ['p = "x"', 1, 'At 1:5: "p" must be a block, found a string'],
    ["p = 5", 0, 'At 1:5: "p" must be a block, found a number'],
    ["p = [true]", 0, 'At 1:6: "p" must be a block, found a boolean'],
    ['{"p": null}', 0, 'At 1:7: "p" must be a block, found null'],
    ["p { a = 1 }", 1, 'At 1:9: "a" must be a block, found a number'],
    ['p "a" "b" {}', 1, 'At 1:7: "p" takes 1 label, found 2'],
    ['p "a" {}', 0, 'At 1:3: "p" takes 0 labels, found 1'],
  ])("refuses %s as blocks with %o label(s)", (text, labelCount, message) => {
    expect(() => blocks(parseHcl(text), "p", labelCount)).toThrow(message);
  });
});
