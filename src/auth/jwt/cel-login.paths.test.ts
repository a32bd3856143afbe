import { beforeAll, describe, expect, test } from "vitest";
import { KernelCaller } from "../../../test/support/kernel-caller.ts";
import { jwt } from "./engine.ts";
import { pemOf, rsaPair, signToken } from "./issuer-fixture.suite.ts";

let caller: KernelCaller;
const clock = { now: Date.UTC(2030, 0, 1) };
const now = () => Math.floor(clock.now / 1000);

beforeAll(async () => {
  caller = await new KernelCaller([jwt], undefined, clock).initialize();
  await caller.call("write", "sys/auth/jwt", { type: "jwt" });
  await caller.call("write", "auth/jwt/config", { jwt_validation_pubkeys: pemOf(rsaPair), default_role: "x" });
});

const write = (body: object, name = "x") => caller.call("write", `auth/jwt/cel/roles/${name}`, body);
const program = (expression: string, variables: object[] = []) => ({ cel_program: { variables, expression } });
const claims = (more: object = {}) => ({ sub: "bob", iat: now(), exp: now() + 300, ...more });
const login = (token = signToken(claims()), role = "x") =>
  caller.call("write", "auth/jwt/cel/login", { role, jwt: token }, "");

describe("roles", () => {
  test("are written, read, changed, listed and deleted, under both names of the path", async () => {
    const { data } = await write({ ...program("pb.Auth{}", [{ name: "a", expression: "1" }]), message: "no" }, "Team");
    const expected = {
      name: "Team",
      cel_program: { variables: [{ name: "a", expression: "1" }], expression: "pb.Auth{}" },
      message: "no",
      clock_skew_leeway: 60,
      expiration_leeway: 150,
      not_before_leeway: 150,
      bound_audiences: [],
    };
    expect(data).toEqual(expected);
    expect((await caller.call("read", "auth/jwt/cel/role/Team")).data).toEqual(expected);
    const changed = await caller.call("patch", "auth/jwt/cel/roles/Team", {
      bound_audiences: "a",
      expiration_leeway: -1,
      cel_program: { expression: "false" },
    });
    expect(changed.data).toMatchObject({
      message: "no",
      expiration_leeway: -1,
      bound_audiences: ["a"],
      cel_program: { variables: [{ name: "a", expression: "1" }], expression: "false" },
    });
    await write(program("false"), "other");
    expect((await caller.call("list", "auth/jwt/cel/roles")).data.keys).toEqual(["Team", "other"]);
    expect((await caller.call("list", "auth/jwt/cel/role", { after: "Team", limit: 1 })).data.keys).toEqual(["other"]);
    for (const name of ["Team", "other"]) await caller.call("delete", `auth/jwt/cel/roles/${name}`);
    await expect(caller.call("read", "auth/jwt/cel/roles/Team")).rejects.toMatchObject({ status: 404 });
    await expect(caller.call("patch", "auth/jwt/cel/roles/Team", {})).rejects.toThrow(
      "Unable to fetch cel role entry to patch",
    );
  });

  test.each<[string, object, string]>([
    ["no program", {}, "missing required field"],
    ["a program that is a number", { cel_program: 5 }, "'cel_program' must be a valid map"],
    ["no expression", { cel_program: {} }, "cel_program.expression cannot be empty"],
    [
      "variables that are no list",
      { cel_program: { variables: 5, expression: "true" } },
      "failed to decode 'cel_program'",
    ],
    ["a syntax error", program("1 +"), "invalid CEL syntax for main expression: ERROR: <input>:1:4"],
    ["an unknown name", program("clams.sub"), "undeclared reference to 'clams'"],
    ["a wrong type", program("pb.Auth{policies: 'x'}"), "expected type of field 'policies'"],
    ["a mistake in a variable", program("a", [{ name: "a", expression: "nope" }]), "variable[0].a"],
    [
      "a variable before its turn",
      program("a", [
        { name: "a", expression: "b" },
        { name: "b", expression: "1" },
      ]),
      "undeclared reference to 'b'",
    ],
  ])("%s is refused", async (_, body, words) => {
    await expect(write(body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
  });
});

describe("a login", () => {
  test("is what the program makes of the claims", async () => {
    await write(
      program(
        `pb.Auth{
          display_name: name, policies: ['p-' + claims.dept], no_default_policy: true, metadata: {'dept': claims.dept},
          alias: logical.Alias{name: name, metadata: {'a': 'b'}}, group_aliases: [logical.Alias{name: 'ops'}],
          lease_options: pb.LeaseOptions{TTL: 600 * 1000000000, renewable: true, issue_time: now}, num_uses: 5
        }`,
        [{ name: "name", expression: "claims.sub.upperAscii()" }],
      ),
    );
    const { auth } = await login(signToken(claims({ dept: "it" })));
    expect(auth).toMatchObject({
      policies: ["p-it"],
      metadata: { dept: "it" },
      lease_duration: 600,
      renewable: true,
      num_uses: 5,
    });
    const { data } = await caller.call("read", `identity/entity/id/${auth.entity_id}`);
    expect(data.aliases[0]).toMatchObject({ name: "BOB", metadata: { a: "b" } });
    const renewed = await caller.call("write", "auth/token/renew", { token: auth.client_token });
    expect(renewed.auth.lease_duration).toBe(600);
    await caller.call("delete", "auth/jwt/cel/roles/x");
    await expect(caller.call("write", "auth/token/renew", { token: auth.client_token })).rejects.toThrow(
      "CEL role x does not exist during renewal",
    );
  });

  test("knows claims as doubles, the time and the operation", async () => {
    await write(
      program(
        "claims.level == 5 && int(claims.exp) > 0 && now.getFullYear() == 2030 && operation == 'update' ? pb.Auth{token_type: 2u} : false",
      ),
    );
    const { auth } = await login(signToken(claims({ level: 5 })));
    expect(auth).toMatchObject({ token_type: "batch", entity_id: "", renewable: false, policies: ["default"] });
  });

  test("asks for an audience only of tokens that have one", async () => {
    await write({ ...program("pb.Auth{}"), bound_audiences: ["us"] });
    expect((await login()).auth.policies).toEqual(["default"]);
    expect((await login(signToken(claims({ aud: ["us", "them"] })))).auth.policies).toEqual(["default"]);
    await expect(login(signToken(claims({ aud: "them" })))).rejects.toThrow("invalid audience (aud) claim");
    await write(program("pb.Auth{}"));
    expect((await login(signToken(claims({ aud: "them" })))).auth.policies).toEqual(["default"]);
  });

  test("in time, by the role's leeways", async () => {
    await write({ ...program("pb.Auth{}"), expiration_leeway: -1, clock_skew_leeway: -1 });
    await expect(login(signToken({ iat: now() - 10, exp: now() - 2 }))).rejects.toThrow("token is expired");
    expect((await login(signToken({ iat: now() - 10, exp: now() + 2 }))).auth.policies).toEqual(["default"]);
  });

  test.each<[string, string, string]>([
    ["false", "false", "error executing cel program: CEL role 'x' blocked authorization with boolean false return"],
    ["a text", "'not you'", "CEL role 'x' blocked authorization with message: not you"],
    ["true", "true", "CEL program 'x' returned unexpected type: bool"],
    ["another message", "logical.Alias{}", "returned unexpected type: logical.Alias"],
    ["a claim that is missing", "claims.nope ? pb.Auth{} : false", "no such key: nope"],
    [
      "an alias without a name",
      "pb.Auth{alias: logical.Alias{}}",
      "error converting proto auth: missing name in alias",
    ],
    ["an address that is none", "pb.Auth{bound_cidrs: ['x']}", "error converting proto auth: bound_cidrs"],
    ["internal data that is no JSON", "pb.Auth{internal_data: 'x'}", "error converting proto auth: internal_data"],
  ])("is refused: %s", async (_, expression, words) => {
    await write(program(expression));
    await expect(login()).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
    await write({ ...program(expression), message: "go away" });
    await expect(login()).rejects.toMatchObject({ status: 400, message: "go away" });
  });

  test("is refused: the policy root, and a program without end", async () => {
    await write(program("pb.Auth{policies: ['root']}"));
    await expect(login()).rejects.toThrow("auth methods cannot create root tokens");
    await write({
      ...program("lists.range(1000).all(a, lists.range(1000).all(b, a + b >= 0)) ? pb.Auth{} : false"),
      message: "m",
    });
    await expect(login()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("the program was stopped"),
    });
  });

  test.each<[string, object, string]>([
    ["an unknown role", { role: "nope", jwt: "x" }, 'role "nope" could not be found'],
    ["no token", { role: "x" }, "missing token"],
    ["no role, and the default one", { jwt: "x" }, "error validating token"],
    ["a bad token", { role: "X", jwt: "a.b.c" }, "error validating token"],
  ])("is refused: %s", async (_, body, words) => {
    await write(program("pb.Auth{}"));
    await expect(caller.call("write", "auth/jwt/cel/login", body, "")).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(words),
    });
  });
});
