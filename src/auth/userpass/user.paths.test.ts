import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { userpass } from "./engine.ts";

/** Imported, since making a hash takes a while. */
const bcrypt = "$2b$04$CCCCCCCCCCCCCCCCCCCCC.Cg0ly9t/KVBCBYYDfOmZKwry9JuXClC";

let auth: EngineCaller;

beforeEach(() => {
  auth = callerOf(userpass);
});

const write = (body: object, name = "ada") => auth.call("write", `users/${name}`, { password_hash: bcrypt, ...body });
const read = async (name = "ada") => (await auth.call("read", `users/${name}`)).data;

test("reading shows the settings of tokens, and nothing of the password", async () => {
  expect(await write({})).toMatchObject({ status: 204, warnings: [] });
  expect(await read()).toEqual({
    token_ttl: 0,
    token_max_ttl: 0,
    token_explicit_max_ttl: 0,
    token_period: 0,
    token_policies: [],
    token_bound_cidrs: [],
    token_strictly_bind_ip: false,
    token_no_default_policy: false,
    token_num_uses: 0,
    token_type: "default",
  });
});

test("a password is stored as a hash only", async () => {
  await auth.call("write", "users/ada", { password: "correct horse" });
  const stored = [...auth.storage.entries].map(([key, value]) => key + Buffer.from(value).toString());
  expect(stored.join()).toContain("$argon2id$");
  expect(stored.join()).not.toContain("correct horse");
  expect(JSON.stringify(await read())).not.toContain("argon2");
});

test("upper and lower case are one", async () => {
  await write({ token_policies: "a" }, "Ada");
  expect((await read("aDA")).token_policies).toEqual(["a"]);
  expect(await auth.exists("users/ADA")).toBe(true);
  expect((await auth.call("list", "users")).data).toEqual({ keys: ["ada"] });
  await auth.call("delete", "users/ADA");
  await expect(read("ada")).rejects.toMatchObject({ status: 404, messages: [] });
});

test("tells creating from changing", async () => {
  expect(await auth.exists("users/ada")).toBe(false);
  await write({});
  expect(await auth.exists("users/ada")).toBe(true);
  expect(await auth.exists("users/\ud800")).toBe(false);
});

test("a change leaves alone what it does not name", async () => {
  await write({ token_policies: ["b", "A", "b", " "], token_ttl: "1h" });
  await auth.call("write", "users/ada", { token_max_ttl: "2h" });
  expect(await read()).toMatchObject({ token_policies: ["a", "b"], token_ttl: 3600, token_max_ttl: 7200 });
});

test("lists page", async () => {
  for (const name of ["carol", "ada", "bob"]) await write({}, name);
  expect((await auth.call("list", "users", { after: "ada", limit: 1 })).data).toEqual({ keys: ["bob"] });
});

test("deleting somebody who is not there is no mistake", async () => {
  expect(await auth.call("delete", "users/nobody")).toMatchObject({ status: 204 });
});

describe("older names", () => {
  const older = { policies: "a,b", ttl: "1h", max_ttl: 7200, bound_cidrs: ["10.0.0.1/32", "10.0.0.0/8"] };

  test("are accepted, and shown beside the current ones", async () => {
    await write(older);
    expect(await read()).toMatchObject({
      policies: ["a", "b"],
      token_policies: ["a", "b"],
      ttl: 3600,
      token_ttl: 3600,
      max_ttl: 7200,
      token_max_ttl: 7200,
      bound_cidrs: ["10.0.0.1", "10.0.0.0/8"],
      token_bound_cidrs: ["10.0.0.1", "10.0.0.0/8"],
    });
  });

  test("give way to the current ones, and are shown no more once those are written", async () => {
    await write({ policies: "a", token_policies: "b" });
    expect(await read()).toMatchObject({ policies: ["b"], token_policies: ["b"] });
    await auth.call("write", "users/ada", { token_policies: "c" });
    expect(await read()).toMatchObject({ token_policies: ["c"] });
    expect(await read()).not.toHaveProperty("policies");
  });
});

describe("refuses", () => {
  test.each<[string, object, string]>([
    ["no password", { password_hash: "" }, "missing password"],
    ["an empty password", { password: "", password_hash: "" }, "missing password"],
    ["a password and a hash", { password: "x" }, "only one of password or password_hash may be provided"],
    ["a hash of another kind", { password_hash: "$1$abc" }, "'password_hash' is a bcrypt hash"],
    ["a lifetime above the maximum", { token_ttl: 2, token_max_ttl: 1 }, "'token_ttl' cannot be greater than"],
    ["a negative lifetime", { token_ttl: -1 }, "'token_ttl' cannot be negative"],
    ["what is no address", { token_bound_cidrs: "everywhere" }, "invalid CIDR"],
    ["an older name with a bad value", { bound_cidrs: "everywhere" }, "invalid CIDR"],
    ["periodic batch tokens", { token_type: "batch", token_period: 60 }, "'token_type' cannot be 'batch'"],
  ])("%s", async (_, body, message) => {
    await expect(write(body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(auth.storage.entries.size).toBe(0);
  });

  test("an empty password in a change", async () => {
    await write({});
    await expect(auth.call("write", "users/ada", { password: "" })).rejects.toThrow("missing password");
  });

  test.each(["a b", "é", "*", "-a", "a.", "x".repeat(513), "\ud800"])("the name %j", async (name) => {
    await expect(write({}, name)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("the name of a user has at most 512"),
    });
  });

  test.each(["a", "_", "ada.l-1", "ada@example.com"])("not the name %j", async (name) => {
    await write({}, name);
    expect((await auth.call("list", "users")).data).toEqual({ keys: [name] });
  });
});

describe("password", () => {
  test("is set on its own", async () => {
    await write({ token_policies: "a" });
    expect(await auth.call("write", "users/ADA/password", { password: "x" })).toMatchObject({ status: 204 });
    expect(await read()).toMatchObject({ token_policies: ["a"] });
    expect(Buffer.from(auth.storage.entries.get("user/ada")!).toString()).toContain("argon2id");
    await auth.call("write", "users/ada/password", { password_hash: bcrypt });
    expect(Buffer.from(auth.storage.entries.get("user/ada")!).toString()).toContain(bcrypt);
  });

  test.each<[string, string, object, string]>([
    ["nobody", "users/bob/password", { password: "x" }, "username does not exist"],
    ["nothing", "users/ada/password", {}, "missing password"],
    ["both", "users/ada/password", { password: "x", password_hash: bcrypt }, "only one of"],
  ])("refuses %s", async (_, path, body, message) => {
    await write({});
    await expect(auth.call("write", path, body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});

describe("policies", () => {
  test.each([[{ token_policies: "x,y" }], [{ policies: ["x", "y"] }]])("are set on their own by %j", async (body) => {
    await write({ token_policies: "a", token_ttl: 60 });
    expect(await auth.call("write", "users/Ada/policies", body)).toMatchObject({ status: 204 });
    expect(await read()).toMatchObject({ token_policies: ["x", "y"], token_ttl: 60 });
  });

  test("of nobody cannot be set", async () => {
    await expect(auth.call("write", "users/bob/policies", { policies: "a" })).rejects.toMatchObject({
      status: 400,
      message: "username does not exist",
    });
  });
});
