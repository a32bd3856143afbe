import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readData, readQuery } from "./input.ts";
import { RecordedTerminal } from "./terminal-fixture.suite.ts";

const folder = mkdtempSync(join(tmpdir(), "strongroom-input-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const read = async (words: string[], input = ""): Promise<string> =>
  JSON.stringify(await readData(words, new RecordedTerminal({}, input)));

describe("readData", () => {
  it.each([
    [[], "{}"],
    [["a=1"], '{"a":"1"}'],
    [["a="], '{"a":""}'],
    [["a=b=c"], '{"a":"b=c"}'],
    [["a=1", "b=2", "a=3"], '{"a":["1","3"],"b":"2"}'],
    [["a=\\@b"], '{"a":"@b"}'],
    [["a=\\\\@b"], '{"a":"\\\\\\\\@b"}'],
    [["__proto__=x"], '{"__proto__":"x"}'],
  ])("%j", async (words, json) => expect(await read(words)).toBe(json));

  it("takes values from files and from standard input, untouched", async () => {
    expect(await read([`a=@${file("value", "line\n")}`, "b=-"], "typed\n")).toBe('{"a":"line\\n","b":"typed\\n"}');
  });

  it("takes whole objects, digit for digit; what comes later wins", async () => {
    const name = file("data.json", '{"a": 9007199254740993, "b": [true, null], "c": 1.0}');
    expect(await read([`@${name}`, "c=2"])).toBe('{"a":9007199254740993,"b":[true,null],"c":"2"}');
    expect(await read(["-"], '{"a":{"b":1}}')).toBe('{"a":{"b":1}}');
  });

  it.each<[string[], string]>([
    [["hunter2"], ""],
    [["a=1", "=hunter2"], ""],
    [["-"], '{"a": "hunter2'],
    [["-"], '"hunter2"'],
    [["-"], '["hunter2"]'],
    [["@/no/such/file"], ""],
    [["a=@/no/such/file"], ""],
  ])("refuses %j with input %j, and repeats no secret", async (words, input) => {
    const failure = await read(words, input).catch((error) => error);
    expect(failure.name).toBe("UsageError");
    expect(failure.message).not.toContain("hunter2");
  });
});

describe("readQuery", () => {
  it("makes text of everything", async () => {
    const query = await readQuery(["a=1", "a=2", "-"], new RecordedTerminal({}, '{"n":1.0,"t":true,"l":[1,"x"]}'));
    expect({ ...query }).toEqual({ a: ["1", "2"], n: "1.0", t: "true", l: ["1", "x"] });
  });
});
