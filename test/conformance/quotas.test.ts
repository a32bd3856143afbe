import { describe, expect, test } from "vitest";
import { ApiError } from "../../src/api/errors.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

const started = (store?: MemoryStore) => new KernelCaller(engines, store).initialize();
const quota = (name: string) => `sys/quotas/rate-limit/${name}`;

/** Statuses of so many reads by one client. */
async function reads(server: KernelCaller, path: string, times: number, address = "10.0.0.1"): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    const outcome = await server.exchange("read", path, {}, server.rootToken, address).catch((error: unknown) => error);
    statuses.push(outcome instanceof ApiError ? outcome.status : 200);
  }
  return statuses;
}

describe("a quota", () => {
  test("is kept as it was written, with defaults, until it is deleted", async () => {
    const server = await started();
    await server.call("write", quota("slow"), { path: "cubbyhole", rate: "2.5", interval: "1m", block_interval: "5m" });
    await server.call("write", quota("all"), { rate: 1000 });
    expect((await server.call("read", quota("slow"))).data).toEqual({
      type: "rate-limit",
      name: "slow",
      path: "cubbyhole/",
      role: "",
      rate: 2.5,
      interval: 60,
      block_interval: 300,
      inheritable: false,
    });
    expect((await server.call("read", quota("all"))).data).toMatchObject({ path: "", interval: 1, inheritable: true });
    expect((await server.call("list", "sys/quotas/rate-limit")).data.keys).toEqual(["all", "slow"]);
    expect((await server.call("list", "sys/quotas/rate-limit", { after: "all" })).data.keys).toEqual(["slow"]);
    await server.call("delete", quota("slow"));
    await expect(server.call("read", quota("slow"))).rejects.toMatchObject({ status: 404, messages: [] });
  });

  test.each([
    [{}, "'rate' is invalid"],
    [{ rate: 0 }, "'rate' is invalid"],
    [{ rate: -1 }, "'rate' is invalid"],
    [{ rate: 1, interval: -5 }, "'interval' is invalid"],
    [{ rate: 1, block_interval: "-1s" }, "'block_interval' is invalid"],
    [{ rate: 1, path: "nowhere/" }, 'invalid mount path "nowhere/"'],
    [{ rate: 1, path: "cubbyhole/", role: "web" }, "needs the path of an auth method"],
    [{ rate: 1, role: "web" }, "needs the path of an auth method"],
    [{ rate: 1, path: "auth/token/create", role: "web" }, "Quotas cannot contain both a path suffix and a role"],
    [{ rate: 1, path: "sys/mounts/" }, 'quota rule with similar properties exists under the name "taken"'],
  ])("of %j is refused: %s", async (body, message) => {
    const server = await started();
    await server.call("write", quota("taken"), { rate: 1, path: "sys/mounts" });
    await expect(server.call("write", quota("new"), body)).rejects.toThrow(message);
  });

  test("refuses a client that asks too often, and nobody else", async () => {
    const server = await started();
    await server.call("write", quota("slow"), { path: "auth/token/", rate: 3, interval: "10s" });
    expect(await reads(server, "auth/token/lookup-self", 5)).toEqual([200, 200, 200, 429, 429]);
    expect(await reads(server, "auth/token/lookup-self", 1, "10.0.0.2")).toEqual([200]);
    expect(await reads(server, "sys/mounts", 5)).toEqual([200, 200, 200, 200, 200]);
    server.passSeconds(10);
    expect(await reads(server, "auth/token/lookup-self", 1)).toEqual([200]);
  });

  test("refuses in the words that clients know, with headers only where they are wanted", async () => {
    const server = await started();
    const refusal = async () => {
      const outcome = await server.call("read", "auth/token/lookup-self").catch((error: unknown) => error);
      return { message: (outcome as ApiError).messages, headers: (outcome as ApiError).headers };
    };
    await server.call("write", quota("slow"), { path: "auth/token/", rate: 1, interval: "10s" });
    await server.call("read", "auth/token/lookup-self");
    const message = ['request path "auth/token/lookup-self": rate limit quota exceeded'];
    expect(await refusal()).toEqual({ message, headers: {} });
    await server.call("write", "sys/quotas/config", { enable_rate_limit_response_headers: true });
    server.passSeconds(4);
    const headers = {
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "6",
      "retry-after": "6",
    };
    expect(await refusal()).toEqual({ message, headers });
  });

  test("never counts health, seal status and what the operator exempts", async () => {
    const server = await started();
    expect((await server.call("read", "sys/quotas/config")).data).toMatchObject({
      rate_limit_exempt_paths: expect.arrayContaining(["sys/health", "sys/seal-status", "sys/unseal"]),
      enable_rate_limit_response_headers: false,
    });
    await server.call("write", "sys/quotas/config", { rate_limit_exempt_paths: ["sys/mounts", "auth/*"] });
    await server.call("write", quota("all"), { rate: 1, interval: "1h" });
    for (const path of ["sys/health", "sys/seal-status", "sys/leader", "sys/mounts", "auth/token/lookup-self"]) {
      expect(await reads(server, path, 3), path).toEqual([200, 200, 200]);
    }
    expect(await reads(server, "sys/policy", 2)).toEqual([200, 429]);
  });

  test("counts a request once, however often it is tried", async () => {
    const store = new MemoryStore();
    const server = await started(store);
    await server.call("write", quota("all"), { path: "cubbyhole/", rate: 8, interval: "1h" });
    const writes = Array.from({ length: 8 }, (_, i) =>
      server.exchange("write", "cubbyhole/same", { i }, server.rootToken, "10.0.0.9"),
    );
    await Promise.all(writes);
    expect(await reads(server, "cubbyhole/same", 1, "10.0.0.9")).toEqual([429]);
  });

  test("is obeyed by every process at its next request", async () => {
    const store = new MemoryStore();
    const one = await started(store);
    const two = new KernelCaller(engines, store);
    two.rootToken = one.rootToken;
    await two.call("write", "sys/unseal", { key: one.keys[0] });
    expect(await reads(two, "auth/token/lookup-self", 3)).toEqual([200, 200, 200]);
    await one.call("write", quota("all"), { path: "auth/token", rate: 1, interval: "1h" });
    expect(await reads(two, "auth/token/lookup-self", 3)).toEqual([200, 429, 429]);
    await one.call("delete", quota("all"));
    expect(await reads(two, "auth/token/lookup-self", 3)).toEqual([200, 200, 200]);
  });

  test("is counted in a metric when it refuses", async () => {
    const server = await started();
    await server.call("write", quota("slow"), { path: "auth/token/", rate: 1, interval: "1h" });
    await reads(server, "auth/token/lookup-self", 3);
    const { data } = await server.call("read", "sys/metrics", { format: "prometheus" });
    expect(data.body).toContain('strongroom_quota_violations_total{name="slow"} 2\n');
  });
});

test("a quota with a role counts logins of that role, also where another id stands for it", async () => {
  const server = await started();
  await server.call("write", "sys/auth/approle", { type: "approle" });
  const role = { bind_secret_id: false, token_bound_cidrs: "127.0.0.0/8" };
  const ids: string[] = [];
  for (const name of ["web", "batch"]) {
    await server.call("write", `auth/approle/role/${name}`, role);
    ids.push((await server.call("read", `auth/approle/role/${name}/role-id`)).data.role_id);
  }
  await server.call("write", quota("web"), { path: "auth/approle", role: "web", rate: 1, interval: "1h" });
  const login = (role_id: string) => server.call("write", "auth/approle/login", { role_id }, "");
  await login(ids[0]!);
  await expect(login(ids[0]!)).rejects.toMatchObject({ status: 429 });
  for (let again = 0; again < 3; again++) await login(ids[1]!);
  await expect(login("nobody")).rejects.toMatchObject({ status: 400 });
});
