import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { callerOf } from "../../../test/support/engine-caller.ts";
import { engine } from "../../api/engine.ts";
import { type ToolsServices, toolsPaths } from "./tools.paths.ts";

const system = engine<ToolsServices>({
  type: "system",
  kind: "secrets",
  summary: "",
  paths: toolsPaths,
  services: ({ host }) => ({ random: host.random }),
});

const call = (path: string, body: object = {}) => callerOf(system).call("write", path, body);

describe("random bytes", () => {
  test.each([
    ["tools/random", {}, 32],
    ["tools/random", { bytes: "7" }, 7],
    ["tools/random", { source: "all", bytes: 131072 }, 131072],
    ["tools/random/164", {}, 164],
    ["tools/random/164", { bytes: 8 }, 164],
    ["tools/random/platform", { bytes: 8 }, 8],
    ["tools/random/all", {}, 32],
    ["tools/random/platform/5", { bytes: 8 }, 5],
  ])("%s %j gives %d", async (path, body, count) => {
    const base64 = (await call(path, body)).data.random_bytes;
    expect(Buffer.from(base64, "base64")).toHaveLength(count);
    expect(base64).toBe(Buffer.from(base64, "base64").toString("base64"));
    const hex = (await call(path, { ...body, format: "hex" })).data.random_bytes;
    expect(hex).toMatch(/^[0-9a-f]+$/);
    expect(hex).toHaveLength(count * 2);
  });

  test("differ each time", async () => {
    const drawn = await Promise.all(Array.from({ length: 20 }, () => call("tools/random")));
    expect(new Set(drawn.map(({ data }) => data.random_bytes)).size).toBe(20);
  });

  test("a seal that gives none is said to give none", async () => {
    const { data, warnings } = await call("tools/random/seal/4");
    expect(Buffer.from(data.random_bytes, "base64")).toHaveLength(4);
    expect(warnings).toEqual([expect.stringContaining("platform")]);
  });

  test.each([
    ["tools/random", { bytes: 0 }, '"bytes" must be between 1 and 131072'],
    ["tools/random", { bytes: 131073 }, '"bytes" must be between 1 and 131072'],
    ["tools/random/-1", {}, '"bytes" must be between 1 and 131072'],
    ["tools/random", { format: "base32" }, 'expected one of "hex", "base64"'],
    ["tools/random", { source: "dice" }, 'expected one of "platform", "seal", "all"'],
    ["tools/random/dice", {}, "a number of bytes or a source: platform, seal, all"],
    ["tools/random/dice/3", {}, 'expected one of "platform", "seal", "all"'],
    ["tools/random/all/many", {}, 'for field "bytes": expected an integer'],
  ])("%s %j is refused", async (path, body, message) => {
    await expect(call(path, body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });
});

describe("hashes", () => {
  const input = Buffer.from("the quick brown fox").toString("base64");

  test.each([
    ["sha2-224", "sha224"],
    ["sha2-256", "sha256"],
    ["sha2-384", "sha384"],
    ["sha2-512", "sha512"],
    ["sha3-224", "sha3-224"],
    ["sha3-256", "sha3-256"],
    ["sha3-384", "sha3-384"],
    ["sha3-512", "sha3-512"],
  ])("%s", async (algorithm, name) => {
    const digest = createHash(name).update("the quick brown fox").digest();
    expect((await call("tools/hash", { input, algorithm })).data).toEqual({ sum: digest.toString("hex") });
    expect((await call(`tools/hash/${algorithm}`, { input, format: "base64" })).data).toEqual({
      sum: digest.toString("base64"),
    });
  });

  test.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["YWJj", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["YW\nJj\r\n", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ])("of %j, with sha2-256 unless another is named", async (input, sum) => {
    expect((await call("tools/hash", { input })).data).toEqual({ sum });
  });

  test.each([
    ["tools/hash", {}, 'missing required field "input"'],
    ["tools/hash", { input: "YWJ" }, "base64"],
    ["tools/hash", { input: "YW-j" }, "base64"],
    ["tools/hash", { input: "YW=j" }, "base64"],
    ["tools/hash", { input: "====" }, "base64"],
    ["tools/hash/md5", { input: "YWJj" }, 'expected one of "sha2-224"'],
    ["tools/hash", { input: "YWJj", algorithm: "md5" }, 'expected one of "sha2-224"'],
    ["tools/hash", { input: "YWJj", format: "raw" }, 'expected one of "hex", "base64"'],
  ])("%s %j is refused", async (path, body, message) => {
    await expect(call(path, body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });
});
