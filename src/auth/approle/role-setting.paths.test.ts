import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { approle } from "./engine.ts";

let auth: EngineCaller;

beforeEach(async () => {
  auth = callerOf(approle, { maxLeaseSeconds: 7200 });
  await auth.call("write", "role/web", { token_explicit_max_ttl: 60 });
});

const role = async () => (await auth.call("read", "role/web")).data;

/** The path, what is written, what is read back, and what is there at first and after a reset. */
const settings: [segment: string, written: object, read: object, initial: object][] = [
  ["policies", { token_policies: "b,a" }, { token_policies: ["a", "b"] }, { token_policies: [] }],
  ["policies", { policies: "b,a" }, { token_policies: ["a", "b"], policies: ["a", "b"] }, { token_policies: [] }],
  ["period", { token_period: "1h" }, { token_period: 3600 }, { token_period: 0 }],
  ["period", { period: "1h" }, { token_period: 3600, period: 3600 }, { token_period: 0 }],
  ["token-ttl", { token_ttl: "1m" }, { token_ttl: 60 }, { token_ttl: 0 }],
  ["token-max-ttl", { token_max_ttl: 90 }, { token_max_ttl: 90 }, { token_max_ttl: 0 }],
  ["token-num-uses", { token_num_uses: "5" }, { token_num_uses: 5 }, { token_num_uses: 0 }],
  [
    "token-bound-cidrs",
    { token_bound_cidrs: "10.0.0.1/32,::1/128,10.0.0.0/8" },
    { token_bound_cidrs: ["10.0.0.1", "::1", "10.0.0.0/8"] },
    { token_bound_cidrs: [] },
  ],
  ["secret-id-ttl", { secret_id_ttl: "1m" }, { secret_id_ttl: 60 }, { secret_id_ttl: 0 }],
  ["secret-id-num-uses", { secret_id_num_uses: 3 }, { secret_id_num_uses: 3 }, { secret_id_num_uses: 0 }],
  [
    "secret-id-bound-cidrs",
    { secret_id_bound_cidrs: ["10.0.0.0/8"] },
    { secret_id_bound_cidrs: ["10.0.0.0/8"] },
    { secret_id_bound_cidrs: [] },
  ],
  [
    "bound-cidr-list",
    { bound_cidr_list: ["10.0.0.0/8"] },
    { bound_cidr_list: ["10.0.0.0/8"] },
    { bound_cidr_list: [] },
  ],
];

describe.each(settings)("%s with %j", (segment, written, read, initial) => {
  const path = `role/web/${segment}`;

  test("is read, set and reset", async () => {
    const before = await role();
    expect((await auth.call("read", path)).data).toEqual(initial);
    expect(await auth.call("write", path, written)).toMatchObject({ status: 204, warnings: [] });
    expect((await auth.call("read", path)).data).toEqual(read);
    expect(await role()).not.toEqual(before);
    expect(await role()).toMatchObject({ token_explicit_max_ttl: 60 });
    expect(await auth.call("delete", path)).toMatchObject({ status: 204 });
    expect((await auth.call("read", path)).data).toEqual(initial);
    expect(await role()).toEqual(before);
  });

  test("must be given", async () => {
    await expect(auth.call("write", path, {})).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^missing (token_|secret_id_|bound_cidr_list)/),
    });
  });

  test("of nobody", async () => {
    await expect(auth.call("read", `role/nobody/${segment}`)).rejects.toMatchObject({ status: 404, messages: [] });
    await expect(auth.call("write", `role/nobody/${segment}`, written)).rejects.toMatchObject({
      status: 404,
      message: 'role "nobody" does not exist',
    });
    expect(await auth.call("delete", `role/nobody/${segment}`)).toMatchObject({ status: 204 });
  });
});

test("bind-secret-id can be unset only where something else proves the role", async () => {
  const path = "role/web/bind-secret-id";
  expect((await auth.call("read", path)).data).toEqual({ bind_secret_id: true });
  const bare = "at least one constraint should be enabled on the role";
  await expect(auth.call("write", path, { bind_secret_id: false })).rejects.toThrow(bare);
  await auth.call("write", "role/web/token-bound-cidrs", { token_bound_cidrs: "10.0.0.0/8" });
  await auth.call("write", path, { bind_secret_id: "false" });
  expect((await auth.call("read", path)).data).toEqual({ bind_secret_id: false });
  await expect(auth.call("delete", "role/web/token-bound-cidrs")).rejects.toThrow(bare);
  await auth.call("delete", path);
  expect((await auth.call("read", path)).data).toEqual({ bind_secret_id: true });
});

test("local-secret-ids can only be read", async () => {
  expect((await auth.call("read", "role/web/local-secret-ids")).data).toEqual({ local_secret_ids: false });
  await expect(auth.call("write", "role/web/local-secret-ids")).rejects.toMatchObject({ status: 405 });
  await expect(auth.call("delete", "role/web/local-secret-ids")).rejects.toMatchObject({ status: 405 });
});

test.each<[string, object, string]>([
  ["token-ttl", { token_ttl: 100 }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
  ["period", { token_period: "3h" }, "is greater than the backend's maximum lease TTL"],
  ["secret-id-num-uses", { secret_id_num_uses: -1 }, "secret_id_num_uses cannot be negative"],
  ["secret-id-bound-cidrs", { secret_id_bound_cidrs: "x" }, "invalid CIDR"],
  ["token-num-uses", { token_num_uses: -1 }, "'token_num_uses' cannot be negative"],
])("%s refuses %j", async (segment, body, message) => {
  await auth.call("write", "role/web", { token_max_ttl: 90 });
  await expect(auth.call("write", `role/web/${segment}`, body)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
  });
});
