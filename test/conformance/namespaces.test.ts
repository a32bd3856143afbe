import { beforeEach, describe, expect, test } from "vitest";
import type { OperationName } from "../../src/api/path.ts";
import type { Leased } from "../../src/api/reply.ts";
import { envelopeFor } from "../../src/core/pipeline/envelope.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { leasingEngine, type OutsideWorld } from "../support/leasing-engine.ts";

let server: KernelCaller;
let world: OutsideWorld;

/** a, a/b, a/b/c and z. */
beforeEach(async () => {
  const leasing = leasingEngine();
  world = leasing.world;
  server = await new KernelCaller([...engines, leasing.engine]).initialize();
  await server.call("write", "sys/namespaces/a");
  await server.callIn("a", "write", "sys/namespaces/b");
  await server.callIn("a/b", "write", "sys/namespaces/c");
  await server.call("write", "sys/namespaces/z");
});

const status = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: { status?: number }) => error.status ?? 500,
  );

/** A token that was made in a namespace, with a policy of that namespace. */
async function tokenIn(namespace: string, policy: string, more: object = {}): Promise<string> {
  await server.callIn(namespace, "write", "sys/policies/acl/given", { policy });
  const { auth } = await server.callIn(namespace, "write", "auth/token/create", { policies: ["given"], ...more });
  return auth.client_token;
}

const everything =
  'path "*" { capabilities = ["create", "read", "update", "patch", "delete", "list", "scan", "sudo"] }';

describe("sys/namespaces", () => {
  test("makes, reads, patches and lists", async () => {
    const made = (await server.call("write", "sys/namespaces/team", { custom_metadata: { owner: "ada" } })).data;
    expect(made).toEqual({
      id: expect.stringMatching(/^\w{6}$/),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      path: "team/",
      custom_metadata: { owner: "ada" },
      locked: false,
      tainted: false,
    });
    expect((await server.call("read", "sys/namespaces/team")).data).toEqual(made);
    const patch = { custom_metadata: { owner: null, cost: "12" } };
    expect((await server.call("patch", "sys/namespaces/team", patch)).data.custom_metadata).toEqual({ cost: "12" });
    expect((await server.call("write", "sys/namespaces/team/")).data).toMatchObject({
      id: made.id,
      custom_metadata: {},
    });
    const list = (await server.call("list", "sys/namespaces")).data;
    expect(list.keys).toEqual(["a/", "team/", "z/"]);
    expect(list.key_info["team/"]).toMatchObject({ id: made.id, path: "team/" });
    expect((await server.call("list", "sys/namespaces", { after: "a/", limit: 1 })).data.keys).toEqual(["team/"]);
  });

  test("lists what is below the namespace of the request, one level or all", async () => {
    expect((await server.callIn("a", "list", "sys/namespaces")).data.keys).toEqual(["b/"]);
    expect((await server.callIn("a", "list", "sys/namespaces")).data.key_info["b/"].path).toBe("a/b/");
    expect((await server.call("scan", "sys/namespaces")).data.keys).toEqual(["a/", "a/b/", "a/b/c/", "z/"]);
    expect((await server.callIn("a", "scan", "sys/namespaces")).data.keys).toEqual(["b/", "b/c/"]);
    const page = (await server.call("scan", "sys/namespaces", { after: "a/b/", limit: 2 })).data;
    expect(page.keys).toEqual(["a/b/c/", "z/"]);
    expect((await server.call("scan", "sys/namespaces", { after: "a/bb/" })).data.keys).toEqual(["z/"]);
    expect((await server.call("read", "sys/internal/ui/namespaces")).data.keys).toEqual(["a/", "a/b/", "a/b/c/", "z/"]);
    expect((await server.call("read", "sys/internal/ui/namespaces", {}, "")).data.keys).toEqual([]);
  });

  test.each([
    ["write", "root", 400, "reserved"],
    ["write", "sys", 400, "reserved"],
    ["write", "auth", 400, "reserved"],
    ["write", "identity", 400, "reserved"],
    ["write", "cubbyhole", 400, "reserved"],
    ["write", "x/y", 400, "name must not contain /"],
    ["read", "x/y", 400, "name must not contain /"],
    ["write", "x y", 400, "spaces"],
    ["write", "x+", 400, "'+'"],
    ["write", "mount", 400, "path is already in use at mount/deep/"],
    ["read", "nope", 404, ""],
    ["patch", "nope", 404, "does not exist"],
    ["delete", "a", 409, "containing child namespaces"],
  ] as const)("refuses to %s %s: %i %s", async (operation, name, code, message) => {
    await server.call("write", "sys/mounts/mount/deep", { type: "kv" });
    const refused = await server.call(operation as OperationName, `sys/namespaces/${name}`).catch((error) => error);
    expect(refused.status).toBe(code);
    expect(refused.message).toContain(message);
  });

  test("takes no seal, and no mount where a namespace is", async () => {
    await expect(server.call("write", "sys/namespaces/s", { seal: 'seal "shamir" {}' })).rejects.toThrow("no seal");
    await expect(server.call("write", "sys/mounts/a", { type: "kv" })).rejects.toThrow("in use by the namespace a/");
    await expect(server.call("write", "sys/mounts/a/x", { type: "kv" })).rejects.toThrow("in use by the namespace a/");
    await server.call("write", "sys/mounts/b", { type: "kv" });
    await expect(server.call("write", "sys/remount", { from: "b", to: "z" })).rejects.toThrow("namespace z/");
  });

  test("answers a deletion at once, a second one too, and warns where there is none", async () => {
    expect((await server.call("delete", "sys/namespaces/z")).data).toEqual({ status: "in-progress" });
    await gone("z/");
    expect(await status(server.call("read", "sys/namespaces/z"))).toBe(404);
    const { data, warnings } = await server.call("delete", "sys/namespaces/z");
    expect(data).toBeUndefined();
    expect(warnings).toEqual(["requested namespace does not exist"]);
  });
});

