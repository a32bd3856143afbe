import { describe, expect, test } from "vitest";
import { userpass } from "../../src/auth/userpass/engine.ts";
import { exchangeFor } from "../../src/core/pipeline/exchange.ts";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

/** What operators' tools ask a server about itself. */

const started = () => new KernelCaller(engines).initialize();

describe("sys/metrics", () => {
  test("tells requests by what they did, whom they asked and how they ended", async () => {
    const server = await started();
    await server.call("write", "cubbyhole/a", { b: 1 });
    await server.call("read", "cubbyhole/a");
    await server.call("read", "cubbyhole/a");
    await server.call("read", "cubbyhole/none").catch(() => {});
    await server.call("read", "nowhere/none").catch(() => {});
    const { data } = await server.call("read", "sys/metrics", { format: "prometheus" });
    expect(data.status).toBe(200);
    expect(data.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = (data.body as string).split("\n");
    for (const [operation, type, status, count] of [
      ["write", "cubbyhole", "2xx", 1],
      ["read", "cubbyhole", "2xx", 2],
      ["read", "cubbyhole", "4xx", 1],
      ["read", "none", "4xx", 1],
    ]) {
      const labels = `operation="${operation}",mount_type="${type}",status="${status}"`;
      expect(lines).toContain(`strongroom_requests_total{${labels}} ${count}`);
    }
    expect(lines).toContain('strongroom_request_duration_seconds_count{operation="read",mount_type="cubbyhole"} 3');
    expect(lines).toContain("strongroom_requests_in_flight 1");
  });

  test("speaks JSON to those who do not say, and refuses other formats in plain text", async () => {
    const server = await started();
    const json = (await server.call("read", "sys/metrics")).data;
    expect(Object.keys(JSON.parse(json.body))).toEqual(["Timestamp", "Gauges", "Points", "Counters", "Samples"]);
    const { data } = await server.call("read", "sys/metrics", { format: "xml" });
    expect(data).toMatchObject({ status: 400, body: "the format must be prometheus or json\n" });
    expect(data.headers["content-type"]).toContain("text/plain");
  });
});

describe("a listener may open a path to anybody", () => {
  const ask = (server: KernelCaller, path: string, openPaths: string[]) => {
    const source = {
      remoteAddress: "127.0.0.1",
      header: () => undefined,
      clientCertificates: () => [],
      openPaths: new Set(openPaths),
    };
    const request = { id: "r", operation: "read", path, body: {}, token: undefined, now: new Date(0), source } as const;
    return server.kernel.handle(exchangeFor(request));
  };

  test("also while the server is sealed, and no other path with it", async () => {
    const sealed = new KernelCaller(engines);
    expect(await ask(sealed, "sys/metrics", ["sys/metrics"])).toMatchObject({ status: 200 });
    await expect(ask(sealed, "sys/in-flight-req", ["sys/metrics"])).rejects.toThrow("sealed");
    const server = await started();
    expect(await ask(server, "sys/in-flight-req", ["sys/in-flight-req"])).toHaveProperty("r");
    await expect(ask(server, "sys/metrics", [])).rejects.toThrow("permission denied");
    await expect(ask(server, "sys/mounts", ["sys/metrics"])).rejects.toThrow("permission denied");
  });
});

test("sys/in-flight-req shows what is under way", async () => {
  const server = await started();
  expect((await server.call("read", "sys/in-flight-req")).data).toEqual({
    request: {
      start_time: "2030-01-01T00:00:00.000Z",
      client_remote_address: "127.0.0.1",
      request_path: "/v1/sys/in-flight-req",
      request_method: "GET",
      client_id: "",
      snapshot_time: "2030-01-01T00:00:00.000Z",
      duration: "0ms",
    },
  });
});

test("sys/version-history grows with each version that is unsealed on a store, once", async () => {
  const server = await started();
  const { data } = await server.call("list", "sys/version-history");
  expect(data).toEqual({
    keys: ["0.0.0"],
    key_info: {
      "0.0.0": {
        timestamp_installed: "2030-01-01T00:00:00.000Z",
        previous_version: null,
        commit_date: "2030-01-01T00:00:00Z",
        build_date: "2030-01-01T00:00:00Z",
      },
    },
  });
  server.passSeconds(60);
  await server.call("write", "sys/seal");
  await server.call("write", "sys/unseal", { key: server.keys[0] });
  expect((await server.call("list", "sys/version-history")).data).toEqual(data);
});

describe("sys/plugins/catalog", () => {
  test("lists the engines that are built in", async () => {
    const server = await started();
    const { data } = await server.call("read", "sys/plugins/catalog");
    expect(data.secret).toContain("kv");
    expect(data.secret).not.toContain("kv-v2");
    expect(data.secret).not.toContain("cubbyhole");
    expect(data.detailed).toContainEqual({
      type: "secret",
      name: "kv",
      version: "v0.0.0+builtin",
      builtin: true,
      deprecation_status: "supported",
    });
    expect((await server.call("list", "sys/plugins/catalog/secret")).data.keys).toEqual(data.secret);
    expect((await server.call("read", "sys/plugins/catalog/secret/kv")).data).toMatchObject({
      name: "kv",
      builtin: true,
    });
  });

  test.each([
    ["read", "sys/plugins/catalog/secret/nope", 404],
    ["list", "sys/plugins/catalog/nope", 400],
    ["write", "sys/plugins/catalog/secret/mine", 400],
    ["delete", "sys/plugins/catalog/secret/kv", 400],
  ] as const)("answers %s %s with %i", async (operation, path, status) => {
    const server = await started();
    await expect(server.call(operation, path, { command: "x", sha256: "y" })).rejects.toMatchObject({ status });
  });
});

test("sys/loggers sets how much each part logs, and back", async () => {
  const server = await started();
  const levels = async () => (await server.call("read", "sys/loggers")).data;
  expect(await levels()).toEqual({ core: "info" });
  await server.call("write", "sys/loggers/core", { level: "debug" });
  expect((await server.call("read", "sys/loggers/core")).data).toEqual({ core: "debug" });
  await server.call("delete", "sys/loggers");
  expect(await levels()).toEqual({ core: "info" });
  await server.call("write", "sys/loggers", { level: "WARN" });
  expect(await levels()).toEqual({ core: "warn" });
  await expect(server.call("write", "sys/loggers", { level: "loud" })).rejects.toThrow("invalid level provided");
  await expect(server.call("write", "sys/loggers", {})).rejects.toThrow("level is required");
  await expect(server.call("write", "sys/loggers/nope", { level: "info" })).rejects.toMatchObject({ status: 404 });
});

test("sys/config/ui/headers keeps headers for the web interface, and none of the server's own", async () => {
  const server = await started();
  const at = (name: string) => `sys/config/ui/headers/${name}`;
  await expect(server.call("list", "sys/config/ui/headers")).resolves.toMatchObject({ data: { keys: [] } });
  await server.call("write", at("X-Frame-Options"), { values: ["DENY", "SAMEORIGIN"] });
  expect((await server.call("read", at("x-frame-options"))).data).toEqual({ value: "DENY" });
  expect((await server.call("read", at("X-Frame-Options"), { multivalue: true })).data).toEqual({
    values: ["DENY", "SAMEORIGIN"],
  });
  expect((await server.call("list", "sys/config/ui/headers")).data.keys).toEqual(["x-frame-options"]);
  await server.call("delete", at("X-Frame-Options"));
  await expect(server.call("read", at("X-Frame-Options"))).rejects.toMatchObject({ status: 404 });
  for (const name of ["X-Vault-Token", "x-service-token"]) {
    await expect(server.call("write", at(name), { values: ["x"] })).rejects.toThrow("X-Vault headers cannot be set");
  }
  await expect(server.call("write", at("a b"), { values: ["x"] })).rejects.toThrow("the name of a header");
  await expect(server.call("write", at("a"), { values: ["x\r\ny: z"] })).rejects.toThrow("printable");
  await expect(server.call("write", at("a"), {})).rejects.toThrow("at least one");
});

test("sys/policies/password stores policies and makes passwords by them", async () => {
  const server = await started();
  const policy = 'length = 20\nrule "charset" {\n  charset = "abc"\n}\n';
  await server.call("write", "sys/policies/password/web", { policy });
  await server.call("write", "sys/policies/password/db", { policy: Buffer.from(policy).toString("base64") });
  expect((await server.call("list", "sys/policies/password")).data.keys).toEqual(["db", "web"]);
  expect((await server.call("read", "sys/policies/password/db")).data).toEqual({ policy });
  const { data } = await server.call("read", "sys/policies/password/web/generate");
  expect(data.password).toMatch(/^[abc]{20}$/);
  await server.call("delete", "sys/policies/password/web");
  await expect(server.call("read", "sys/policies/password/web")).rejects.toThrow("policy does not exist");
  await expect(server.call("read", "sys/policies/password/web/generate")).rejects.toThrow("policy does not exist");
  await expect(server.call("write", "sys/policies/password/x", { policy: "length = 1" })).rejects.toMatchObject({
    status: 400,
  });
});

test("a server tells about itself as the only one that leads", async () => {
  const server = await started();
  expect((await server.call("read", "sys/leader")).data).toMatchObject({ ha_enabled: false, is_self: true });
  expect((await server.call("read", "sys/ha-status")).data.nodes).toMatchObject([
    { active_node: true, last_echo: null, version: "0.0.0" },
  ]);
  expect((await server.call("write", "sys/step-down")).data).toBeUndefined();
  expect((await server.call("read", "sys/host-info")).data).toHaveProperty("memory.total");
});

test("sys/internal/counters/tokens counts tokens", async () => {
  const server = await started();
  const count = async () =>
    (await server.call("read", "sys/internal/counters/tokens")).data.counters.service_tokens.total;
  expect(await count()).toBe(1);
  await server.call("write", "auth/token/create", { policies: ["root"] });
  await server.call("write", "auth/token/create", { type: "batch", policies: ["default"], ttl: "1h" });
  expect(await count()).toBe(2);
});

describe("sys/locked-users", () => {
  test("shows who failed to log in too often, and lets them in again", async () => {
    const others = engines.filter(({ type }) => type !== userpass.type);
    const server = await new KernelCaller([...others, userpass]).initialize();
    await server.call("write", "sys/auth/people", { type: "userpass" });
    await server.call("write", "sys/auth/guests", { type: "userpass" });
    const accessorOf = async (path: string) => (await server.call("read", `sys/auth/${path}`)).data.accessor;
    const people = await accessorOf("people");
    const logIn = (mount: string, name: string, password: string) =>
      server.call("write", `auth/${mount}/login/${name}`, { password }, "");
    for (const [mount, name] of [
      ["people", "ada"],
      ["people", "bob"],
      ["guests", "eve"],
    ] as const) {
      await server.call("write", `auth/${mount}/users/${name}`, { password: "right-password" });
      for (let i = 0; i < 5; i++) await logIn(mount, name, "wrong").catch(() => {});
    }
    const locked = async (body = {}) => (await server.call("read", "sys/locked-users", body)).data;
    const ofPeople = { mount_accessor: people, counts: 2, alias_identifiers: ["ada", "bob"] };
    const ofGuests = { mount_accessor: await accessorOf("guests"), counts: 1, alias_identifiers: ["eve"] };
    const root = { namespace_id: "root", namespace_path: "" };
    expect(await locked()).toEqual({
      by_namespace: [{ ...root, counts: 3, mount_accessors: [ofPeople, ofGuests] }],
      total: 3,
    });
    expect(await locked({ mount_accessor: people })).toEqual({
      by_namespace: [{ ...root, counts: 2, mount_accessors: [ofPeople] }],
      total: 2,
    });
    await expect(logIn("people", "ada", "right-password")).rejects.toThrow();
    await server.call("write", `sys/locked-users/${people}/unlock/ada`);
    await server.call("write", `sys/locked-users/${people}/unlock/ada`);
    expect((await logIn("people", "ada", "right-password")).auth.policies).toEqual(["default"]);
    expect((await locked()).total).toBe(2);
  });

  test("refuses accessors of nobody, and of what locks nobody out", async () => {
    const server = await started();
    expect((await server.call("read", "sys/locked-users")).data).toEqual({ by_namespace: [], total: 0 });
    const { accessor } = (await server.call("read", "sys/auth/token")).data;
    for (const each of ["nope", accessor]) {
      await expect(server.call("write", `sys/locked-users/${each}/unlock/ada`)).rejects.toMatchObject({ status: 400 });
    }
  });
});

describe("a kv mount", () => {
  test("gains versions with its secrets in them, and never loses versions", async () => {
    const server = await new KernelCaller(engines).initialize();
    const tune = (mount: string, version: string) =>
      server.call("write", `sys/mounts/${mount}/tune`, { options: { version } });
    await server.call("write", "sys/mounts/two", { type: "kv-v2" });
    await expect(tune("two", "1")).rejects.toMatchObject({
      status: 400,
      message: "cannot downgrade mount from version 2",
    });
    await tune("two", "2");
    await expect(tune("two", "3")).rejects.toMatchObject({ status: 400 });
    await server.call("write", "sys/mounts/one", { type: "kv" });
    await server.call("write", "one/a", { b: "c" });
    await tune("one", "2");
    expect((await server.call("read", "one/data/a")).data.data).toEqual({ b: "c" });
    expect((await server.call("write", "one/data/a", { data: { b: "d" } })).data).toMatchObject({ version: 2 });
  });
});

test("entities are counted", async () => {
  const server = await new KernelCaller(engines).initialize();
  for (const name of ["ada", "bob"]) await server.call("write", "identity/entity", { name });
  expect((await server.call("read", "sys/internal/counters/entities")).data).toEqual({
    counters: { entities: { total: 2 } },
  });
});
