import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HttpCaller } from "../support/http-caller.ts";
import { plainListener, type ServerOptions, ServerProcess } from "../support/server-process.ts";

/** One server from its first start to its end, told in the order in which operators do these things. */

let folder: string;
let options: ServerOptions;
let server: ServerProcess;
let caller: HttpCaller;
let rootToken: string;
let shares: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-life-"));
  options = {
    config: `
      storage "lmdb" {
        path = "${folder}"
      }
      listener "tcp" {
        address     = "127.0.0.1:0"
        tls_disable = true
      }
      pid_file = "${join(folder, "pid")}"
    `,
  };
  await start();
});

afterAll(async () => {
  await server?.kill();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = await ServerProcess.start(options);
  caller = server.caller(rootToken);
}

async function restart(): Promise<void> {
  caller.close();
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  await start();
}

const health = async () => (await caller.call("GET", "sys/health")).status;
const unseal = (key: string) => caller.demand("POST", "sys/unseal", { key });

test("a new server is not initialized, and answers nothing but that", async () => {
  expect(await health()).toBe(501);
  expect((await caller.call("GET", "sys/init")).json).toEqual({ initialized: false });
  expect((await caller.call("GET", "sys/seal-status")).json).toMatchObject({ initialized: false, sealed: true });
  expect(await caller.call("GET", "sys/mounts")).toMatchObject({ status: 503, json: { errors: ["Vault is sealed"] } });
  expect(await caller.call("POST", "sys/unseal", { key: "00" })).toMatchObject({ status: 400 });
});

test.for([
  [{}, "shares must be at least one"],
  [{ secret_shares: 3, secret_threshold: 5 }, "threshold cannot be larger than shares"],
  [{ secret_shares: 256, secret_threshold: 2 }, "255"],
  [{ secret_shares: 5, secret_threshold: 1 }, "threshold"],
  [{ secret_shares: "many", secret_threshold: 1 }, "secret_shares"],
] as const)("init refuses %j", async ([request, reason]) => {
  const { status, json } = await caller.call("POST", "sys/init", request);
  expect([status, json.errors.join()]).toEqual([400, expect.stringContaining(reason)]);
  expect(await health()).toBe(501);
});

test("init makes five shares and a root token, once", async () => {
  const { json } = await caller.demand("PUT", "sys/init", { secret_shares: 5, secret_threshold: 3 });
  expect(new Set(json.keys).size).toBe(5);
  expect(json.keys_base64.map((key: string) => Buffer.from(key, "base64").toString("hex"))).toEqual(json.keys);
  expect(json.root_token).toMatch(/^s\.[0-9A-Za-z]{24}$/);
  ({ keys: shares, root_token: rootToken } = json);
  caller.token = rootToken;
  const again = await caller.call("POST", "sys/init", { secret_shares: 1, secret_threshold: 1 });
  expect([again.status, again.json.errors]).toEqual([400, ["Vault is already initialized"]]);
  expect(await health()).toBe(503);
});

test.for([
  ["?!", "'key' must be a valid hex or base64 string"],
  ["", "key"],
  ["00", "key"],
])("the share %j is refused, and counts for nothing", async ([key, reason]) => {
  const { status, json } = await caller.call("POST", "sys/unseal", { key });
  expect([status, json.errors.join()]).toEqual([400, expect.stringContaining(reason!)]);
  expect((await caller.call("GET", "sys/seal-status")).json.progress).toBe(0);
});

test("shares are counted one by one, the same one once, and forgotten on request", async () => {
  expect((await unseal(shares[0]!)).json).toMatchObject({ sealed: true, t: 3, n: 5, progress: 1 });
  expect((await unseal(shares[0]!)).json).toMatchObject({ progress: 1 });
  const { json } = await unseal(shares[1]!);
  expect(json).toMatchObject({ progress: 2 });
  expect(json.nonce).not.toBe("");
  expect((await caller.demand("POST", "sys/unseal", { reset: true })).json).toMatchObject({ progress: 0, nonce: "" });
});

test("a wrong share among three unseals nothing, and all begin again", async () => {
  const wrong = Buffer.from(shares[2]!, "hex");
  wrong[3]! ^= 1;
  await unseal(shares[0]!);
  await unseal(shares[1]!);
  expect(await caller.call("POST", "sys/unseal", { key: wrong.toString("hex") })).toMatchObject({ status: 400 });
  expect((await caller.call("GET", "sys/seal-status")).json).toMatchObject({ sealed: true, progress: 0 });
});

test("any three shares unseal, in hexadecimal or base64", async () => {
  await unseal(shares[4]!);
  await unseal(Buffer.from(shares[1]!, "hex").toString("base64"));
  expect((await unseal(shares[3]!)).json).toMatchObject({ sealed: false, progress: 0 });
  expect(await health()).toBe(200);
  await caller.demand("POST", "sys/mounts/kv", { type: "kv" });
  await caller.demand("POST", "kv/kept", { a: 1 });
});

const reads = async (path = "kv/kept") => (await caller.call("GET", path)).json?.data;

test("sealing closes everything at once, and takes a token that may", async () => {
  expect(await caller.call("POST", "sys/seal", undefined, { token: "" })).toMatchObject({ status: 403 });
  expect(await caller.call("POST", "sys/seal")).toMatchObject({ status: 204, text: "" });
  expect(await caller.call("GET", "kv/kept")).toMatchObject({ status: 503, json: { errors: ["Vault is sealed"] } });
  for (const key of shares.slice(0, 3)) await unseal(key);
  expect(await reads()).toEqual({ a: 1 });
});

test("a restart leaves it sealed, with all that it had", async () => {
  await restart();
  expect(await health()).toBe(503);
  for (const key of shares.slice(2)) await unseal(key);
  expect(await reads()).toEqual({ a: 1 });
});

test("the encryption key rotates, and what was written before stays readable", async () => {
  const term = async () => (await caller.demand("GET", "sys/key-status")).json.data.term;
  const before = await term();
  expect(await caller.call("POST", "sys/rotate")).toMatchObject({ status: 204 });
  expect(await caller.call("PUT", "sys/rotate/keyring")).toMatchObject({ status: 204 });
  expect(await term()).toBe(before + 2);
  await caller.demand("POST", "kv/after", { b: 2 });
  expect([await reads(), await reads("kv/after")]).toEqual([{ a: 1 }, { b: 2 }]);
});

test("the root key rotates, and shares stay good", async () => {
  expect(await caller.call("POST", "sys/rotate/root")).toMatchObject({ status: 204 });
  await restart();
  for (const key of shares.slice(0, 3)) await unseal(key);
  expect(await reads("kv/after")).toEqual({ b: 2 });
});

test("holders of shares make a root token, which the one-time password opens", async () => {
  const { json } = await caller.demand("POST", "sys/generate-root-token/attempt", {});
  const { nonce, otp, otp_length } = json.data;
  expect(otp).toHaveLength(otp_length);
  let last: HttpAnswerData = {};
  for (const key of shares.slice(0, 3)) {
    last = (await caller.demand("POST", "sys/generate-root-token/update", { key, nonce })).json.data;
  }
  expect(last).toMatchObject({ complete: true, progress: 3 });
  const decoded = await caller.demand("POST", "sys/decode-token", { encoded_token: last["encoded_token"], otp });
  const { token } = decoded.json.data;
  expect((await caller.call("GET", "auth/token/lookup-self", undefined, { token })).json.data.policies).toEqual([
    "root",
  ]);
});

test("paths that change keys without a token are hidden, unless the listener offers them", async () => {
  for (const path of ["sys/rekey/init", "sys/generate-root/attempt"]) {
    expect((await caller.call("GET", path, undefined, { token: "" })).status, path).toBe(405);
    expect((await caller.call("POST", path, {}, { token: "" })).status, path).toBe(405);
  }
});

test("new shares take the place of the old ones when they are proved", async () => {
  const request = { secret_shares: 2, secret_threshold: 2, require_verification: true };
  const { nonce } = (await caller.demand("POST", "sys/rotate/root/init", request)).json.data;
  let result: HttpAnswerData = {};
  for (const key of shares.slice(1, 4)) {
    result = (await caller.demand("POST", "sys/rotate/root/update", { key, nonce })).json.data;
  }
  const fresh = result["keys"] as string[];
  expect(fresh).toHaveLength(2);
  const proof = { nonce: result["verification_nonce"] };
  for (const key of fresh)
    result = (await caller.demand("POST", "sys/rotate/root/verify", { key, ...proof })).json.data;
  expect(result).toMatchObject({ complete: true });

  await restart();
  await unseal(shares[0]!).catch(() => {});
  await caller.call("POST", "sys/unseal", { key: shares[1] });
  expect(await health()).toBe(503);
  await caller.demand("POST", "sys/unseal", { reset: true });
  for (const key of fresh) await unseal(key);
  expect(await health()).toBe(200);
  expect(await reads()).toEqual({ a: 1 });
});

type HttpAnswerData = Record<string, unknown>;

test("a listener may offer to change keys without a token", async () => {
  const offering = {
    ...plainListener.tcp,
    disable_unauthed_rekey_endpoints: false,
    disable_unauthed_generate_root_endpoints: false,
  };
  await using open = await ServerProcess.start({ config: { storage: { inmem: {} }, listener: { tcp: offering } } });
  const stranger = open.caller();
  const { keys } = (await stranger.demand("POST", "sys/init", { secret_shares: 1, secret_threshold: 1 })).json;
  await stranger.demand("POST", "sys/unseal", { key: keys[0] });
  expect((await stranger.call("GET", "sys/rekey/init")).json).toMatchObject({ started: false });
  const { nonce, otp } = (await stranger.demand("PUT", "sys/generate-root/attempt", {})).json;
  const done = (await stranger.demand("PUT", "sys/generate-root/update", { key: keys[0], nonce })).json;
  expect(done).toMatchObject({ complete: true });
  const decode = { encoded_token: done.encoded_token, otp };
  expect((await stranger.demand("POST", "sys/decode-token", decode)).json.data.token).toMatch(/^s\./);
  stranger.close();
});
