import { beforeEach, describe, expect, test } from "vitest";
import { Leased } from "../../src/api/reply.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import type { Batch } from "../../src/core/storage/store.ts";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { leasingEngine, type OutsideWorld } from "../support/leasing-engine.ts";

let server: KernelCaller;
let world: OutsideWorld;

beforeEach(async () => {
  const leasing = leasingEngine();
  world = leasing.world;
  server = await new KernelCaller([...engines, leasing.engine]).initialize();
  await server.call("write", "sys/mounts/l", {
    type: "leasing",
    config: { max_lease_ttl: "2h", default_lease_ttl: "1h" },
  });
});

const get = async (name: string, query: object = {}, token?: string) => {
  const { answer, exchange } = await server.exchange("read", `l/things/${name}`, query, token ?? server.rootToken);
  if (!(answer instanceof Leased)) throw new Error("no lease");
  return { ...answer.registered!, thing: (answer.data as { thing: string }).thing, warnings: exchange.warnings };
};
const lookup = async (lease_id: string) => (await server.call("write", "sys/leases/lookup", { lease_id })).data;
/** Lets time pass, and whoever leads look. */
const later = async (seconds: number) => {
  server.passSeconds(seconds);
  await server.kernel.expiry.runOnce();
};

describe("a lease", () => {
  test("has an id under its path, and ends what it stands for when its time is over", async () => {
    const lease = await get("a");
    expect(lease.id).toMatch(/^l\/things\/a\/\w{24}$/);
    expect(lease).toMatchObject({ seconds: 3600, renewable: true });
    expect(await lookup(lease.id)).toMatchObject({
      ttl: 3600,
      renewable: true,
      path: "l/things/a",
      last_renewal: null,
    });
    await later(3599);
    expect(world.alive).toContain(lease.thing);
    await later(2);
    expect(world.alive).not.toContain(lease.thing);
    await expect(lookup(lease.id)).rejects.toThrow("invalid lease");
  });

  test("is capped at the maximum with a warning, and renewed within it", async () => {
    const capped = await get("a", { ttl: "5h" });
    expect(capped.seconds).toBe(7200);
    expect(capped.warnings).toEqual([
      'TTL of "5h" exceeded the effective max_ttl of "2h"; TTL value is capped accordingly',
    ]);
    const lease = await get("b");
    server.passSeconds(1800);
    const renew = async (increment: string) => {
      const { answer } = await server.exchange(
        "write",
        "sys/leases/renew",
        { lease_id: lease.id, increment },
        server.rootToken,
      );
      return (answer as Leased<unknown>).registered?.seconds;
    };
    expect(await renew("10m")).toBe(600);
    expect(await renew("0")).toBe(3600);
    expect(await renew("5h")).toBe(5400);
    expect(world.renewed).toEqual([`${lease.thing} for 600`, `${lease.thing} for 3600`, `${lease.thing} for 5400`]);
    await later(5401);
    expect(world.alive).not.toContain(lease.thing);
  });

  test("that is fixed or unknown is not renewed", async () => {
    const { id } = await get("fixed");
    const renew = (lease_id: string) => server.call("write", "sys/leases/renew", { lease_id });
    await expect(renew(id)).rejects.toThrow("lease is not renewable");
    await expect(renew("l/things/a/nope")).rejects.toThrow("lease not found");
    await expect(renew("")).rejects.toThrow("lease_id must be specified");
  });

  test("dies with its token", async () => {
    const { auth } = await server.call("write", "auth/token/create", { policies: ["root"] });
    const lease = await get("a", {}, auth.client_token);
    await server.call("write", "auth/token/revoke", { token: auth.client_token });
    await server.kernel.expiry.runOnce();
    expect(world.alive).not.toContain(lease.thing);
  });

  test("is refused to a token on its last use", async () => {
    const { auth } = await server.call("write", "auth/token/create", { policies: ["root"], num_uses: 1 });
    await expect(get("a", {}, auth.client_token)).rejects.toThrow("Secret cannot be returned");
  });
});

describe("a mount that is moved", () => {
  test("ends what it gave out, and keeps what it stored", async () => {
    const lease = await get("a");
    await expect(server.call("write", "sys/remount", { from: "l", to: "cubbyhole/x" })).rejects.toThrow();
    expect(world.alive.size).toBe(1);
    await server.call("write", "sys/remount", { from: "l", to: "team/l" });
    expect(world.alive.size).toBe(0);
    await expect(lookup(lease.id)).rejects.toThrow("invalid lease");
  });

  test("stays where it is while something cannot be ended", async () => {
    await get("a");
    world.isDown = true;
    await expect(server.call("write", "sys/remount", { from: "l", to: "m" })).rejects.toMatchObject({ status: 502 });
    await server.call("read", "sys/mounts/l");
  });
});

