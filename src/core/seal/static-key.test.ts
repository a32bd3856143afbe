import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SealSettingsError, type StaticSealSettings, staticSeal, systemKeySources } from "./static-key.ts";
import { StaticSeal } from "./static-seal.ts";

const random = { bytes: (count: number) => randomBytes(count) };
const key = Buffer.from(`${"f7".repeat(31)}0a`, "hex");
const folder = mkdtempSync(join(tmpdir(), "static-key-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return `file://${join(folder, name)}`;
}

const environment = { HEX_KEY: key.toString("hex"), SHORT_KEY: "abcd", EMPTY_KEY: "" };
const sources = { ...systemKeySources, environment };
const make = (settings: StaticSealSettings) => staticSeal(settings, random, sources);
const opens = async (reference: string, expected: Uint8Array) => {
  const wrapped = await new StaticSeal(random, { id: "one", key: expected }).wrap(key, "purpose");
  const seal = make({ current_key_id: "one", current_key: reference });
  return (await seal!.unwrap(wrapped, "purpose")).rootKey.equals(key);
};

describe("a static key", () => {
  it.each([
    ["hexadecimal digits", key.toString("hex")],
    ["capital digits", key.toString("hex").toUpperCase()],
    ["base64", key.toString("base64")],
    ["base64 without padding", key.toString("base64").replace("=", "")],
    ["base64 for URLs", key.toString("base64url")],
    ["an environment variable", "env://HEX_KEY"],
    ["a raw file, though it ends like a line", file("raw", key)],
    ["a file of hexadecimal digits", file("hex", key.toString("hex"))],
    ["a file with a line break", file("line", `${key.toString("hex")}\n`)],
    ["a file with a line break of Windows", file("windows", `${key.toString("base64")}\r\n`)],
  ])("may be %s", async (_, reference) => {
    expect(await opens(reference, key)).toBe(true);
  });

  it("may be 32 characters as they are", async () => {
    const text = "0123456789abcdefghijklmnopqrstuv";
    expect(await opens(text, Buffer.from(text))).toBe(true);
    expect(await opens(file("characters", `${text}\n`), Buffer.from(text))).toBe(true);
  });

  it.each([
    ["too short", "abcd", "current_key: the value must be a key of 32 bytes"],
    ["too long", "ab".repeat(33), "it has 66 bytes"],
    ["not hexadecimal", "zz".repeat(32), "must be a key of 32 bytes: raw, or as 64 hexadecimal digits, or as base64"],
    ["very long", "a".repeat(100_000), "it has 100000 bytes"],
    ["missing", "", 'the seal "static" needs current_key'],
    ["a short variable", "env://SHORT_KEY", 'the environment variable "SHORT_KEY" must be a key of 32 bytes'],
    ["an empty variable", "env://EMPTY_KEY", 'the environment variable "EMPTY_KEY" is not set'],
    ["no variable", "env://NO_KEY", 'current_key: the environment variable "NO_KEY" is not set'],
    ["a short file", file("short", "abc"), "must be a key of 32 bytes"],
    ["an empty file", file("empty", ""), "it has 0 bytes"],
    ["no file", "file:///nowhere/at/all", 'the file "/nowhere/at/all" cannot be read: ENOENT'],
    ["a folder", `file://${folder}`, "cannot be read: EISDIR"],
  ])("is refused when it is %s", (_, current_key, message) => {
    expect(() => make({ current_key_id: "one", current_key })).toThrow(SealSettingsError);
    expect(() => make({ current_key_id: "one", current_key })).toThrow(message);
  });

  it("is never shown in an error", () => {
    const secret = `${"5ec2e7".repeat(10)}zz`;
    expect(() => make({ current_key_id: "one", current_key: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("5ec2e7") }),
    );
  });
});

describe("the stanza", () => {
  const hex = key.toString("hex");

  it("makes no seal when it is disabled", () => {
    expect(make({ current_key_id: "one", current_key: "env://NO_KEY", disabled: true })).toBeUndefined();
  });

  it.each<[string, Partial<StaticSealSettings>, string]>([
    ["no id", { current_key_id: "" }, "needs current_key_id"],
    ["a previous id without a key", { previous_key_id: "zero" }, "needs previous_key"],
    ["a previous key without an id", { previous_key: hex }, "needs previous_key_id"],
    ["the same id twice", { previous_key_id: "one", previous_key: hex }, "must differ from current_key_id"],
    ["a wrong previous key", { previous_key_id: "zero", previous_key: "abc" }, "previous_key: the value must be"],
  ])("is refused with %s", (_, settings, message) => {
    expect(() => make({ current_key_id: "one", current_key: hex, ...settings })).toThrow(message);
  });
});
