import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import { plainListener, ServerProcess } from "../support/server-process.ts";
import { namesBelow } from "../support/whole-records.ts";

/** What somebody learns who takes a copy of the data folder, and what he can do by changing it. */

let parent: string;
let folder: string;
let log: string;
let shares: string[];
let rootToken: string;
let files: Buffer[];
/** Everything that must not be found, by what it is. */
const planted = new Map<string, string | Buffer>();

const options = () => ({ config: { storage: { lmdb: { path: folder } }, listener: plainListener } });

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "strongroom-copied-"));
  folder = join(parent, "data");
  const server = await ServerProcess.start(options());
  const caller = server.caller();
  const init = (await caller.demand("POST", "sys/init", { secret_shares: 3, secret_threshold: 2 })).json;
  ({ keys: shares, root_token: rootToken } = init);
  caller.token = rootToken;
  for (const key of shares.slice(0, 2)) await caller.demand("POST", "sys/unseal", { key });
  planted.set("the root token", rootToken);
  for (const [index, share] of shares.entries()) planted.set(`share ${index + 1}`, Buffer.from(share, "hex"));

  /** Notes a value that is nowhere else, and gives it. */
  const mark = (what: string) => {
    const value = `marker-of-${what.replaceAll(" ", "-")}`;
    planted.set(what, value);
    return value;
  };
  await caller.demand("POST", "sys/mounts/kv", { type: "kv", description: mark("mount description") });
  await caller.demand("POST", "sys/mounts/versioned", { type: "kv-v2" });
  await caller.demand("POST", "kv/name", { [mark("key of a secret")]: mark("value of a secret") });
  await caller.demand("POST", "versioned/data/name", { data: { a: mark("old version") } });
  await caller.demand("POST", "versioned/data/name", { data: { a: mark("new version") } });
  await caller.demand("POST", "versioned/metadata/name", { custom_metadata: { a: mark("custom metadata") } });
  await caller.demand("POST", "kv/gone", { a: mark("deleted secret") });
  await caller.demand("DELETE", "kv/gone");
  await caller.demand("POST", "cubbyhole/name", { a: mark("cubbyhole") });
  await caller.demand("POST", "sys/policies/acl/p", {
    policy: `path "${mark("policy")}/*" { capabilities = ["read"] }`,
  });
  const meta = { [mark("metadata key")]: mark("metadata of a token") };
  for (const type of ["service", "batch"]) {
    const { auth } = (await caller.demand("POST", "auth/token/create", { type, policies: ["p"], ttl: "1h", meta }))
      .json;
    planted.set(`a ${type} token`, auth.client_token);
  }
  const wrapped = await caller.demand("GET", "kv/name", undefined, { headers: { "x-vault-wrap-ttl": "300" } });
  planted.set("a wrapping token", wrapped.json.wrap_info.token);
  await caller.demand("POST", "sys/rotate");
  await caller.demand("POST", "kv/late", { a: mark("secret after a rotation") });
  await caller.demand("GET", `kv/name`, undefined, { token: rootToken });
  await caller.call("GET", "kv/name", undefined, { token: mark("unknown token") });
  await caller.call("POST", "kv/bad", `{"a":"${mark("bad body")}",`);
  caller.close();
  await server.stop();
  log = server.output;
  files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
});

afterAll(() => rm(parent, { recursive: true, force: true }));

/** In each form that it could have been written in. */
function forms(value: string | Buffer): [string, Buffer][] {
  const bytes = Buffer.from(value);
  return [
    ["as it is", bytes],
    ["in hexadecimal", Buffer.from(bytes.toString("hex"))],
    ["in base64", Buffer.from(bytes.toString("base64").replace(/=+$/, "").slice(0, -1))],
    ["in UTF-16", Buffer.from(bytes.toString("latin1"), "utf16le")],
  ];
}

test("the search finds what is there: names are readable", () => {
  expect(files.some((file) => file.includes("sys/policy/acl/p"))).toBe(true);
});

test("no secret is in any file, in any form", () => {
  const found: string[] = [];
  for (const [what, value] of planted) {
    for (const [form, bytes] of forms(value)) {
      if (files.some((file) => file.includes(bytes))) found.push(`${what} ${form}`);
    }
  }
  expect(planted.size).toBeGreaterThan(15);
  expect(found).toEqual([]);
});

test("no secret is in the log", () => {
  expect([...planted].filter(([, value]) => forms(value).some(([, bytes]) => log.includes(bytes.toString())))).toEqual(
    [],
  );
});

test("nobody but its owner may read it", async () => {
  const modes: Record<string, number> = { folder: (await stat(folder)).mode & 0o777 };
  for (const name of await readdir(folder)) modes[name] = (await stat(join(folder, name))).mode & 0o777;
  expect(modes).toEqual({ folder: 0o700, "data.mdb": 0o600, "lock.mdb": 0o600 });
});

describe("who changes it is found out", () => {
  /** Changes the store while no server runs, and asks a new one. */
  async function askAfter(change: (secrets: string[], store: LmdbStore) => Promise<void>) {
    const store = await LmdbStore.open(folder);
    const keys = (await namesBelow(store, "logical/")).map((name) => `logical/${name}`);
    const before = await Promise.all(keys.map(async (key) => [key, (await store.get(key))!.value] as const));
    await change(
      keys.filter((key) => /\/secrets\/(name|late)$/.test(key)),
      store,
    );
    await store.close();
    await using server = await ServerProcess.start(options());
    const caller = server.caller(rootToken);
    for (const key of shares.slice(1)) await caller.demand("POST", "sys/unseal", { key });
    const answers = [await caller.call("GET", "kv/name"), await caller.call("GET", "kv/late")];
    caller.close();
    await server.stop();
    const mended = await LmdbStore.open(folder);
    await mended.commit({ expect: new Map(), puts: new Map(before), deletes: new Set() });
    await mended.close();
    return { answers, output: server.output };
  }

  const put = (store: LmdbStore, key: string, value: Uint8Array) =>
    store.commit({ expect: new Map(), puts: new Map([[key, value]]), deletes: new Set() });

  function expectRefused({ answers, output }: Awaited<ReturnType<typeof askAfter>>) {
    for (const { status, text } of answers) {
      expect(status).toBe(500);
      expect(text).not.toContain("marker");
    }
    expect(output).toMatch(/altered|moved|damaged|authenti|decrypt/i);
  }

  test("by moving one entry to the place of another", async () => {
    expectRefused(
      await askAfter(async (secrets, store) => {
        const kv = secrets.filter((key) => key.startsWith(secrets.find((each) => each.endsWith("late"))!.slice(0, 45)));
        const values = await Promise.all(kv.map(async (key) => (await store.get(key))!.value));
        await put(store, kv[0]!, values[1]!);
        await put(store, kv[1]!, values[0]!);
      }),
    );
  });

  test("by altering one bit", async () => {
    expectRefused(
      await askAfter(async (secrets, store) => {
        for (const key of secrets) {
          const value = Buffer.from((await store.get(key))!.value);
          value[value.length - 1]! ^= 1;
          await put(store, key, value);
        }
      }),
    );
  });
});
