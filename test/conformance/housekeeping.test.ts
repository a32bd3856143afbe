import { beforeEach, expect, test } from "vitest";
import { engine, type Storage } from "../../src/api/engine.ts";
import { Open, pathsFor } from "../../src/api/path.ts";
import { Login } from "../../src/api/reply.ts";
import { plainTokenFields } from "../../src/api/token-fields.ts";
import { engines } from "../support/engines.ts";
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

/** Counts in its storage how often its job ran, and keeps where it was started. */
const started = new Set<string>();
const clockwork = engine<{ storage: Storage; place: string }, string>({
  type: "clockwork",
  kind: "secrets",
  summary: "Something with a job",
  paths: [
    pathsFor<{ storage: Storage; place: string }>()({
      pattern: "count",
      summary: "How often it ran",
      read: {
        summary: "How often it ran",
        openOutput: true,
        handler: async (_input, { services: { storage, place } }) =>
          new Open({ ran: (await storage.get("ran"))?.length ?? 0, place }),
      },
    }),
  ],
  jobs: [
    {
      name: "tick",
      everySeconds: 60,
      async run({ storage }) {
        storage.put("ran", new Uint8Array(((await storage.get("ran"))?.length ?? 0) + 1));
      },
    },
  ],
  start: ({ namespace, mount }) => {
    started.add(namespace.path + mount.path);
    return namespace.path + mount.path;
  },
  stop: (place) => void started.delete(place),
  services: ({ storage, state }) => ({ storage, place: state }),
});

beforeEach(async () => {
  server = await new KernelCaller([...engines, door, clockwork]).initialize();
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

test("jobs of engines run in every namespace, each on its own records; and stop with it", async () => {
  const signal = new AbortController().signal;
  const count = async (namespace: string) => (await server.callIn(namespace, "read", "clock/count")).data;
  for (const namespace of ["", "a"]) await server.callIn(namespace, "write", "sys/mounts/clock", { type: "clockwork" });
  await server.kernel.jobs.runDue(signal);
  server.passSeconds(61);
  await server.kernel.jobs.runDue(signal);
  await server.kernel.jobs.runDue(signal);
  expect(await count("")).toEqual({ ran: 2, place: "clock/" });
  expect(await count("a")).toEqual({ ran: 2, place: "a/clock/" });
  expect([...started].sort()).toEqual(["a/clock/", "clock/"]);
  await server.call("delete", "sys/namespaces/a");
  for (let isThere = true; isThere; ) {
    await server.kernel.expiry.runOnce();
    isThere = await server.call("read", "sys/namespaces/a").then(
      () => true,
      () => false,
    );
  }
  server.passSeconds(61);
  await server.kernel.jobs.runDue(signal);
  expect((await count("")).ran).toBe(3);
  await server.call("write", "sys/mounts/other", { type: "kv" });
  await count("");
  expect([...started]).toEqual(["clock/"]);
});

test("what engines keep between requests goes when the server is sealed, and is made again", async () => {
  await server.call("write", "sys/mounts/clock", { type: "clockwork" });
  await server.call("read", "clock/count");
  expect(started).toContain("clock/");
  await server.call("write", "sys/seal");
  expect(started).not.toContain("clock/");
  await server.call("write", "sys/unseal", { key: server.keys[0] }, "");
  expect((await server.call("read", "clock/count")).data).toMatchObject({ place: "clock/" });
  expect(started).toContain("clock/");
});
