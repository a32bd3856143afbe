/** What people do with node-vault, the JavaScript client, whose own schemas judge the answers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ToolUnavailable } from "../../scripts/interop/cached-tool.ts";
import { installNodeVault } from "../../scripts/interop/node-vault.ts";
import { ServerProcess } from "../support/server-process.ts";

// biome-ignore lint/suspicious/noExplicitAny: the client is written in JavaScript, and answers have every shape.
type Loose = any;
type Commands = Readonly<Record<string, { schema?: { res?: object } }>>;

const config = {
  storage: { inmem: {} },
  unsafe_allow_api_audit_creation: true,
  listener: {
    tcp: { address: "127.0.0.1:0", tls_disable: true, disable_unauthed_generate_root_endpoints: false },
  },
};

let unavailable = "";
let connect: (options: { token?: string; namespace?: string; noCustomHTTPVerbs?: boolean }) => Loose;
let server: ServerProcess | undefined;
let root = "";
const keys: string[] = [];

beforeAll(async () => {
  try {
    const require = await installNodeVault();
    const started = await ServerProcess.start({ config });
    server = started;
    const nodeVault = require("node-vault");
    connect = (options) => checked(nodeVault({ endpoint: started.url, ...options }), require("tv4"));
  } catch (error) {
    if (!(error instanceof ToolUnavailable)) throw error;
    unavailable = error.message;
  }
});

afterAll(() => server?.kill());

beforeEach(({ skip }) => skip(unavailable !== "", unavailable));

/** A client all of whose answers must be what its own schemas say, as in its own tests. */
function checked(client: Loose, tv4: Loose): Loose {
  for (const [name, { schema }] of Object.entries(client.commands as Commands)) {
    if (!schema?.res) continue;
    const call = client[name];
    client[name] = async (args?: object) => {
      const answer = await call(args);
      if (!tv4.validate(withoutNulls(answer), schema.res)) {
        throw new Error(`${name} answered ${JSON.stringify(answer)}: ${tv4.error.dataPath} ${tv4.error.message}`);
      }
      return answer;
    };
  }
  return client;
}

/** Its schemas know no null, which every server of this interface answers for what is not there. */
const withoutNulls = (answer: Loose) =>
  JSON.parse(JSON.stringify(answer, (_key, value) => (value === null ? undefined : value)));

/** Refusals carry the first of the server's words, and the status. */
const refusal = (message: string, statusCode: number) => ({
  message: expect.stringContaining(message),
  response: expect.objectContaining({ statusCode }),
});

test("from nothing to unsealed", async () => {
  const vault = connect({});
  expect(await vault.initialized()).toEqual({ initialized: false });
  expect(await vault.health()).toMatchObject({ initialized: false });
  const made = await vault.init({ secret_shares: 3, secret_threshold: 2 });
  root = made.root_token;
  keys.push(...made.keys);
  await expect(vault.init({ secret_shares: 1, secret_threshold: 1 })).rejects.toMatchObject(
    refusal("Vault is already initialized", 400),
  );
  expect(await vault.health()).toMatchObject({ sealed: true });
  expect(await vault.unseal({ secret_shares: 3, key: keys[0] })).toMatchObject({ sealed: true, progress: 1 });
  expect(await vault.unseal({ secret_shares: 3, key: keys[1] })).toMatchObject({ sealed: false });
  expect(await vault.status()).toMatchObject({ sealed: false, t: 2, n: 3 });
  expect(await vault.health()).toMatchObject({ sealed: false, standby: false });
  expect(await vault.leader()).toMatchObject({ ha_enabled: false });
});