describe("leases that nobody could end", () => {
  test("are counted by mount, and listed in pages", async () => {
    await server.call("write", "sys/remount", { from: "l", to: "team/l" });
    for (let made = 0; made < 5; made++) {
      await server.exchange("read", `team/l/things/${made}`, {}, server.rootToken);
    }
    world.isDown = true;
    for (let round = 0; round < 10; round++) await later(3600);
    const { data } = await server.call("read", "sys/leases/count", { type: "irrevocable" });
    expect(data).toEqual({ lease_count: 5, counts: { "team/l/": 5 } });
    const metrics = await server.exchange("read", "sys/metrics", { format: "prometheus" }, server.rootToken);
    expect(JSON.stringify(metrics.answer)).toMatch(/lease_endings_total\{outcome=\\+"given_up\\+"\} 5/);
    const page = async (after?: string) =>
      Object.keys((await server.call("read", "sys/leases", { type: "irrevocable", limit: 2, after })).data.leases);
    const first = await page();
    const second = await page(first.at(-1));
    const third = await page(second.at(-1));
    expect([first.length, second.length, third.length]).toEqual([2, 2, 1]);
    expect(new Set([...first, ...second, ...third]).size).toBe(5);
    await expect(server.call("read", "sys/leases/count")).rejects.toMatchObject({ status: 404 });
  });
});

describe("many", () => {
  class CountingStore extends MemoryStore {
    commits = 0;

    override commit(batch: Batch): Promise<void> {
      this.commits += 1;
      return super.commit(batch);
    }
  }

  test("share commits when they end", async () => {
    const store = new CountingStore();
    const leasing = leasingEngine();
    server = await new KernelCaller([leasing.engine], store).initialize();
    await server.kernel.stop();
    await server.call("write", "sys/mounts/l", { type: "leasing" });
    for (let made = 0; made < 300; made++) await get("a");
    server.passSeconds(3_000_000);
    const before = store.commits;
    for (let tried = 1; tried > 0; ) tried = await server.kernel.expiry.runOnce();
    expect(leasing.world.endings).toBe(300);
    expect(leasing.world.alive.size).toBe(0);
    expect(store.commits - before).toBeLessThan(30);
  });

  test("that end slowly hold up no other", async () => {
    world.beforeEnding = (thing) => (thing.startsWith("slow") ? new Promise(() => {}) : Promise.resolve());
    await get("slow", { ttl: "1m" });
    const lease = await get("fast", { ttl: "2m" });
    server.passSeconds(61);
    await expect.poll(() => world.endings, { timeout: 20_000 }).toBe(1);
    server.passSeconds(60);
    await expect.poll(() => world.alive.has(lease.thing), { timeout: 20_000 }).toBe(false);
    expect(world.endings).toBe(2);
  });

  test("tokens share commits when they go with their parent, and their leases end", async () => {
    const store = new CountingStore();
    const leasing = leasingEngine();
    server = await new KernelCaller([leasing.engine], store).initialize();
    await server.kernel.stop();
    await server.call("write", "sys/mounts/l", { type: "leasing" });
    const create = async (token?: string): Promise<string> =>
      (await server.call("write", "auth/token/create", { policies: ["root"], ttl: "1h" }, token)).auth.client_token;
    const top = await create();
    for (let child = 0; child < 20; child++) {
      const parent = await create(top);
      for (let grandchild = 0; grandchild < 5; grandchild++) await get("a", {}, await create(parent));
    }
    const before = store.commits;
    await server.call("write", "auth/token/revoke", { token: top });
    expect(store.commits - before).toBeLessThan(20);
    expect((await server.call("list", "auth/token/accessors")).data.keys).toHaveLength(1);
    await server.kernel.expiry.runOnce();
    expect(leasing.world.alive.size).toBe(0);
  });
});

