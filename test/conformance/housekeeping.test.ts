import { beforeEach, expect, test } from "vitest";
import { engine, type Storage } from "../../src/api/engine.ts";
import { pathsFor } from "../../src/api/path.ts";
import { Login } from "../../src/api/reply.ts";
import { plainTokenFields } from "../../src/api/token-fields.ts";
import { engines } from "../../src/engine-list.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

let server: KernelCaller;

/** Lets everybody in as ada, and says that she is one of the staff. */
const door = engine<object>({
  type: "door",
  kind: "auth",
  summary: "An open door",
  paths: [
    pathsFor<object>()({
      pattern: "login",
      summary: "Come in",
      access: "public",
      write: {
        summary: "Come in",
        handler: async () =>
          new Login({ alias: { name: "ada" }, groupAliases: ["staff"], displayName: "ada", token: plainTokenFields }),
      },
    }),
  ],
  renewLogin: async () => plainTokenFields,
  services: () => ({}),
});

beforeEach(async () => {
  server = await new KernelCaller([...engines, door]).initialize();
  await server.call("write", "sys/namespaces/a");
});

async function policyKeys(): Promise<string[]> {
  const keys: string[] = [];
  const walk = async (storage: Storage, prefix: string): Promise<void> => {
    for (const name of await storage.list(prefix)) {
      if (name.endsWith("/")) await walk(storage, prefix + name);
      else if (prefix.endsWith("sys/policy/acl/")) keys.push(name);
    }
  };
  await server.kernel.records.transaction((storage) => walk(storage, ""));
  return keys.sort();
}

test("policies whose time is over leave the store, in every namespace", async () => {
  const policy = 'path "x" { capabilities = ["read"] }';
  for (const namespace of ["", "a"]) {
    await server.callIn(namespace, "write", "sys/policies/acl/short", { policy, ttl: "1h" });
    await server.callIn(namespace, "write", "sys/policies/acl/long", { policy, ttl: "1000h" });
  }
  const signal = new AbortController().signal;
  await server.kernel.jobs.runDue(signal);
  expect(await policyKeys()).toEqual(["default", "default", "long", "long", "short", "short"]);
  server.passSeconds(3601);
  await server.kernel.jobs.runDue(signal);
  expect(await policyKeys()).toEqual(["default", "default", "long", "long"]);
});

test.each(["", "a"])("groups that an auth method vouched for are joined at a renewal in %j too", async (namespace) => {
  const ask = (operation: "read" | "write", path: string, body = {}, token?: string) =>
    server.callIn(namespace, operation, path, body, token);
  await ask("write", "sys/auth/door", { type: "door" });
  const { auth } = await ask("write", "auth/door/login", {}, "");
  expect(auth.identity_policies).toBeUndefined();
  const group = (await ask("write", "identity/group", { name: "staff", type: "external", policies: "web" })).data;
  const { accessor } = (await ask("read", "sys/auth/door")).data;
  await ask("write", "identity/group-alias", { name: "staff", mount_accessor: accessor, canonical_id: group.id });
  const look = async () => (await ask("read", "auth/token/lookup-self", {}, auth.client_token)).data.identity_policies;
  expect(await look()).toBeUndefined();
  const renewed = await ask("write", "auth/token/renew-self", {}, auth.client_token);
  expect(renewed.auth.identity_policies).toEqual(["web"]);
  expect(await look()).toEqual(["web"]);
});