describe("with the root token", () => {
  let vault: Loose;
  beforeEach(() => {
    vault = connect({ token: root });
  });

  test("unversioned secrets", async () => {
    await vault.mount({ mount_point: "kv1", type: "kv", options: { version: "1" } });
    await vault.write("kv1/a/b", { text: "x", number: 1 });
    expect((await vault.read("kv1/a/b")).data).toEqual({ text: "x", number: 1 });
    expect((await vault.list("kv1/a")).data.keys).toEqual(["b"]);
    expect((await connect({ token: root, noCustomHTTPVerbs: true }).list("kv1")).data.keys).toEqual(["a/"]);
    await vault.delete("kv1/a/b");
    await expect(vault.read("kv1/a/b")).rejects.toMatchObject(refusal("Status 404", 404));
    await expect(vault.list("kv1")).rejects.toMatchObject(refusal("Status 404", 404));
  });

  test("versioned secrets", async () => {
    await vault.mount({ mount_point: "kv2", type: "kv-v2" });
    expect((await vault.write("kv2/data/a", { data: { x: 1, y: 1 } })).data.version).toBe(1);
    expect((await vault.update("kv2/data/a", { data: { y: null, z: 2 } })).data.version).toBe(2);
    expect((await vault.read("kv2/data/a")).data.data).toEqual({ x: 1, z: 2 });
    expect((await vault.read("kv2/data/a?version=1")).data.data).toEqual({ x: 1, y: 1 });
    await vault.destroySecretVersions({ mount_point: "kv2", path: "a", versions: [1] });
    await expect(vault.read("kv2/data/a?version=1")).rejects.toMatchObject(refusal("Status 404", 404));
    await vault.delete("kv2/data/a");
    expect((await vault.list("kv2/metadata")).data.keys).toEqual(["a"]);
    await vault.delete("kv2/metadata/a");
    await expect(vault.list("kv2/metadata")).rejects.toMatchObject(refusal("Status 404", 404));
  });

  test("mounts", async () => {
    await vault.mount({ mount_point: "one", type: "kv", description: "a place" });
    expect(await vault.mounts()).toMatchObject({ "one/": { type: "kv", description: "a place" } });
    await vault.remount({ from: "one", to: "two" });
    await expect.poll(async () => Object.keys((await vault.mounts()).data)).toContain("two/");
    await vault.unmount({ mount_point: "two" });
    expect(await vault.mounts()).not.toHaveProperty("two/");
    await expect(vault.mount({ mount_point: "x", type: "nonesuch" })).rejects.toMatchObject(refusal("nonesuch", 400));
    expect(await vault.auths()).toMatchObject({ "token/": { type: "token" } });
    expect(await vault.audits()).toMatchObject({ data: {} });
  });

  test("policies", async () => {
    const rules = 'path "kv1/*" { capabilities = ["read"] }';
    await vault.addPolicy({ name: "reader", rules });
    expect(await vault.getPolicy({ name: "reader" })).toMatchObject({ name: "reader", rules });
    expect((await vault.policies()).policies).toContain("reader");
    await vault.removePolicy({ name: "reader" });
    await expect(vault.getPolicy({ name: "reader" })).rejects.toMatchObject(refusal("Status 404", 404));
    await expect(vault.addPolicy({ name: "bad", rules: "path {" })).rejects.toMatchObject({
      response: { statusCode: 400 },
    });
  });

  test("tokens", async () => {
    const child = connect({ token: root });
    const made = await child.tokenCreate({ policies: ["default"], ttl: "1h", meta: { who: "me" } });
    // The client goes on with the token that it has made.
    expect(child.token).toBe(made.auth.client_token);
    expect((await child.tokenLookupSelf()).data).toMatchObject({ policies: ["default"], meta: { who: "me" } });
    expect((await child.tokenRenewSelf({ increment: "2h" })).auth.lease_duration).toBe(7200);
    await expect(child.mounts()).rejects.toMatchObject(refusal("permission denied", 403));
    const { accessor } = made.auth;
    expect((await vault.tokenAccessors()).data.keys).toContain(accessor);
    expect((await vault.tokenLookup({ token: made.auth.client_token })).data.accessor).toBe(accessor);
    expect((await vault.tokenLookupAccessor({ accessor })).data.id).toBe("");
    await vault.tokenRevokeAccessor({ accessor });
    await expect(child.tokenLookupSelf()).rejects.toMatchObject(refusal("permission denied", 403));
    await expect(vault.tokenLookup({ token: made.auth.client_token })).rejects.toMatchObject(refusal("bad token", 403));
  });

  test("token roles and orphans", async () => {
    await vault.addTokenRole({ role_name: "ci", allowed_policies: "default", orphan: true });
    expect((await vault.tokenRoles()).data.keys).toEqual(["ci"]);
    expect((await vault.getTokenRole({ role_name: "ci" })).data).toMatchObject({ name: "ci", orphan: true });
    const worker = connect({ token: root });
    await worker.tokenCreateRole({ role_name: "ci" });
    expect((await worker.tokenLookupSelf()).data).toMatchObject({ role: "ci", orphan: true });
    await worker.tokenRevokeSelf();
    const orphan = connect({ token: root });
    const { auth } = await orphan.tokenCreateOrphan({ policies: ["default"] });
    expect((await orphan.tokenLookupSelf()).data.orphan).toBe(true);
    await vault.tokenRevokeOrphan({ token: auth.client_token });
    await vault.removeTokenRole({ role_name: "ci" });
    await expect(vault.tokenRoles()).rejects.toMatchObject(refusal("Status 404", 404));
  });

  test("logins", async () => {
    await vault.enableAuth({ mount_point: "approle", type: "approle" });
    await vault.enableAuth({ mount_point: "people", type: "userpass" });
    await vault.addApproleRole({ role_name: "worker", policies: "default" });
    expect((await vault.approleRoles()).data.keys).toEqual(["worker"]);
    expect((await vault.getApproleRole({ role_name: "worker" })).data).toMatchObject({ bind_secret_id: true });
    const { role_id } = (await vault.getApproleRoleId({ role_name: "worker" })).data;
    const { secret_id } = (await vault.getApproleRoleSecret({ role_name: "worker" })).data;
    expect((await vault.approleSecretAccessors({ role_name: "worker" })).data.keys).toHaveLength(1);
    const worker = connect({});
    await worker.approleLogin({ role_id, secret_id });
    expect((await worker.tokenLookupSelf()).data).toMatchObject({ policies: ["default"] });
    await vault.approleSecretDestroy({ role_name: "worker", secret_id });
    await expect(connect({}).approleLogin({ role_id, secret_id })).rejects.toMatchObject({
      response: { statusCode: 400 },
    });
    await vault.write("auth/people/users/eve", { password: "long enough", policies: "default" });
    const person = connect({});
    await person.userpassLogin({ mount_point: "people", username: "eve", password: "long enough" });
    expect((await person.tokenLookupSelf()).data).toMatchObject({ display_name: "people-eve" });
  });

  test("logins end with their method", async () => {
    const person = connect({});
    await person.userpassLogin({ mount_point: "people", username: "eve", password: "long enough" });
    await vault.disableAuth({ mount_point: "people" });
    await expect(person.tokenLookupSelf()).rejects.toMatchObject(refusal("permission denied", 403));
  });

  test("wrapping", async () => {
    const { wrap_info } = await vault.write(
      "sys/wrapping/wrap",
      { a: "b" },
      { headers: { "X-Vault-Wrap-TTL": "60s" } },
    );
    expect((await vault.unwrap({ token: wrap_info.token })).data).toEqual({ a: "b" });
    await expect(vault.unwrap({ token: wrap_info.token })).rejects.toMatchObject(refusal("wrapping token", 400));
  });

  test("namespaces", async () => {
    await vault.write("sys/namespaces/team", { custom_metadata: { owner: "ada" } });
    const team = connect({ token: vault.token, namespace: "team" });
    await team.mount({ mount_point: "kv", type: "kv" });
    await team.write("kv/a", { b: "c" });
    expect((await team.read("kv/a")).data).toEqual({ b: "c" });
    expect((await vault.read("team/kv/a")).data).toEqual({ b: "c" });
    expect(Object.keys((await team.mounts()).data)).toContain("kv/");
    expect(Object.keys((await vault.mounts()).data)).not.toContain("kv/");
    await team.addPolicy({ name: "reader", rules: 'path "kv/*" { capabilities = ["read"] }' });
    const { auth } = await team.tokenCreate({ policies: ["reader"] });
    const reader = connect({ token: auth.client_token, namespace: "team" });
    expect((await reader.read("kv/a")).data).toEqual({ b: "c" });
    await expect(connect({ token: auth.client_token }).read("team/kv/a")).resolves.toMatchObject({ data: { b: "c" } });
    await expect(connect({ token: auth.client_token }).tokenLookupSelf()).rejects.toMatchObject(
      refusal("permission denied", 403),
    );
    await vault.delete("sys/namespaces/team");
    await expect(team.read("kv/a")).rejects.toMatchObject(refusal("namespace not found", 404));
  });

  test("a new root token", async () => {
    const anonymous = connect({});
    const { otp_length } = await anonymous.read("sys/generate-root/attempt");
    const otp = "x".repeat(otp_length);
    const { nonce } = await anonymous.generateRootInit({ otp });
    await anonymous.generateRootUpdate({ key: keys[0], nonce });
    const { encoded_token } = await anonymous.generateRootUpdate({ key: keys[1], nonce });
    const { data } = await anonymous.write("sys/decode-token", { encoded_token, otp });
    expect((await connect({ token: data.token }).tokenLookupSelf()).data.policies).toEqual(["root"]);
    await anonymous.generateRootInit({ otp });
    await vault.generateRootCancel();
    expect(await anonymous.read("sys/generate-root/attempt")).toMatchObject({ started: false });
  });

  test("leases, rotation, help, stepping down and sealing", async () => {
    await expect(vault.renew({ lease_id: "kv1/nonesuch" })).rejects.toMatchObject({ response: { statusCode: 400 } });
    await vault.revoke({ lease_id: "kv1/nonesuch" });
    await vault.rotate();
    expect((await vault.help("sys/mounts")).help).toContain("mount");
    await vault.stepDown();
    await vault.seal();
    await expect(vault.mounts()).rejects.toMatchObject(refusal("Vault is sealed", 503));
  });
});