describe("ending", () => {
  test("one, all below a path, and none that is unknown", async () => {
    const [a, b, c] = [await get("a"), await get("a"), await get("c")];
    await server.call("write", "sys/leases/revoke", { lease_id: a.id });
    expect([...world.alive]).toEqual([b.thing, c.thing]);
    await server.call("write", "sys/leases/revoke", { lease_id: "l/things/a/unknown" });
    expect((await server.call("list", "sys/leases/lookup/l/things")).data.keys).toEqual(["a/", "c/"]);
    await server.call("write", "sys/leases/revoke-prefix/l/things/a");
    expect([...world.alive]).toEqual([c.thing]);
    await server.call("write", "sys/leases/revoke-prefix/l", { sync: false });
    await server.kernel.expiry.runOnce();
    expect([...world.alive]).toEqual([]);
  });

  test("that fails is tried again, later and later, and given up visibly", async () => {
    const lease = await get("a");
    world.isDown = true;
    await expect(server.call("write", "sys/leases/revoke", { lease_id: lease.id })).rejects.toMatchObject({
      status: 502,
    });
    expect(await lookup(lease.id)).toMatchObject({ revoke_error: "the outside world is away" });
    for (let round = 0; round < 5; round++) await later(20);
    expect(world.endings).toBeLessThan(6);
    for (let round = 0; round < 40; round++) await later(3600);
    expect(world.endings).toBe(6);
    expect((await server.call("read", "sys/leases/count", { type: "irrevocable" })).data).toEqual({
      lease_count: 1,
      counts: { "l/": 1 },
    });
    world.isDown = false;
    await server.call("write", "sys/leases/revoke-force/l");
    expect((await server.call("read", "sys/leases/count", { type: "irrevocable" })).data.lease_count).toBe(0);
    await expect(lookup(lease.id)).rejects.toThrow("invalid lease");
  });

  test("that failed for a while succeeds by itself", async () => {
    const lease = await get("a");
    world.isDown = true;
    await later(3601);
    world.isDown = false;
    await later(60);
    expect(world.alive).not.toContain(lease.thing);
  });
});

test("expired tokens are taken out of the store with all that they made", async () => {
  const { auth } = await server.call("write", "auth/token/create", { policies: ["root"], ttl: "1m" });
  const lease = await get("a", {}, auth.client_token);
  await later(61);
  await server.kernel.expiry.runOnce();
  expect(world.alive).not.toContain(lease.thing);
  expect((await server.call("list", "auth/token/accessors")).data.keys).not.toContain(auth.accessor);
});

describe("a token's own lease", () => {
  const login = async () => {
    await server.call("write", "sys/auth/people", { type: "userpass" });
    await server.call("write", "auth/people/users/eve", { password: "long enough" });
    const { auth } = await server.call("write", "auth/people/login/eve", { password: "long enough" }, "");
    return auth.client_token as string;
  };
  const isAlive = async (token: string) =>
    server.call("read", "auth/token/lookup-self", {}, token).then(
      () => true,
      () => false,
    );

  test("is found below the path that made it, and tells what any lease tells", async () => {
    await login();
    const { data } = await server.call("list", "sys/leases/lookup/auth/people/login/eve");
    expect(data.keys).toHaveLength(1);
    const id = `auth/people/login/eve/${data.keys[0]}`;
    expect(await lookup(id)).toMatchObject({ id, path: "auth/people/login/eve", renewable: true, ttl: 2_764_800 });
    await expect(server.call("write", "sys/leases/renew", { lease_id: id })).rejects.toThrow("auth/token/renew");
  });

  const endings: [name: string, end: () => Promise<unknown>][] = [
    ["its lease is revoked by prefix", () => server.call("write", "sys/leases/revoke-prefix/auth/people/login")],
    ["it is revoked by prefix and by whoever leads", () => revokeLater()],
    ["the auth method is disabled", () => server.call("delete", "sys/auth/people")],
  ];
  const revokeLater = async () => {
    await server.call("write", "sys/leases/revoke-prefix/auth/people", { sync: false });
    await server.kernel.expiry.runOnce();
  };

  test.each(endings)("ends the token when %s", async (_name, end) => {
    const token = await login();
    expect(await isAlive(token)).toBe(true);
    await end();
    expect(await isAlive(token)).toBe(false);
    const { data } = await server
      .call("list", "sys/leases/lookup/auth/people/login")
      .catch(() => ({ data: undefined }));
    expect(data?.keys ?? []).toEqual([]);
  });

  test("of a batch token ends with the auth method as well", async () => {
    await login();
    await server.call("write", "auth/people/users/eve", { token_type: "batch" });
    const { auth } = await server.call("write", "auth/people/login/eve", { password: "long enough" }, "");
    expect(await isAlive(auth.client_token)).toBe(true);
    await server.call("delete", "sys/auth/people");
    expect(await isAlive(auth.client_token)).toBe(false);
  });
});

describe("disabling a mount", () => {
  test("ends what it gave out", async () => {
    const { thing } = await get("a");
    await server.call("delete", "sys/mounts/l");
    expect(world.alive).not.toContain(thing);
  });

  test("waits until that can be done, or until it is forgotten by force", async () => {
    await get("a");
    world.isDown = true;
    await expect(server.call("delete", "sys/mounts/l")).rejects.toThrow("sys/leases/revoke-force/l");
    await get("a");
    await server.call("write", "sys/leases/revoke-force/l");
    await server.call("delete", "sys/mounts/l");
    expect((await server.call("read", "sys/mounts")).data).not.toHaveProperty("l/");
  });
});