async function gone(key: string): Promise<void> {
  for (;;) {
    await server.kernel.expiry.runOnce();
    const keys = await server.call("list", "sys/namespaces").then(({ data }) => data.keys as string[]);
    if (!keys.includes(key)) return;
  }
}

describe("a namespace is entered", () => {
  test.each([
    ["", "a/b/", "header none, path a/b/"],
    ["a", "b/", "header a, path b/"],
    ["a/b", "", "header a/b"],
  ])("with the header %j and the path %j", async (header, prefix) => {
    await server.callIn("a/b", "write", "sys/mounts/kv", { type: "kv" });
    await server.callIn(header, "write", `${prefix}kv/secret`, { where: "a/b" });
    expect((await server.callIn("a/b", "read", "kv/secret")).data.data).toEqual({ where: "a/b" });
    expect((await server.callIn(header, "list", `${prefix}kv`)).data.keys).toEqual(["secret"]);
    expect(await status(server.callIn("a", "read", "kv/secret"))).toBe(404);
    expect(await status(server.callIn("", "read", "kv/secret"))).toBe(404);
  });

  test.each(["nope", "a/nope", "b", "a//b", "a/b/c/d", "sys", "a/root"])("by no other name: %s", async (header) => {
    const refused = await server.callIn(header, "read", "sys/mounts").catch((error) => error);
    expect(refused).toMatchObject({ status: 404, messages: ["namespace not found"] });
  });

  test("and older clients find the data on top only with the header", async () => {
    const keys = async (namespace: string, path: string) => {
      const { answer, exchange } = await server.exchange(
        "read",
        path,
        {},
        server.rootToken,
        undefined,
        undefined,
        namespace,
      );
      return Object.keys(envelopeFor(exchange, answer).body!);
    };
    expect(await keys("a", "sys/mounts")).toContain("cubbyhole/");
    expect(await keys("", "a/sys/mounts")).not.toContain("cubbyhole/");
  });

  test.each([
    "sys/audit",
    "sys/audit-hash/x",
    "sys/seal",
    "sys/unseal",
    "sys/init",
    "sys/health",
    "sys/rotate",
    "sys/rotate/keyring/config",
    "sys/key-status",
    "sys/config/cors",
    "sys/config/auditing/request-headers",
    "sys/config/state/sanitized",
    "sys/metrics",
    "sys/host-info",
    "sys/in-flight-req",
    "sys/step-down",
    "sys/generate-root/attempt",
    "sys/rekey/init",
    "sys/loggers",
    "sys/raw/x",
    "sys/storage/raft/configuration",
    "sys/quotas/config",
  ])("but not for %s", async (path) => {
    for (const [header, prefix] of [
      ["a", ""],
      ["", "a/"],
    ] as const) {
      for (const operation of ["read", "write"] as const) {
        const refused = await server.callIn(header, operation, prefix + path).catch((error) => error);
        expect(refused).toMatchObject({ status: 400, messages: ["operation unavailable in namespaces"] });
      }
    }
  });

  test("shows its own built-in mounts", async () => {
    const { data } = await server.callIn("a", "read", "sys/mounts");
    const mounts = Object.fromEntries(
      Object.entries(data).map(([path, mount]) => [path, (mount as { type: string }).type]),
    );
    expect(mounts).toEqual({ "cubbyhole/": "ns_cubbyhole", "identity/": "ns_identity", "sys/": "ns_system" });
    const auth = (await server.callIn("a", "read", "sys/auth")).data;
    expect(auth["token/"].type).toBe("ns_token");
    expect(auth["token/"].accessor).toMatch(/^auth_ns_token_[0-9a-f]{8}$/);
  });
});

/** How each kind of thing is made in a namespace, and looked for in another. */
const things: readonly [what: string, make: Call, look: Call][] = [
  ["a mount", ["write", "sys/mounts/m", { type: "kv" }], ["read", "sys/mounts/m"]],
  ["an auth method", ["write", "sys/auth/u", { type: "userpass" }], ["read", "sys/auth/u"]],
  ["a policy", ["write", "sys/policies/acl/p", { policy: everything }], ["read", "sys/policies/acl/p"]],
  [
    "a password policy",
    ["write", "sys/policies/password/p", { policy: 'length=20 rule "charset" { charset="abcdefgh" }' }],
    ["read", "sys/policies/password/p"],
  ],
  ["an entity", ["write", "identity/entity", { name: "ada" }], ["read", "identity/entity/name/ada"]],
  ["a group", ["write", "identity/group", { name: "staff" }], ["read", "identity/group/name/staff"]],
  ["a token role", ["write", "auth/token/roles/r", { orphan: true }], ["read", "auth/token/roles/r"]],
  ["a quota", ["write", "sys/quotas/rate-limit/q", { rate: 1000 }], ["read", "sys/quotas/rate-limit/q"]],
  ["a namespace", ["write", "sys/namespaces/n"], ["read", "sys/namespaces/n"]],
  ["something in a cubbyhole", ["write", "cubbyhole/c", { x: 1 }], ["read", "cubbyhole/c"]],
];
type Call = readonly [OperationName, string, object?];

