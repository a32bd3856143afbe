import { beforeEach, describe, expect, test } from "vitest";
import { approle } from "../../src/auth/approle/engine.ts";
import { cert } from "../../src/auth/cert/engine.ts";
import { userpass } from "../../src/auth/userpass/engine.ts";
import { exchangeFor } from "../../src/core/pipeline/exchange.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { cubbyhole } from "../../src/engines/cubbyhole/engine.ts";
import { authority, forClients, issue, noOpenssl } from "../support/issued-certificates.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

/** Auth methods in a whole core: logins make tokens, failures are remembered, and two processes agree. */

const engines = [cubbyhole, userpass, approle, cert];
const imported = {
  password: "U*U",
  password_hash: "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
};

let server: KernelCaller;
/** Another process over the same store. */
let other: KernelCaller;

beforeEach(async () => {
  const store = new MemoryStore();
  const clock = { now: Date.UTC(2030, 0, 1) };
  server = await new KernelCaller(engines, store, clock).initialize();
  other = new KernelCaller(engines, store, clock);
  await other.call("write", "sys/unseal", { key: server.keys[0] }, "");
  other.rootToken = server.rootToken;
  for (const type of ["userpass", "approle", "cert"]) await server.call("write", `sys/auth/${type}`, { type });
});

/** How many of these succeed, and what the others hear. */
async function outcomes(calls: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(calls);
  const refusals = settled.flatMap((each) => (each.status === "rejected" ? [each.reason.message as string] : []));
  return { succeeded: settled.length - refusals.length, refusals };
}

const renewSelf = (token: string) => server.call("write", "auth/token/renew-self", {}, token);

describe("userpass", () => {
  const login = (password: string, at = server) => at.call("write", "auth/userpass/login/Ada", { password }, "");

  beforeEach(async () => {
    await server.call("write", "auth/userpass/users/ada", { ...imported, password: undefined, token_policies: "web" });
  });

  test("a login gives a token with an entity, and renewal asks again", async () => {
    const { auth } = await login(imported.password);
    expect(auth).toMatchObject({
      policies: ["default", "web"],
      metadata: { username: "ada" },
      renewable: true,
      token_type: "service",
      orphan: true,
      entity_id: expect.stringMatching(/\S/),
    });
    const { data } = await server.call("read", "auth/token/lookup-self", {}, auth.client_token);
    expect(data).toMatchObject({ display_name: "userpass-ada", path: "auth/userpass/login/Ada" });
    expect((await login(imported.password, other)).auth.entity_id).toBe(auth.entity_id);
    await renewSelf(auth.client_token);
    await server.call("write", "auth/userpass/users/ada/policies", { token_policies: "other" });
    await expect(renewSelf(auth.client_token)).rejects.toThrow("policies have changed, not renewing");
  });

  test("failures count in every process, and lock everywhere", async () => {
    for (const at of [server, other, server, other, server]) {
      await expect(login("wrong", at)).rejects.toThrow("invalid username or password");
    }
    for (const at of [server, other]) {
      await expect(login(imported.password, at)).rejects.toMatchObject({ status: 403, message: "permission denied" });
    }
    server.passSeconds(900);
    await login(imported.password, other);
  });

  test("of many guesses at once, only a few are looked at", async () => {
    const guesses = Array.from({ length: 20 }, (_, index) => login("wrong", index % 2 === 0 ? server : other));
    const { succeeded, refusals } = await outcomes(guesses);
    expect(succeeded).toBe(0);
    expect(refusals.filter((message) => message === "invalid username or password")).toHaveLength(5);
    expect(refusals.filter((message) => message === "permission denied")).toHaveLength(15);
  });
});

describe("approle", () => {
  const make = async (wishes: object = {}) =>
    (await server.call("write", "auth/approle/role/web/secret-id", wishes)).data;
  const login = (secret_id: string, at = server) =>
    at.call("write", "auth/approle/login", { role_id: "web-id", secret_id }, "");

  beforeEach(async () => {
    await server.call("write", "auth/approle/role/web", { role_id: "web-id", token_policies: "web", token_ttl: "1h" });
  });

  test("a login gives a token, and renewal asks again", async () => {
    const { secret_id } = await make({ metadata: '{"host":"a"}' });
    const { auth } = await login(secret_id);
    expect(auth).toMatchObject({
      policies: ["default", "web"],
      metadata: { host: "a", role_name: "web" },
      lease_duration: 3600,
    });
    const { data } = await server.call("read", "auth/token/lookup-self", {}, auth.client_token);
    expect(data).toMatchObject({ display_name: "approle", path: "auth/approle/login" });
    await renewSelf(auth.client_token);
    await server.call("delete", "auth/approle/role/web");
    await expect(renewSelf(auth.client_token)).rejects.toThrow('role "web" does not exist during renewal');
  });

  test.each([1, 7])("a secret id that is good for %i logins gives as many, however many try at once", async (uses) => {
    await login((await make()).secret_id);
    const { secret_id, secret_id_accessor } = await make({ num_uses: uses });
    const tries = Array.from({ length: 30 }, (_, index) => login(secret_id, index % 2 === 0 ? server : other));
    const { succeeded, refusals } = await outcomes(tries);
    expect(succeeded).toBe(uses);
    const expected = new Set(["invalid role or secret ID", "permission denied"]);
    expect(refusals.every((message) => expected.has(message))).toBe(true);
    const gone = server.call("write", "auth/approle/role/web/secret-id-accessor/lookup", { secret_id_accessor });
    await expect(gone).rejects.toMatchObject({ status: 404 });
  });

  test("a wrapped secret id shows its accessor, and is good once it is unwrapped", async () => {
    const { info } = await server.wrapped("write", "auth/approle/role/web/secret-id", {}, 60);
    const { data: listed } = await server.call("list", "auth/approle/role/web/secret-id");
    expect(info.wrapped_accessor).toBe(listed.keys[0]);
    const { data: reply } = await server.call("write", "sys/wrapping/unwrap", { token: info.token });
    const { data } = JSON.parse(String(reply.body));
    expect(data.secret_id_accessor).toBe(info.wrapped_accessor);
    await login(data.secret_id);
  });

  test("wrong secret ids lock the role everywhere", async () => {
    const { secret_id } = await make();
    const { refusals } = await outcomes(Array.from({ length: 12 }, (_, i) => login("wrong", i % 2 ? server : other)));
    expect(refusals.filter((message) => message === "invalid role or secret ID")).toHaveLength(5);
    await expect(login(secret_id, other)).rejects.toMatchObject({ status: 403 });
  });
});

describe.skipIf(noOpenssl)("cert", () => {
  const root = noOpenssl ? undefined! : issue({ subject: "/CN=root", extensions: authority });
  const client = noOpenssl ? undefined! : issue({ subject: "/CN=web", extensions: forClients, issuer: root });

  const present = (path: string, certificates: readonly Uint8Array[], token?: string) =>
    server.kernel.handle(
      exchangeFor({
        id: "request",
        operation: "write",
        path,
        body: {},
        token,
        now: new Date(Date.now() + 60_000),
        source: {
          remoteAddress: "127.0.0.1",
          header: () => undefined,
          clientCertificates: () => certificates,
        },
      }),
    );

  test("a login gives a token", async () => {
    await server.call("write", "auth/cert/certs/web", { certificate: root.pem, token_policies: "web" });
    expect(await present("auth/cert/login", [client.der])).toMatchObject({
      auth: { policies: ["default", "web"], metadata: { cert_name: "web", common_name: "web" } },
    });
    await expect(present("auth/cert/login", [])).rejects.toThrow("client certificate must be supplied");
  });
});
