import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { userpass } from "./engine.ts";
import type { UserpassServices } from "./user.ts";

/** Made elsewhere, and cheap to check. */
const imported = {
  password: "U*U",
  password_hash: "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
};

let auth: EngineCaller<UserpassServices>;

let record: Uint8Array | undefined;

beforeEach(async () => {
  auth = callerOf(userpass, {
    lockout: { threshold: 3, durationSeconds: 600, counterResetSeconds: 60, disabled: false },
  });
  // Made once, since hashing takes a while.
  if (record) auth.storage.put("user/ada", record);
  else await auth.call("write", "users/ada", { password: "hunter2", token_policies: "a", token_ttl: "1h" });
  record ??= auth.storage.entries.get("user/ada");
});

const login = (password: string, name = "ada") => auth.call("write", `login/${name}`, { password });
const wrong = { status: 400, message: "invalid username or password" };
const denied = { status: 403, message: "permission denied" };
const stored = () => [...auth.storage.entries.keys()];

test("the right password gives a token as the user's settings say", async () => {
  const { data } = await login("hunter2");
  expect(data.grant).toEqual({
    alias: { name: "ada" },
    displayName: "ada",
    metadata: { username: "ada" },
    token: expect.objectContaining({ token_policies: ["a"], token_ttl: 3600 }),
    internal: { username: "ada", policies: ["a"] },
  });
  expect(stored()).toEqual(["user/ada"]);
});

test("names are one in upper and lower case", async () => {
  expect((await login("hunter2", "ADA")).data.grant.alias).toEqual({ name: "ada" });
});

test.each([
  ["a wrong password", "hunter3", "ada"],
  ["an unknown user", "hunter2", "bob"],
  ["what is no name", "hunter2", "*"],
  ["half a character", "hunter2", "\ud800"],
])("%s is refused", async (_, password, name) => {
  await expect(login(password, name)).rejects.toMatchObject(wrong);
});

test("no password is the caller's mistake, and counts for nothing", async () => {
  await expect(login("")).rejects.toMatchObject({ status: 400, message: "missing password" });
  await expect(auth.call("write", "login/ada")).rejects.toMatchObject({ status: 400, message: "missing password" });
  expect(stored()).toEqual(["user/ada"]);
});

test("an imported hash is replaced at the first login", async () => {
  await auth.call("write", "users/bob", { password_hash: imported.password_hash });
  await expect(login("x", "bob")).rejects.toMatchObject(wrong);
  await login(imported.password, "bob");
  const record = Buffer.from(auth.storage.entries.get("user/bob")!).toString();
  expect(record).toContain("$argon2id$");
  await login(imported.password, "bob");
  await expect(login("x", "bob")).rejects.toMatchObject(wrong);
});

test.each<[string, () => unknown]>([
  ["is changed", () => auth.call("write", "users/ada/password", { password_hash: imported.password_hash })],
  ["goes with its user", () => auth.call("delete", "users/ada")],
])("a password that %s while it is checked is wrong", async (_, change) => {
  const guess = login("hunter2");
  await change();
  await expect(guess).rejects.toMatchObject(wrong);
});

describe("lockout", () => {
  beforeEach(async () => {
    await auth.call("write", "users/bob", { password_hash: imported.password_hash });
  });

  const fail = async (times: number, name = "bob") => {
    for (let i = 0; i < times; i++) await expect(login("x", name)).rejects.toMatchObject(wrong);
  };

  test("comes after failures, and then the right password does not help", async () => {
    await fail(3);
    await expect(login(imported.password, "bob")).rejects.toMatchObject(denied);
    await expect(login(imported.password, "BOB")).rejects.toMatchObject(denied);
    await expect(login("x", "bob")).rejects.toMatchObject(denied);
    expect(await auth.services.lockouts.locked(new Date(auth.now))).toEqual(["bob"]);
  });

  test("spares the work of checking", async () => {
    await fail(3);
    auth.storage.put("user/bob", Buffer.from('{"password_hash":"nothing that could be checked"}'));
    await expect(login("x", "bob")).rejects.toMatchObject(denied);
  });

  test("ends, and counting begins anew", async () => {
    await fail(3);
    auth.now += 600_000;
    await fail(2);
    await login(imported.password, "bob");
    expect(stored()).toEqual(["user/ada", "user/bob"]);
  });

  test("does not tell who exists", async () => {
    await fail(3, "nobody");
    await expect(login("x", "nobody")).rejects.toMatchObject(denied);
    expect(await auth.services.lockouts.locked(new Date(auth.now))).toEqual([]);
  });

  test("holds also when it falls while the right password is checked", async () => {
    const guess = login("hunter2");
    for (let i = 0; i < 3; i++) await auth.services.lockouts.recordFailure("ada", new Date(auth.now));
    await expect(guess).rejects.toMatchObject(denied);
  });

  test("goes with the user", async () => {
    await fail(3);
    await auth.call("delete", "users/bob");
    expect(stored()).toEqual(["user/ada"]);
  });
});

describe("renewal", () => {
  const internal = { username: "ada", policies: ["a"] };
  const renew = () => userpass.renewLogin!(internal, auth.services);

  test("answers the settings that hold now", async () => {
    await auth.call("write", "users/ada", { token_ttl: "2h" });
    expect(await renew()).toMatchObject({ token_ttl: 7200, token_policies: ["a"] });
  });

  test("is refused when policies have changed", async () => {
    await auth.call("write", "users/ada/policies", { token_policies: "b" });
    await expect(renew()).rejects.toMatchObject({ status: 400, message: "policies have changed, not renewing" });
  });

  test("is refused when the user is gone", async () => {
    await auth.call("delete", "users/ada");
    await expect(renew()).rejects.toMatchObject({ status: 400 });
  });
});