describe("what was made in one namespace is in no other", () => {
  test.each(things)("%s", async (_what, make, look) => {
    await server.callIn("a/b", ...make);
    expect(await status(server.callIn("a/b", ...look))).toBe(200);
    for (const other of ["", "a", "a/b/c", "z"]) expect(await status(server.callIn(other, ...look))).not.toBe(200);
    const [, path] = look;
    expect(await status(server.call("read", `a/b/${path}`))).toBe(200);
  });

  test("a secret under the same mount and path", async () => {
    for (const namespace of ["", "a", "a/b", "z"]) {
      await server.callIn(namespace, "write", "sys/mounts/kv", { type: "kv-v2" });
      await server.callIn(namespace, "write", "kv/data/x", { data: { namespace } });
    }
    for (const namespace of ["", "a", "a/b", "z"]) {
      expect((await server.callIn(namespace, "read", "kv/data/x")).data.data).toEqual({ namespace });
    }
  });

  test("an alias of a mount of another namespace is refused with a word", async () => {
    await server.callIn("a", "write", "sys/auth/u", { type: "userpass" });
    const accessor = (await server.callIn("a", "read", "sys/auth/u")).data.accessor;
    const alias = { name: "ada", mount_accessor: accessor };
    expect((await server.callIn("a", "write", "identity/entity-alias", alias)).data.id).toMatch(/\.\w{6}$/);
    const refused = await server.callIn("z", "write", "identity/entity-alias", alias).catch((error) => error);
    expect(refused).toMatchObject({ status: 403, message: expect.stringContaining("different namespace") });
    await server.callIn("a", "delete", "sys/auth/u");
    await expect(server.callIn("z", "write", "identity/entity-alias", alias)).rejects.toThrow("invalid mount accessor");
  });
});

