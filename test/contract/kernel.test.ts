import { describe, expect, test } from "vitest";
import { cubbyhole } from "../../src/engines/cubbyhole/engine.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

const started = () => new KernelCaller([cubbyhole]).initialize();

test("a new server is initialized once, unsealed, and sealed again", async () => {
  const server = new KernelCaller([cubbyhole]);
  await expect(server.call("read", "cubbyhole/a")).rejects.toThrow("Vault is sealed");
  expect((await server.call("read", "sys/init")).data).toEqual({ initialized: false });
  await server.initialize();
  expect((await server.call("read", "sys/seal-status")).data).toMatchObject({ sealed: false, t: 1, n: 1 });
  await expect(server.call("write", "sys/init", { secret_shares: 1, secret_threshold: 1 })).rejects.toThrow(
    "Vault is already initialized",
  );
  await server.call("write", "sys/seal");
  await expect(server.call("read", "auth/token/lookup-self")).rejects.toThrow("Vault is sealed");
  await server.call("write", "sys/unseal", { key: server.keys[0] });
  expect((await server.call("read", "auth/token/lookup-self")).data.policies).toEqual(["root"]);
});

describe("tokens", () => {
  test("a stranger is refused", async () => {
    const server = await started();
    for (const token of ["", "s.000000000000000000000000", "b.AAAA", "nonsense"]) {
      await expect(server.call("read", "auth/token/lookup-self", {}, token)).rejects.toThrow("permission denied");
    }
  });

  test("limited uses count, also when the request fails", async () => {
    const server = await started();
    const { auth } = await server.call("write", "auth/token/create", { num_uses: 3, policies: ["root"] });
    const use = () => server.call("read", "auth/token/lookup-self", {}, auth.client_token);
    expect((await use()).data.num_uses).toBe(3);
    await expect(server.call("read", "nowhere/at/all", {}, auth.client_token)).rejects.toThrow("no handler for route");
    expect((await use()).data.num_uses).toBe(1);
    await expect(use()).rejects.toThrow("permission denied");
  });

  test("one use is one use, whoever asks at the same time", async () => {
    const server = await started();
    const { auth } = await server.call("write", "auth/token/create", { num_uses: 1, policies: ["root"] });
    const tries = Array.from({ length: 8 }, () => server.call("read", "auth/token/lookup-self", {}, auth.client_token));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("children die with their parent, orphans do not", async () => {
    const server = await started();
    const make = async (body: object, token?: string) =>
      (await server.call("write", "auth/token/create", { policies: ["root"], ...body }, token)).auth.client_token;
    const parent = await make({});
    const child = await make({}, parent);
    const grandchild = await make({}, child);
    const orphan = await make({ no_parent: true }, child);
    await server.call("write", "cubbyhole/x", { a: 1 }, grandchild);
    await server.call("write", "auth/token/revoke", { token: parent });
    for (const token of [parent, child, grandchild]) {
      await expect(server.call("read", "auth/token/lookup-self", {}, token)).rejects.toThrow("permission denied");
    }
    expect((await server.call("read", "auth/token/lookup-self", {}, orphan)).data.orphan).toBe(true);
    const left = await server.kernel.records.transaction((storage) => storage.list("sys/token/revoking/"));
    expect(left).toEqual([]);
  });

  test("a token ends when its time is over, unless it is renewed", async () => {
    const server = await started();
    const { auth } = await server.call("write", "auth/token/create", { ttl: "1h", policies: ["root"] });
    server.passSeconds(3000);
    expect((await server.call("write", "auth/token/renew-self", {}, auth.client_token)).auth.lease_duration).toBe(3600);
    server.passSeconds(3500);
    expect((await server.call("read", "auth/token/lookup-self", {}, auth.client_token)).data.ttl).toBe(100);
    server.passSeconds(101);
    await expect(server.call("read", "auth/token/lookup-self", {}, auth.client_token)).rejects.toThrow("denied");
  });
});

test("cubbyholes are private, lossless, and paged", async () => {
  const server = await started();
  const { auth } = await server.call("write", "auth/token/create", { policies: ["root"] });
  await server.call("write", "cubbyhole/a/b", '{"n":9007199254740993,"__proto__":"x","f":1.0}', auth.client_token);
  const { data } = await server.call("read", "cubbyhole/a/b", {}, auth.client_token);
  expect(JSON.stringify(data)).toBe('{"n":9007199254740993,"__proto__":"x","f":1.0}');
  await expect(server.call("read", "cubbyhole/a/b")).rejects.toMatchObject({ status: 404 });
  for (const name of ["c", "d", "e"]) await server.call("write", `cubbyhole/${name}`, { v: 1 }, auth.client_token);
  const list = async (page: object) => (await server.call("list", "cubbyhole", page, auth.client_token)).data.keys;
  expect(await list({})).toEqual(["a/", "c", "d", "e"]);
  expect(await list({ after: "a/", limit: 2 })).toEqual(["c", "d"]);
  expect(await list({ after: "b", limit: "max" })).toEqual(["c", "d", "e"]);
});
