import { beforeEach, describe, expect, test } from "vitest";
import type { Leased } from "../../src/api/reply.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { leasingEngine, type OutsideWorld } from "../support/leasing-engine.ts";

let server: KernelCaller;
let world: OutsideWorld;

beforeEach(async () => {
  const leasing = leasingEngine();
  world = leasing.world;
  server = await new KernelCaller([...engines, leasing.engine], new MemoryStore()).initialize();
  await server.kernel.stop();
  await server.call("write", "sys/mounts/l", { type: "leasing", config: { default_lease_ttl: "1h" } });
});

const quota = (name: string) => `sys/quotas/lease-count/${name}`;
const counter = async (name: string): Promise<number> => (await server.call("read", quota(name))).data.counter;
const get = async (name: string): Promise<string> => {
  const { answer } = await server.exchange("read", `l/things/${name}`, {}, server.rootToken);
  return (answer as Leased<unknown>).registered!.id;
};
const revoke = (lease_id: string) => server.call("write", "sys/leases/revoke", { lease_id });

describe("a quota of leases", () => {
  test("is kept as it was written, until it is deleted", async () => {
    await server.call("write", quota("things"), { path: "l", max_leases: "5" });
    expect((await server.call("read", quota("things"))).data).toEqual({
      type: "lease-count",
      name: "things",
      path: "l/",
      max_leases: 5,
      counter: 0,
      role: "",
      inheritable: false,
    });
    expect((await server.call("list", "sys/quotas/lease-count")).data.keys).toEqual(["things"]);
    await server.call("delete", quota("things"));
    await server.call("delete", quota("things"));
    await expect(server.call("read", quota("things"))).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    [{}, "'max_leases' must be greater than 0"],
    [{ max_leases: -1 }, "'max_leases' must be greater than 0"],
    [{ max_leases: 1, path: "nowhere/" }, 'invalid mount path "nowhere/"'],
    [{ max_leases: 1, path: "auth/token", role: "web" }, "takes no role"],
    [{ max_leases: 1, path: "l" }, 'exists under the name "taken"'],
    [{ max_leases: 1, path: "team/sys" }, "write it in the one that is meant"],
  ])("of %j is refused: %s", async (body, message) => {
    await server.call("write", "sys/namespaces/team");
    await server.call("write", quota("taken"), { path: "l/", max_leases: 1 });
    await expect(server.call("write", quota("new"), body)).rejects.toThrow(message);
  });

  test("has room for as many as it says, and again when one has ended", async () => {
    await server.call("write", quota("things"), { path: "l", max_leases: 2 });
    const first = await get("a");
    await get("b");
    const refused = { status: 429, message: expect.stringContaining('"l/things/c": lease count quota exceeded') };
    await expect(get("c")).rejects.toMatchObject(refused);
    await expect(get("c")).rejects.toMatchObject(refused);
    // Nothing is left of what was made before it was known that there is no room.
    expect(world.alive.size).toBe(2);
    await revoke(first);
    expect(await counter("things")).toBe(1);
    await get("c");
    server.passSeconds(3601);
    await server.kernel.expiry.runOnce();
    expect(await counter("things")).toBe(0);
  });

  test("is exact when many ask at once", async () => {
    await server.call("write", quota("things"), { path: "l", max_leases: 7 });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => get("a")));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect(await counter("things")).toBe(7);
    expect(world.alive.size).toBe(7);
  });

  test("counts what was there before it, and each lease for the most exact one only", async () => {
    const leases = [await get("a"), await get("a"), await get("b")];
    await server.call("write", quota("all"), { max_leases: 100 });
    expect(await counter("all")).toBe(3);
    await server.call("write", quota("a"), { path: "l/things/a", max_leases: 2 });
    expect([await counter("all"), await counter("a")]).toEqual([1, 2]);
    await expect(get("a")).rejects.toMatchObject({ status: 429 });
    await get("c");
    await server.call("write", quota("a"), { path: "l/things/b", max_leases: 2 });
    expect([await counter("all"), await counter("a")]).toEqual([3, 1]);
    await server.call("delete", quota("a"));
    expect(await counter("all")).toBe(4);
    for (const lease of leases) await revoke(lease);
    expect(await counter("all")).toBe(1);
  });

  test("counts tokens that expire, until they end in whichever way", async () => {
    await server.call("write", quota("tokens"), { path: "auth/token", max_leases: 3 });
    const create = async (body: object = {}) =>
      (await server.call("write", "auth/token/create", { ttl: "1h", policies: ["default"], ...body })).auth
        .client_token;
    const parent = await create({ policies: ["root"] });
    await server.call("write", "auth/token/create", { ttl: "1h" }, parent);
    await create({ ttl: "1m" });
    await expect(create()).rejects.toMatchObject({ status: 429 });
    expect((await server.call("write", "auth/token/create", { policies: ["root"] })).auth.lease_duration).toBe(0);
    server.passSeconds(61);
    await server.kernel.expiry.runOnce();
    expect(await counter("tokens")).toBe(2);
    await server.call("write", "auth/token/revoke", { token: parent });
    expect(await counter("tokens")).toBe(0);
  });

  test("lets all other requests through", async () => {
    await server.call("write", quota("all"), { max_leases: 1 });
    await get("a");
    await server.call("write", "cubbyhole/a", { v: 1 });
    await server.call("read", "sys/mounts");
    await expect(get("a")).rejects.toMatchObject({ status: 429 });
  });
});