describe("a token", () => {
  test("names its namespace at its end, and tells it when looked up", async () => {
    const { id } = (await server.call("read", "sys/namespaces/a")).data;
    const { auth } = await server.callIn("a", "write", "auth/token/create", { policies: ["default"] });
    expect(auth.client_token).toMatch(new RegExp(`^s\\.\\w{24}\\.${id}$`));
    expect(auth.accessor).toMatch(new RegExp(`^\\w{24}\\.${id}$`));
    const found = (await server.callIn("a", "read", "auth/token/lookup-self", {}, auth.client_token)).data;
    expect(found).toMatchObject({ namespace_path: "a/", policies: ["default"], id: auth.client_token });
    const batch = await server.callIn("a", "write", "auth/token/create", { type: "batch", policies: ["default"] });
    expect(batch.auth.client_token).toMatch(new RegExp(`^b\\.[\\w-]+\\.${id}$`));
    const read = await server.callIn("a", "read", "auth/token/lookup-self", {}, batch.auth.client_token);
    expect(read.data.namespace_path).toBe("a/");
    const chosen = await server.callIn("a", "write", "auth/token/create", { id: "mine", policies: ["default"] });
    expect(chosen.auth.client_token).toBe(`mine.${id}`);
    expect(await status(server.callIn("a", "read", "auth/token/lookup-self", {}, `mine.${id}`))).toBe(200);
    expect((await server.call("read", "auth/token/lookup-self")).data.namespace_path).toBeUndefined();
  });

  test.each([
    // made in, used in, may
    ["", "", true],
    ["", "a", true],
    ["", "a/b/c", true],
    ["a", "a", true],
    ["a", "a/b", true],
    ["a", "", false],
    ["a", "z", false],
    ["a/b", "a", false],
    ["a/b", "a/b/c", true],
    ["z", "a", false],
  ])("made in %j and used in %j: %s", async (home, place, may) => {
    const token = await tokenIn(home, everything);
    const batch = await tokenIn(home, everything, { type: "batch" });
    const { auth: root } = await server.callIn(home, "write", "auth/token/create", {});
    for (const each of [token, batch, root.client_token]) {
      expect(await status(server.callIn(place, "read", "sys/mounts", {}, each))).toBe(may ? 200 : 403);
      expect(await status(server.callIn(place, "read", "sys/policies/acl/default", {}, each))).toBe(may ? 200 : 403);
    }
  });

  test("acts below its namespace by rules that name the way", async () => {
    const token = await tokenIn(
      "a",
      `path "b/sys/mounts" { capabilities = ["read"] }
       path "b/+/sys/mounts" { capabilities = ["read", "list"] }
       path "sys/auth" { capabilities = ["read"] }`,
    );
    const can = (namespace: string, path: string) => status(server.callIn(namespace, "read", path, {}, token));
    expect(await can("a/b", "sys/mounts")).toBe(200);
    expect(await can("a/b/c", "sys/mounts")).toBe(200);
    expect(await can("a", "b/sys/mounts")).toBe(200);
    expect(await can("a", "sys/mounts")).toBe(403);
    expect(await can("a", "sys/auth")).toBe(200);
    expect(await can("a/b", "sys/auth")).toBe(403);
    const asked = { paths: ["sys/mounts", "sys/auth"] };
    const told = async (namespace: string) =>
      (await server.callIn(namespace, "write", "sys/capabilities-self", asked, await tokenIn("a", `${everything}`)))
        .data;
    expect((await told("a/b"))["sys/mounts"]).toContain("sudo");
  });

  test("is judged with the way in front by capabilities, explanations and documents too", async () => {
    const token = await tokenIn(
      "a",
      `path "b/*" { capabilities = ["read", "list"] }
       path "b/kv/locked" { capabilities = ["deny"] }
       path "b/sys/capabilities-self" { capabilities = ["update"] }
       path "b/sys/internal/ui/resultant-acl" { capabilities = ["read"] }
       path "b/sys/capabilities-explain" { capabilities = ["update"] }`,
    );
    await server.callIn("a/b", "write", "sys/mounts/kv", { type: "kv" });
    const ask = (operation: OperationName, path: string, body: object = {}) =>
      server.callIn("a/b", operation, path, body, token).then(({ data }) => data);
    expect(await ask("write", "sys/capabilities-self", { paths: ["kv/x", "kv/locked"] })).toEqual({
      "kv/x": ["list", "read"],
      "kv/locked": ["deny"],
    });
    const acl = await ask("read", "sys/internal/ui/resultant-acl");
    expect(acl.glob_paths[""].capabilities).toEqual(["list", "read"]);
    expect(acl.exact_paths["kv/locked"].capabilities).toEqual(["deny"]);
    expect(await ask("write", "sys/capabilities-explain", { path: "kv/x", operation: "delete" })).toMatchObject({
      allowed: false,
      rule: "b/*",
      needed: 'path "b/kv/x" { capabilities = ["delete"] }',
    });
    expect(Object.keys((await ask("read", "sys/internal/ui/mounts")).secret)).toContain("kv/");
    expect((await ask("read", "sys/internal/ui/mounts/kv/x")).path).toBe("kv/");
    const document = JSON.parse((await ask("read", "sys/internal/specs/openapi")).body);
    expect(Object.keys(document.paths["/kv/{path}"])).toContain("get");
    expect(Object.keys(document.paths["/kv/{path}"])).not.toContain("post");
  });

  test("is not found from another namespace, by id or by accessor", async () => {
    const { auth } = await server.callIn("a/b", "write", "auth/token/create", { policies: ["default"] });
    for (const place of ["", "a", "z"]) {
      const lookup = (path: string, body: object) => status(server.callIn(place, "write", path, body));
      expect(await lookup("auth/token/lookup", { token: auth.client_token })).toBe(403);
      expect(await lookup("auth/token/lookup-accessor", { accessor: auth.accessor })).toBe(400);
      expect(await lookup("auth/token/revoke", { token: auth.client_token })).toBe(200);
    }
    const found = await server.callIn("a/b", "write", "auth/token/lookup", { token: auth.client_token });
    expect(found.data.accessor).toBe(auth.accessor);
    expect((await server.callIn("a/b", "list", "auth/token/accessors")).data.keys).toEqual([auth.accessor]);
    await server.callIn("a/b", "write", "auth/token/revoke", { token: auth.client_token });
    expect(await status(server.callIn("a/b", "read", "auth/token/lookup-self", {}, auth.client_token))).toBe(403);
  });

  test("of a parent's gives what its own policies cannot only with sudo", async () => {
    await server.callIn("a/b", "write", "sys/policies/acl/given", { policy: everything });
    const weak = await tokenIn("a", 'path "b/auth/token/create" { capabilities = ["update"] }');
    await expect(server.callIn("a/b", "write", "auth/token/create", { policies: ["given"] }, weak)).rejects.toThrow(
      "root or sudo privileges required",
    );
    await expect(server.callIn("a/b", "write", "auth/token/create", {}, weak)).rejects.toThrow("root or sudo");
    const strong = await tokenIn("a", 'path "b/auth/token/create" { capabilities = ["update", "sudo"] }');
    const { auth } = await server.callIn("a/b", "write", "auth/token/create", { policies: ["given"] }, strong);
    expect(auth.token_policies).toEqual(["default", "given"]);
    expect(await status(server.callIn("a/b", "read", "sys/mounts", {}, auth.client_token))).toBe(200);
    expect(await status(server.callIn("a", "read", "sys/mounts", {}, auth.client_token))).toBe(403);
  });

  test("takes what it left in other namespaces along when it ends", async () => {
    const traces = async () => {
      const keys = await server.kernel.records.transaction((storage) => deepKeys(storage, ""));
      return keys.filter((key) => /abroad|visitors|kept/.test(key));
    };
    const token = await tokenIn("a", everything);
    await server.callIn("a/b", "write", "sys/mounts/l", { type: "leasing" });
    const before = await traces();
    const child = (await server.callIn("a/b", "write", "auth/token/create", { policies: ["default"] }, token)).auth;
    const batch = { policies: ["default"], type: "batch" };
    const light = (await server.callIn("a/b/c", "write", "auth/token/create", batch, token)).auth;
    await server.callIn("a/b", "write", "cubbyhole/kept", { x: 1 }, token);
    await server.callIn("a/b", "read", "l/things/x", {}, token);
    expect(world.alive.size).toBe(1);
    const lives = (each: string, place: string) =>
      status(server.callIn(place, "read", "auth/token/lookup-self", {}, each));
    expect(await lives(light.client_token, "a/b/c")).toBe(200);
    await server.callIn("a", "write", "auth/token/revoke-self", {}, token);
    await server.kernel.expiry.runOnce();
    expect(await lives(child.client_token, "a/b")).toBe(403);
    expect(await lives(light.client_token, "a/b/c")).toBe(403);
    expect(world.alive.size).toBe(0);
    expect(await traces()).toEqual(before);
  });

  test("renews and revokes itself from a namespace below its own", async () => {
    const token = await tokenIn("a", everything, { ttl: "1h" });
    server.passSeconds(60);
    const renewed = await server.callIn("a/b", "write", "auth/token/renew-self", { increment: "2h" }, token);
    expect(renewed.auth.lease_duration).toBe(7200);
    const told = await server.callIn("a/b", "write", "sys/capabilities", { token, path: "sys/mounts" }, token);
    expect(told.data.capabilities).toContain("read");
    await server.callIn("a/b", "write", "auth/token/revoke", { token }, token);
    expect(await status(server.callIn("a", "read", "sys/mounts", {}, token))).toBe(403);
    const other = await tokenIn("a", everything);
    await server.callIn("a/b", "write", "auth/token/revoke-self", {}, other);
    expect(await status(server.callIn("a", "read", "sys/mounts", {}, other))).toBe(403);
  });

  test("with uses left counts those in namespaces below too, and expires everywhere", async () => {
    const twice = await tokenIn("a", everything, { num_uses: 2 });
    expect(await status(server.callIn("a/b", "read", "sys/mounts", {}, twice))).toBe(200);
    expect(await status(server.callIn("z", "read", "sys/mounts", {}, twice))).toBe(403);
    expect(await status(server.callIn("a/b/c", "read", "sys/mounts", {}, twice))).toBe(200);
    expect(await status(server.callIn("a", "read", "sys/mounts", {}, twice))).toBe(403);
    await tokenIn("a/b", everything, { ttl: "1h" });
    server.passSeconds(3601);
    await server.kernel.expiry.runOnce();
    expect(await status(server.callIn("a/b", "list", "auth/token/accessors"))).toBe(200);
    expect((await server.callIn("a/b", "list", "auth/token/accessors")).data.keys).toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a storage of the core.
async function deepKeys(storage: any, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (const name of await storage.list(prefix)) {
    if (name.endsWith("/")) keys.push(...(await deepKeys(storage, prefix + name)));
    else keys.push(prefix + name);
  }
  return keys;
}

describe("inside of a namespace", () => {
  test("people log in, and their identity and its policies are of that namespace", async () => {
    await server.callIn("a", "write", "sys/auth/up", { type: "userpass" });
    await server.callIn("a", "write", "auth/up/users/ada", { password: "correct horse" });
    await server.callIn("a", "write", "sys/policies/acl/web", {
      policy: 'path "kv/{{identity.entity.name}}" { capabilities = ["create", "update", "read"] }',
    });
    await server.callIn("a", "write", "sys/mounts/kv", { type: "kv" });
    expect(await status(server.callIn("", "write", "auth/up/login/ada", { password: "correct horse" }, ""))).toBe(403);
    const { auth } = await server.callIn("a", "write", "auth/up/login/ada", { password: "correct horse" }, "");
    expect(auth.entity_id).toMatch(/\.\w{6}$/);
    const entity = (await server.callIn("a", "read", `identity/entity/id/${auth.entity_id}`)).data;
    expect(entity).toMatchObject({
      namespace_id: expect.stringMatching(/^\w{6}$/),
      name: expect.stringMatching(/^entity_/),
    });
    await server.callIn("a", "write", `identity/entity/id/${auth.entity_id}`, { policies: "web" });
    await server.callIn("a", "write", `kv/${entity.name}`, { x: 1 }, auth.client_token);
    expect(await status(server.callIn("a", "read", "kv/other", {}, auth.client_token))).toBe(403);
    const renewed = await server.callIn("a/b", "write", "auth/token/renew-self", {}, auth.client_token).catch((e) => e);
    expect(renewed.status).toBe(403);
    await server.callIn("a", "write", "auth/token/renew-self", {}, auth.client_token);
    await server.callIn("a", "write", `identity/entity/id/${auth.entity_id}`, { disabled: true });
    expect(await status(server.callIn("a", "read", "auth/token/lookup-self", {}, auth.client_token))).toBe(403);
  });

  test("leases are given, found, renewed and ended; and nowhere else", async () => {
    await server.callIn("a", "write", "sys/mounts/l", { type: "leasing" });
    const { answer } = await server.exchange(
      "read",
      "l/things/x",
      { ttl: "1h" },
      server.rootToken,
      undefined,
      undefined,
      "a",
    );
    const lease_id = (answer as Leased<unknown>).registered!.id;
    expect(lease_id).toMatch(/^l\/things\/x\/\w{24}\.\w{6}$/);
    const found = (await server.callIn("a", "write", "sys/leases/lookup", { lease_id })).data;
    expect(found).toMatchObject({ id: lease_id, path: "l/things/x", namespace_path: "a/", ttl: 3600 });
    for (const other of ["", "z", "a/b"]) {
      await expect(server.callIn(other, "write", "sys/leases/lookup", { lease_id })).rejects.toThrow("invalid lease");
      await expect(server.callIn(other, "write", "sys/leases/renew", { lease_id })).rejects.toThrow("lease not found");
      await server.callIn(other, "write", "sys/leases/revoke", { lease_id });
      await server.callIn(other, "write", "sys/leases/revoke-prefix/l");
    }
    expect(world.alive.size).toBe(1);
    await server.callIn("a", "write", "sys/leases/renew", { lease_id, increment: "2h" });
    server.passSeconds(3601);
    await server.kernel.expiry.runOnce();
    expect(world.alive.size).toBe(1);
    server.passSeconds(3601);
    await server.kernel.expiry.runOnce();
    expect(world.alive.size).toBe(0);
    await server.callIn("a", "read", "l/things/y");
    await server.callIn("a", "delete", "sys/mounts/l");
    expect(world.alive.size).toBe(0);
  });

  test("leases that nobody could end are counted there, and from above where that is wanted", async () => {
    await server.callIn("a/b", "write", "sys/mounts/l", { type: "leasing" });
    await server.callIn("a/b", "read", "l/things/x", { ttl: "1h" });
    world.isDown = true;
    server.passSeconds(3601);
    for (let round = 0; round < 8; round++) {
      await server.kernel.expiry.runOnce();
      server.passSeconds(16 * 60);
    }
    const count = async (namespace: string, more: object = {}) =>
      (await server.callIn(namespace, "read", "sys/leases/count", { type: "irrevocable", ...more })).data;
    expect(await count("a/b")).toEqual({ lease_count: 1, counts: { "l/": 1 } });
    expect(await count("a")).toEqual({ lease_count: 0, counts: {} });
    expect(await count("a", { include_child_namespaces: true })).toEqual({ lease_count: 1, counts: { "b/l/": 1 } });
    expect(await count("z", { include_child_namespaces: true })).toEqual({ lease_count: 0, counts: {} });
  });

  test("answers are wrapped, and unwrapped once by whoever holds the token", async () => {
    await server.callIn("a", "write", "sys/mounts/kv", { type: "kv" });
    await server.callIn("a", "write", "kv/x", { secret: "s" });
    const wrapped = async () => {
      const { answer } = await server.exchange("read", "kv/x", {}, server.rootToken, undefined, 60, "a");
      return (answer as { info: { token: string; accessor: string } }).info;
    };
    const first = await wrapped();
    expect(first.token).toMatch(/^s\.\w{24}\.\w{6}$/);
    const opened = await server.callIn("a", "write", "sys/wrapping/unwrap", {}, first.token);
    expect(JSON.parse(opened.data.body).data).toEqual({ secret: "s" });
    await expect(server.callIn("a", "write", "sys/wrapping/unwrap", {}, first.token)).rejects.toThrow("wrapping token");
    const second = await wrapped();
    const looked = await server.call("write", "sys/wrapping/lookup", { token: second.token });
    expect(looked.data.creation_path).toBe("kv/x");
    const rewrapped = (await server.call("write", "sys/wrapping/rewrap", { token: second.token })).data.info.token;
    expect(await status(server.call("write", "sys/wrapping/lookup", { token: second.token }))).toBe(400);
    const read = await server.call("write", "sys/wrapping/unwrap", { token: rewrapped });
    expect(JSON.parse(read.data.body).data).toEqual({ secret: "s" });
  });

  test("users are locked out, and listed with their namespace", async () => {
    await server.callIn("a", "write", "sys/auth/up", { type: "userpass" });
    await server.callIn("a", "write", "auth/up/users/ada", { password: "correct horse" });
    for (let tries = 0; tries < 5; tries++) {
      await server.callIn("a", "write", "auth/up/login/ada", { password: "wrong" }, "").catch(() => undefined);
    }
    const locked = (await server.callIn("a", "read", "sys/locked-users")).data;
    expect(locked.by_namespace).toMatchObject([{ namespace_path: "a/", counts: 1 }]);
    expect((await server.call("read", "sys/locked-users")).data.total).toBe(0);
  });
});

describe("a quota", () => {
  const quota = "sys/quotas/rate-limit/q";
  const refusals = async (namespace: string, path: string, address: string) => {
    const codes: number[] = [];
    for (let i = 0; i < 3; i++) {
      const call = server.exchange("read", path, {}, server.rootToken, address, undefined, namespace);
      codes.push(await status(call));
    }
    return codes.filter((code) => code === 429).length;
  };

  test.each([
    // written in, with, and refused in
    ["", {}, { "": 2, a: 2, "a/b": 2, z: 2 }],
    ["", { inheritable: false }, { "": 2, a: 0, "a/b": 0, z: 0 }],
    ["", { path: "a/", inheritable: true }, { "": 0, a: 2, "a/b": 2, z: 0 }],
    ["", { path: "a" }, { "": 0, a: 2, "a/b": 0, z: 0 }],
    ["", { path: "a/b/sys/mounts" }, { "": 0, a: 0, "a/b": 2, z: 0 }],
    ["", { path: "sys/mounts" }, { "": 2, a: 0, "a/b": 0, z: 0 }],
    ["a", {}, { "": 0, a: 2, "a/b": 2, z: 0 }],
    ["a", { path: "b/" }, { "": 0, a: 0, "a/b": 2, z: 0 }],
    ["a", { path: "sys/" }, { "": 0, a: 2, "a/b": 0, z: 0 }],
  ])("written in %j with %j refuses %j", async (home, settings, refused) => {
    await server.callIn(home, "write", quota, { rate: 1, interval: "1m", ...settings });
    let address = 1;
    for (const [place, times] of Object.entries(refused)) {
      expect([place, await refusals(place, "sys/mounts", `10.0.0.${address++}`)]).toEqual([place, times]);
    }
  });

  test("needs a mount of the namespace that it names", async () => {
    await server.callIn("a", "write", "sys/mounts/kv", { type: "kv" });
    const write = (path: string) => server.call("write", quota, { rate: 1, path });
    await write("a/kv");
    expect((await server.call("read", quota)).data.path).toBe("a/kv/");
    await expect(write("kv")).rejects.toThrow("invalid mount path");
    await expect(write("z/kv")).rejects.toThrow("invalid mount path");
  });
});

describe("a lock", () => {
  test("closes a namespace and those below it, until its key comes", async () => {
    const token = await tokenIn("a/b", everything);
    const { unlock_key } = (await server.callIn("a", "write", "sys/namespaces/api-lock/lock")).data;
    for (const place of ["a", "a/b", "a/b/c"]) {
      const refused = await server.callIn(place, "read", "sys/mounts").catch((error) => error);
      expect(refused).toMatchObject({ status: 503, message: expect.stringContaining('"a/" is locked') });
    }
    expect(await status(server.callIn("a/b", "read", "sys/mounts", {}, token))).toBe(503);
    expect(await status(server.callIn("z", "read", "sys/mounts"))).toBe(200);
    expect((await server.call("read", "sys/namespaces/a")).data.locked).toBe(true);
    const unlock = (body: object, each?: string) =>
      server.callIn("a", "write", "sys/namespaces/api-lock/unlock", body, each);
    await expect(unlock({ unlock_key: "wrong" })).rejects.toThrow("the unlock key is wrong");
    await unlock({ unlock_key });
    expect(await status(server.callIn("a/b", "read", "sys/mounts", {}, token))).toBe(200);
    await expect(unlock({ unlock_key })).rejects.toThrow("not locked");
  });

  test("is set and taken off from above, with sudo also without the key; never on the root", async () => {
    await server.call("write", "sys/namespaces/api-lock/lock/a/b");
    expect(await status(server.callIn("a/b/c", "read", "sys/mounts"))).toBe(503);
    expect(await status(server.callIn("a", "read", "sys/mounts"))).toBe(200);
    const weak = await tokenIn("", 'path "sys/namespaces/api-lock/*" { capabilities = ["update"] }');
    await expect(server.call("write", "sys/namespaces/api-lock/unlock/a/b", {}, weak)).rejects.toThrow("sudo");
    const { warnings } = await server.call("write", "sys/namespaces/api-lock/unlock/a/b");
    expect(warnings).toHaveLength(1);
    expect(await status(server.callIn("a/b/c", "read", "sys/mounts"))).toBe(200);
    await expect(server.call("write", "sys/namespaces/api-lock/lock")).rejects.toThrow("root namespace");
    expect(await status(server.call("write", "sys/namespaces/api-lock/lock/nope"))).toBe(404);
  });
});

describe("a deletion", () => {
  async function fill(namespace: string): Promise<string> {
    await server.callIn(namespace, "write", "sys/mounts/kv", { type: "kv" });
    for (let i = 0; i < 5; i++) await server.callIn(namespace, "write", `kv/x${i}`, { i });
    await server.callIn(namespace, "write", "sys/mounts/l", { type: "leasing" });
    for (let i = 0; i < 3; i++) await server.callIn(namespace, "read", `l/things/t${i}`);
    await server.callIn(namespace, "write", "identity/entity", { name: "ada" });
    await server.callIn(namespace, "write", "auth/token/create", {});
    return tokenIn(namespace, everything);
  }
  const keysOf = () => server.kernel.records.transaction((storage) => deepKeys(storage, ""));

  test("ends leases and tokens, and leaves no record", async () => {
    const before = await keysOf();
    await server.call("write", "sys/namespaces/t");
    const token = await fill("t");
    expect(world.alive.size).toBe(3);
    await server.call("delete", "sys/namespaces/t");
    await gone("t/");
    expect(world.alive.size).toBe(0);
    expect(await status(server.callIn("t", "read", "sys/mounts", {}, token))).toBe(404);
    expect(await status(server.callIn("a", "read", "sys/mounts", {}, token))).toBe(403);
    expect(await keysOf()).toEqual(before);
    await server.call("write", "sys/namespaces/t");
    expect(await status(server.callIn("t", "read", "kv/x1"))).toBe(404);
    expect(await status(server.callIn("t", "read", "sys/mounts", {}, token))).toBe(403);
  });

  test("closes the namespace at once, and waits for leases that cannot be ended until they are given up", async () => {
    await server.call("write", "sys/namespaces/t");
    const token = await fill("t");
    world.isDown = true;
    await server.call("delete", "sys/namespaces/t");
    expect(await status(server.callIn("t", "read", "sys/mounts", {}, token))).toBe(404);
    expect((await server.call("read", "sys/namespaces/t")).data.tainted).toBe(true);
    await expect(server.call("write", "sys/namespaces/t")).rejects.toThrow("being deleted");
    expect((await server.call("delete", "sys/namespaces/t")).data).toEqual({ status: "in-progress" });
    for (let round = 0; round < 8; round++) {
      server.passSeconds(16 * 60);
      await server.kernel.expiry.runOnce();
    }
    expect(world.endings).toBeLessThan(3 * 8);
    await gone("t/");
  });

  test("that was interrupted anywhere is finished by whoever comes next", async () => {
    class Failing extends MemoryStore {
      left = Number.POSITIVE_INFINITY;
      override async commit(batch: Parameters<MemoryStore["commit"]>[0]): Promise<void> {
        if (this.left <= 0) throw new Error("the process is gone");
        this.left -= 1;
        return super.commit(batch);
      }
    }
    for (let commits = 1; ; commits++) {
      const store = new Failing();
      const leasing = leasingEngine();
      world = leasing.world;
      server = await new KernelCaller([...engines, leasing.engine], store).initialize();
      await server.call("write", "sys/namespaces/other");
      const before = await keysOf();
      await server.call("write", "sys/namespaces/t");
      await fill("t");
      store.left = commits;
      await server.call("delete", "sys/namespaces/t").catch(() => undefined);
      await server.kernel.expiry.runOnce().catch(() => undefined);
      const wasEnough = store.left > 0;
      store.left = Number.POSITIVE_INFINITY;
      await gone("t/");
      expect(world.alive.size).toBe(0);
      expect(await keysOf()).toEqual(before);
      if (wasEnough) break;
    }
  });
});

describe("two processes at once", () => {
  let other: KernelCaller;

  beforeEach(async () => {
    const store = new MemoryStore();
    const clock = { now: Date.UTC(2030, 0, 1) };
    server = await new KernelCaller(engines, store, clock).initialize();
    other = new KernelCaller(engines, store, clock);
    other.rootToken = server.rootToken;
    await other.call("write", "sys/unseal", { key: server.keys[0] }, "");
  });

  test("make one namespace of one name", async () => {
    const makers = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? server : other));
    const made = await Promise.all(makers.map((each) => each.call("write", "sys/namespaces/t")));
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    await server.callIn("t", "write", "sys/mounts/kv", { type: "kv" });
    await other.callIn("t", "write", "kv/x", { a: 1 });
    expect((await server.callIn("t", "read", "kv/x")).data.data).toEqual({ a: 1 });
  });

  test("never let a mount and a namespace have the same path", async () => {
    for (let i = 0; i < 10; i++) {
      const codes = await Promise.all([
        status(server.call("write", `sys/namespaces/t${i}`)),
        status(other.call("write", `sys/mounts/t${i}`, { type: "kv" })),
      ]);
      expect(codes.sort()).toEqual([200, 400]);
    }
  });

  test("never leave a namespace in one that is gone, nor a record in one that was deleted", async () => {
    for (let i = 0; i < 10; i++) {
      await server.call("write", "sys/namespaces/t");
      await server.callIn("t", "write", "sys/mounts/kv", { type: "kv" });
      const before = await server.kernel.records.transaction((storage) => deepKeys(storage, "namespaces/"));
      expect(before.length).toBeGreaterThan(0);
      const writes = Array.from({ length: 5 }, (_, n) => status(other.callIn("t", "write", `kv/x${n}`, { n })));
      const made = status(other.callIn("t", "write", "sys/namespaces/inner"));
      const deleted = await status(server.call("delete", "sys/namespaces/t"));
      await Promise.all(writes);
      if ((await made) === 200) {
        expect(deleted).toBe(409);
        await server.callIn("t", "delete", "sys/namespaces/inner");
        while ((await status(server.callIn("t", "read", "sys/namespaces/inner"))) === 200)
          await server.kernel.expiry.runOnce();
        await server.call("delete", "sys/namespaces/t");
      }
      while ((await status(server.call("read", "sys/namespaces/t"))) === 200) await server.kernel.expiry.runOnce();
      expect(await server.kernel.records.transaction((storage) => deepKeys(storage, "namespaces/"))).toEqual([]);
    }
  });
});
