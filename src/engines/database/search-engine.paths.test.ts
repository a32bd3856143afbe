/** The whole life of users of a search engine, through the core, against a server that answers as the real one. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KernelCaller } from "../../../test/support/kernel-caller.ts";
import { type SearchEngineServer, startSearchEngine } from "../../../test/support/search-engine-server.ts";
import { database } from "./engine.ts";

let cluster: SearchEngineServer;
let server: KernelCaller;

const reader = { db_name: "search", creation_statements: '{"searchengine_roles":["reader"],"full_name":"A reader"}' };

async function connect(settings: object = {}) {
  return server.call("write", "database/config/search", {
    plugin_name: "searchengine-database-plugin",
    url: cluster.url,
    username: "vault",
    password: "root-secret",
    allowed_roles: "*",
    ...settings,
  });
}

const refusal = (operation: "read" | "write" | "delete" | "list", path: string, body: object = {}) =>
  server.call(operation, path, body).then(
    () => "accepted",
    (error: { status: number; messages: string[] }) => `${error.status} ${error.messages.join("; ")}`,
  );

async function runJobs() {
  server.passSeconds(31);
  await server.kernel.jobs.runDue(new AbortController().signal);
}

beforeEach(async () => {
  cluster = await startSearchEngine();
  cluster.users.set("vault", { password: "root-secret", roles: ["manager"], metadata: {}, enabled: true });
  server = await new KernelCaller([database]).initialize();
  await server.kernel.stop();
  await server.call("write", "sys/mounts/database", { type: "database" });
});

afterEach(async () => {
  await server.kernel.stop();
  await cluster.stop();
});

describe("a connection", () => {
  it("is verified, read back without its secrets, listed, reset and deleted", async () => {
    await connect({ root_rotation_statements: "unused", password_policy: "", client_cert: "", custom: 7 });
    const { data } = await server.call("read", "database/config/search");
    expect(data).toEqual({
      plugin_name: "searchengine-database-plugin",
      plugin_version: "",
      allowed_roles: ["*"],
      connection_details: { url: cluster.url, username: "vault", client_cert: "", custom: 7 },
      password_policy: "",
      root_credentials_rotate_statements: ["unused"],
    });
    expect(cluster.calls).toEqual(["GET /_security/_authenticate"]);
    expect((await server.call("list", "database/config")).data.keys).toEqual(["search"]);
    await server.call("write", "database/reset/search");
    expect(cluster.calls).toHaveLength(2);
    await server.call("delete", "database/config/search");
    expect(await refusal("read", "database/config/search")).toBe("404 ");
    expect(await refusal("list", "database/config")).toBe("404 ");
  });

  it.each([
    ["no plugin", { plugin_name: "" }, /^400 empty plugin name/],
    ["an unknown plugin", { plugin_name: "nosuch-database-plugin" }, /^400 .*plugin not found in the catalog: nosuch/],
    ["a malformed version", { plugin_version: "abc" }, /^400 version "abc" is not a valid semantic version/],
    ["a version that is not here", { plugin_version: "v9.9.9" }, /^400 .*version=v9.9.9; this server has v1.0.0/],
    ["no URL", { url: "" }, /^400 error creating database object: "url" must be provided/],
    ["a URL without a scheme", { url: "localhost" }, /^400 .*url must be a full URL/],
    [
      "a wrong password",
      { password: "wrong-secret" },
      /^400 .*error verifying connection: .*401.*unable to authenticate/,
    ],
    [
      "a closed port",
      { url: "http://127.0.0.1:1" },
      /^502 .*error verifying connection: connection "search": cannot reach/,
    ],
    ["half of a client pair", { client_cert: "x" }, /^400 .*client_cert and client_key must be set together/],
    ["a bad switch", { insecure: "maybe" }, /^400 .*"insecure": expected a boolean/],
    ["a bad template", { username_template: "{{bad}}" }, /^400 invalid username_template: .*bad/],
    ["authorities that are none", { ca_cert: "none" }, /^400 .*ca_cert holds no PEM certificate/],
    ["a file that is none", { ca_path: "/nonexistent" }, /^400 .*ca_path holds no PEM certificate/],
  ])("is refused with %s", async (_, settings, expected) => {
    const words = await connect(settings).then(
      () => "accepted",
      ({ status, messages }) => `${status} ${messages.join("; ")}`,
    );
    expect(words).toMatch(expected);
    expect(words).not.toContain("secret");
  });

  it("keeps what an update does not name, and stays in use when an update fails", async () => {
    await connect();
    await server.call("write", "database/config/search", { allowed_roles: ["one"] });
    await server.call("write", "database/config/search", { password: "wrong-one" }).catch(() => undefined);
    await server.call("write", "database/reset/search");
    expect((await server.call("read", "database/config/search")).data.allowed_roles).toEqual(["one"]);
  });

  it("is not asked for anything when it need not be verified", async () => {
    await connect({ verify_connection: false, password: "wrong-secret" });
    expect(cluster.calls).toEqual([]);
  });
});

describe("a dynamic role", () => {
  it("reads back all of its fields", async () => {
    await server.call("write", "database/roles/reader", { ...reader, default_ttl: "1h", max_ttl: 86400 });
    expect((await server.call("read", "database/roles/reader")).data).toEqual({
      db_name: "search",
      default_ttl: 3600,
      max_ttl: 86400,
      creation_statements: [reader.creation_statements],
      revocation_statements: [],
      rollback_statements: [],
      renew_statements: [],
      credential_type: "password",
    });
  });

  it("makes a user that ends with its lease", async () => {
    await connect();
    await server.call("write", "database/roles/my.reader", { ...reader, default_ttl: "1h" });
    const { answer } = await server.exchange("read", "database/creds/my.reader", {}, server.rootToken);
    const { data, registered } = answer as { data: { username: string; password: string }; registered: { id: string } };
    expect(data.username).toMatch(/^v-root-my-reader-[0-9A-Za-z]{20}-\d{10}$/);
    expect(data.password).toHaveLength(20);
    expect(registered).toMatchObject({ seconds: 3600, renewable: true });
    expect(registered.id).toMatch(/^database\/creds\/my\.reader\//);
    expect(cluster.users.get(data.username)).toMatchObject({
      password: data.password,
      roles: ["reader"],
      full_name: "A reader",
    });
    expect(await refusal("delete", "database/config/search")).toMatch(/^400 .*live leases/);
    await server.call("write", "sys/leases/renew", { lease_id: registered.id });
    await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
    expect(cluster.users.has(data.username)).toBe(false);
    await server.call("delete", "database/config/search");
  });

  it("leaves a user alone that has its lease", async () => {
    await connect();
    await server.call("write", "database/roles/reader", { ...reader, default_ttl: "1h" });
    const { data } = (await server.call("read", "database/creds/reader")).data;
    server.passSeconds(1800);
    await runJobs();
    expect(cluster.users.has(data.username)).toBe(true);
  });

  it("ends a user when its time is over, also one that is gone already", async () => {
    await connect();
    await server.call("write", "database/roles/reader", { ...reader, default_ttl: 60 });
    const made = await Promise.all([1, 2].map(() => server.call("read", "database/creds/reader")));
    cluster.users.delete(made[0]!.data.data.username);
    server.passSeconds(61);
    await server.kernel.expiry.runOnce();
    expect([...cluster.users.keys()]).toEqual(["elastic", "vault"]);
  });

  it.each([
    ["an unknown role", {}, "nosuch", /^400 unknown role: nosuch/],
    ["no statements", { creation_statements: [] }, "role", /^400 .*empty creation statements/],
    ["two statements", { creation_statements: ["{}", "{}"] }, "role", /^400 .*only 1 creation statement/],
    ["no JSON", { creation_statements: "no" }, "role", /^400 .*is not JSON/],
    ["no roles", { creation_statements: "{}" }, "role", /^400 .*needs searchengine_roles/],
    [
      "another type",
      { credential_type: "rsa_private_key" },
      "role",
      /^400 unsupported credential_type: "rsa_private_key"/,
    ],
    ["no connection", { db_name: "gone" }, "role", /^400 failed to find entry for connection with name: "gone"/],
    [
      "reserved metadata",
      { creation_statements: '{"searchengine_roles":["a"],"metadata":{"_x":1}}' },
      "role",
      /^400 .*may not start with/,
    ],
  ])("issues nothing with %s", async (_, settings, name, expected) => {
    await connect();
    await server.call("write", "database/roles/role", { ...reader, ...settings });
    expect(await refusal("read", `database/creds/${name}`)).toMatch(expected);
    expect(cluster.users.size).toBe(2);
  });

  it("must be allowed by the connection", async () => {
    await connect({ allowed_roles: ["read*", "other"] });
    await server.call("write", "database/roles/reader", reader);
    await server.call("write", "database/roles/writer", reader);
    await server.call("read", "database/creds/reader");
    expect(await refusal("read", "database/creds/writer")).toMatch(/^400 "writer" is not an allowed role/);
  });

  it("caps lifetimes with a warning", async () => {
    await connect();
    await server.call("write", "database/roles/reader", { ...reader, default_ttl: "2h", max_ttl: "1h" });
    const { data, warnings } = await server.call("read", "database/creds/reader");
    expect(data.registered.seconds).toBe(3600);
    expect(warnings).toEqual(['TTL of "2h" exceeded the effective max_ttl of "1h"; TTL value is capped accordingly']);
  });

  it("does not overwrite a user that its template names", async () => {
    cluster.users.set("reader", { password: "somebody", roles: [], metadata: {}, enabled: true });
    await connect({ username_template: "{{.RoleName}}" });
    await server.call("write", "database/roles/reader", reader);
    expect(await refusal("read", "database/creds/reader")).toMatch(/^400 .*there is a user "reader" already/);
    expect(cluster.users.get("reader")?.password).toBe("somebody");
  });

  it("leaves no user behind when the answer of the cluster is lost", async () => {
    await connect();
    await server.call("write", "database/roles/reader", reader);
    cluster.faults.push("drop");
    expect(await refusal("read", "database/creds/reader")).toMatch(/^502 connection "search"/);
    expect(cluster.users.size).toBe(2);
  });

  it("leaves no user behind when the cluster goes away after making it", async () => {
    await connect();
    await server.call("write", "database/roles/reader", reader);
    cluster.faults.push("drop", "refuse");
    expect(await refusal("read", "database/creds/reader")).toMatch(/^502/);
    expect(cluster.users.size).toBe(3);
    server.passSeconds(600);
    await runJobs();
    expect(cluster.users.size).toBe(2);
  });
});

describe("a static role", () => {
  beforeEach(async () => {
    cluster.users.set("app", { password: "old-secret", roles: ["reader"], metadata: {}, enabled: true });
    await connect();
  });

  const create = (settings: object = {}) =>
    server.call("write", "database/static-roles/app", {
      db_name: "search",
      username: "app",
      rotation_period: "1h",
      ...settings,
    });
  const credential = async () => (await server.call("read", "database/static-creds/app")).data;

  it("rotates at once, when asked, and when its time has come", async () => {
    await create();
    const first = await credential();
    expect(first).toMatchObject({
      username: "app",
      rotation_period: 3600,
      ttl: 3600,
      last_service_rotation: "2030-01-01T00:00:00.000Z",
    });
    expect(cluster.users.get("app")?.password).toBe(first.password);
    await server.call("write", "database/rotate-role/app");
    const second = await credential();
    expect(second.password).not.toBe(first.password);
    server.passSeconds(1800);
    expect((await credential()).ttl).toBe(1800);
    server.passSeconds(1801);
    await runJobs();
    const third = await credential();
    expect(third.password).not.toBe(second.password);
    expect(cluster.users.get("app")?.password).toBe(third.password);
    expect(third.ttl).toBe(3600);
  });

  it("reads back, lists, and leaves the user when deleted", async () => {
    await create();
    expect((await server.call("read", "database/static-roles/app")).data).toEqual({
      username: "app",
      db_name: "search",
      rotation_statements: [],
      credential_type: "password",
      rotation_period: 3600,
      last_service_rotation: "2030-01-01T00:00:00.000Z",
      last_vault_rotation: "2030-01-01T00:00:00.000Z",
    });
    expect((await server.call("list", "database/static-roles")).data.keys).toEqual(["app"]);
    await server.call("delete", "database/static-roles/app");
    expect(cluster.users.has("app")).toBe(true);
    expect(await refusal("read", "database/static-creds/app")).toMatch(/^400 unknown role: app/);
  });

  it.each([
    ["no connection name", { db_name: "" }, /^400 database name is a required field/],
    ["no user name", { username: "" }, /^400 username is a required field/],
    ["no period", { rotation_period: 0 }, /^400 rotation_period must be 5 seconds or more/],
    ["a short period", { rotation_period: 4 }, /^400 rotation_period must be 5 seconds or more/],
    ["period and schedule", { rotation_schedule: "0 0 * * *" }, /^400 mutually exclusive fields/],
    ["a bad schedule", { rotation_period: null, rotation_schedule: "soon" }, /^400 could not parse rotation_schedule/],
    ["a user that is not there", { username: "nobody" }, /^400 error setting credentials: .*user must exist/],
    ["the root user", { username: "vault" }, /^400 "vault" is the root user/],
    [
      "certificates",
      { credential_type: "client_certificate", credential_config: { key_type: "x" } },
      /^400 credential_config validation failed: invalid key_type/,
    ],
  ])("is refused with %s, and leaves nothing", async (_, settings, expected) => {
    expect(
      await create(settings).then(
        () => "accepted",
        ({ status, messages }) => `${status} ${messages[0]}`,
      ),
    ).toMatch(expected);
    expect(await refusal("read", "database/static-roles/app")).toBe("404 ");
    expect(cluster.users.get("app")?.password).toBe("old-secret");
  });

  it("is the only one of its user, and shares its name with no dynamic role", async () => {
    await create();
    const again = { db_name: "search", username: "app", rotation_period: 60 };
    expect(await refusal("write", "database/static-roles/other", again)).toMatch(
      /^400 the static role "app" manages the user "app"/,
    );
    expect(await refusal("write", "database/roles/app", reader)).toBe("400 Role and Static Role names must be unique");
    await server.call("write", "database/roles/dynamic", reader);
    expect(await refusal("write", "database/static-roles/dynamic", again)).toBe(
      "400 Role and Static Role names must be unique",
    );
  });

  it("changes its period without rotating, and never its user", async () => {
    await create();
    const { password } = await credential();
    await server.call("write", "database/static-roles/app", { rotation_period: "2h" });
    expect(await credential()).toMatchObject({ password, rotation_period: 7200, ttl: 7200 });
    expect(await refusal("write", "database/static-roles/app", { username: "elastic" })).toMatch(
      /^400 cannot update static account username/,
    );
  });

  it.each(["drop", "refuse"] as const)(
    "knows the credential that holds after an answer was lost (%s)",
    async (fault) => {
      await create();
      cluster.faults.push(fault);
      expect(await refusal("write", "database/rotate-role/app")).toMatch(/^502 unable to finish rotating credentials/);
      server.passSeconds(11);
      await runJobs();
      expect(cluster.users.get("app")?.password).toBe((await credential()).password);
      expect((await server.call("read", "database/static-creds/app")).warnings).toEqual([]);
    },
  );

  it("rotates on a cron schedule, and waits for the next time when it missed its window", async () => {
    await create({ rotation_period: null, rotation_schedule: "0 3 * * *", rotation_window: "1h" });
    const first = await credential();
    expect(first).toMatchObject({ ttl: 3 * 3600, rotation_schedule: "0 3 * * *", rotation_window: 3600 });
    server.passSeconds(5 * 3600);
    await runJobs();
    expect(await credential()).toMatchObject({ password: first.password, ttl: 22 * 3600 - 31 });
    server.passSeconds(22 * 3600 + 60);
    await runJobs();
    expect((await credential()).password).not.toBe(first.password);
  });

  it("can be taken over without a rotation, and rotate only when asked", async () => {
    const settings = {
      rotation_period: null,
      disable_automated_rotation: true,
      skip_import_rotation: true,
      password: "old-secret",
    };
    await create(settings);
    expect(await credential()).toMatchObject({ password: "old-secret", ttl: 0 });
    server.passSeconds(1_000_000);
    await runJobs();
    expect(cluster.users.get("app")?.password).toBe("old-secret");
    await server.call("write", "database/rotate-role/app");
    expect(cluster.users.get("app")?.password).toBe((await credential()).password);
  });
});

describe("the root credential", () => {
  beforeEach(() => connect());

  it("is replaced, and nobody can read it", async () => {
    await server.call("write", "database/rotate-root/search");
    expect(cluster.users.get("vault")?.password).not.toBe("root-secret");
    await server.call("write", "database/reset/search");
    const { data } = await server.call("read", "database/config/search");
    expect(JSON.stringify(data)).not.toContain(cluster.users.get("vault")?.password);
  });

  it.each(["drop", "refuse"] as const)("is known after an answer was lost (%s)", async (fault) => {
    cluster.faults.push(fault);
    expect(await refusal("write", "database/rotate-root/search")).toMatch(
      /^502 the outcome of the rotation is not known yet/,
    );
    await runJobs();
    await server.call("write", "database/reset/search");
    expect(cluster.users.get("vault")?.password).not.toBe("root-secret");
  });

  it("is settled first when somebody needs it", async () => {
    await server.call("write", "database/roles/reader", reader);
    cluster.faults.push("drop");
    expect(await refusal("write", "database/rotate-root/search")).toMatch(/^502/);
    await server.call("read", "database/creds/reader");
  });

  it("stays when the cluster refuses, and is replaced on a schedule", async () => {
    cluster.faults.push({ status: 403, body: { error: { reason: "not yours" } } });
    expect(await refusal("write", "database/rotate-root/search")).toMatch(/^400 connection "search".*not yours/);
    await server.call("write", "database/reset/search");
    await server.call("write", "database/config/search", { rotation_period: "24h" });
    expect((await server.call("read", "database/config/search")).data.rotation_period).toBe(86_400);
    server.passSeconds(86_401);
    await runJobs();
    expect(cluster.users.get("vault")?.password).not.toBe("root-secret");
  });

  it("needs to be in the configuration", async () => {
    expect(await refusal("write", "database/rotate-root/nosuch")).toMatch(/^400 failed to find entry for connection/);
  });
});
