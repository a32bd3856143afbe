import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Storage } from "../../api/engine.ts";
import { Barrier } from "../seal/barrier.ts";
import { newKey } from "../seal/key-material.ts";
import { Keyring } from "../seal/keyring.ts";
import { noQuorum } from "../seal/seal-config.ts";
import { MemoryStore } from "../storage/memory.ts";
import { Records } from "../storage/records.ts";
import { Policies, type PolicySettings } from "./policies.ts";
import { resultantAcl } from "./resultant-acl.ts";
import type { IdentityView } from "./templating.ts";

const random = { bytes: (count: number) => randomBytes(count) };
const now = new Date("2030-01-01T00:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const nobody: IdentityView = { groups: { ids: {}, names: {} }, now };
const person = (name: string): IdentityView => ({
  entity: { id: `id-${name}`, name, metadata: null, aliases: {} },
  groups: { ids: {}, names: {} },
  now,
});
const readA = 'path "s/a" { capabilities = ["read"] }';

function openStore(): Records {
  const sealConfig = { type: "static", unseal: noQuorum, recovery: noQuorum };
  const barrier = new Barrier(random);
  barrier.open(Keyring.create({ generation: 1, key: newKey(random) }, sealConfig, newKey(random), 0));
  return new Records(new MemoryStore(), barrier, async () => {});
}

let records: Records;
let policies: Policies;
const inStore = <T>(work: (storage: Storage) => Promise<T>) => records.transaction(work);
const put = (name: string, settings: PolicySettings | string, at = now) =>
  inStore((storage) => policies.put(name, typeof settings === "string" ? { policy: settings } : settings, storage, at));
const get = (name: string, at = now) => inStore((storage) => policies.get(name, storage, at));
const list = (page?: { after?: string; limit?: number }) => inStore((storage) => policies.list(storage, page));
const remove = (name: string) => inStore(async (storage) => policies.delete(name, storage));
const aclFor = (names: string[], identity: IdentityView = nobody, at = now) =>
  inStore(async (storage) => policies.aclFor(names, () => identity, storage, at));

beforeEach(async () => {
  records = openStore();
  policies = new Policies();
  await inStore(async (storage) => policies.initialize(storage, now));
});

describe("stored policies", () => {
  it("are read as they were written, with a version and a time", async () => {
    await put("web", readA);
    await put("web", `${readA} # again`, later(5));
    expect(await get("WEB")).toEqual({
      name: "web",
      policy: `${readA} # again`,
      version: 2,
      cas_required: false,
      modified: "2030-01-01T00:00:05.000Z",
      expiration: null,
      allow_wildcards_in_identity_templates: false,
      allow_slashes_in_identity_templates: false,
    });
    expect(await get("other")).toBeUndefined();
  });

  it("are kept as text when they came in base64", async () => {
    await put("web", Buffer.from(readA).toString("base64"));
    expect((await get("web"))?.policy).toBe(readA);
  });

  it("have names in lower case, with a warning", async () => {
    expect((await put("Web", readA)).warnings).toEqual(["policy name was converted to web"]);
    expect((await put("web", 'path "s/*/a" { capabilities = ["read"] }')).warnings).toHaveLength(1);
    expect((await put("web", readA)).warnings).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['cannot update "root" policy', () => put("root", readA)],
    ['cannot update "root" policy', () => put(" ROOT ", readA)],
    ['cannot update "response-wrapping" policy', () => put("response-wrapping", readA)],
    ["the name of the policy is empty", () => put(" ", readA)],
    ['cannot delete "root" policy', () => remove("Root")],
    ["cannot delete default policy", () => remove("default")],
    ['cannot delete "response-wrapping" policy', () => remove("response-wrapping")],
    ["'policy' parameter not supplied or empty", () => put("web", "")],
    ['failed to parse policy: path "a": invalid key "wat" on line 1', () => put("web", 'path "a" { wat = 1 }')],
    ["give either expiration or ttl, not both", () => put("web", { policy: readA, expiration: 9e12, ttl: 5 })],
    ["the policy would have expired already", () => put("web", { policy: readA, expiration: now.getTime() })],
    ["the policy would have expired already", () => put("web", { policy: readA, ttl: -1 })],
    ["check-and-set parameter required", () => put("web", { policy: readA, cas_required: true })],
    ["did not match the current version", () => put("web", { policy: readA, cas: 1 })],
    ["but the policy exists already", () => put("default", { policy: readA, cas: -1 })],
  ])("are refused: %s", async (message, action) => {
    await expect(action()).rejects.toThrow(message);
    expect(await list()).toEqual(["default", "root"]);
    expect((await get("default"))?.version).toBe(1);
  });

  it("can be deleted, also when they are not there", async () => {
    await put("web", readA);
    await remove("WEB");
    await remove("web");
    expect(await get("web")).toBeUndefined();
  });

  it("root reads as empty, the one for wrapped answers has a text, the default one can be edited", async () => {
    expect(await get("root")).toMatchObject({ name: "root", policy: "" });
    expect((await get("response-wrapping"))?.policy).toContain("sys/wrapping/unwrap");
    await put("default", readA);
    expect(await get("default")).toMatchObject({ policy: readA, version: 2 });
  });

  it("are listed in order and in pages, root among them, names with slashes whole", async () => {
    for (const name of ["zeta", "team/app", "alpha", "100%", "sigma"]) await put(name, readA);
    const all = ["100%", "alpha", "default", "root", "sigma", "team/app", "zeta"];
    expect(await list()).toEqual(all);
    for (const limit of [1, 2, 3, 7]) {
      const seen: string[] = [];
      for (let page = await list({ limit }); page.length > 0; page = await list({ limit, after: page.at(-1)! })) {
        expect(page.length).toBeLessThanOrEqual(limit);
        seen.push(...page);
      }
      expect(seen, `limit ${limit}`).toEqual(all);
    }
    expect(await get("team/app")).toMatchObject({ name: "team/app" });
  });
});

describe("check-and-set", () => {
  it("is asked for by the stored policy or by the request, and is not sticky", async () => {
    await put("web", { policy: readA, cas: -1, cas_required: true });
    await expect(put("web", readA)).rejects.toThrow("check-and-set parameter required for this call");
    await expect(put("web", { policy: readA, cas: 2 })).rejects.toThrow("did not match the current version");
    await put("web", { policy: readA, cas: 1 });
    expect(await get("web")).toMatchObject({ version: 2, cas_required: false });
    await put("web", readA);
    expect(await get("web")).toMatchObject({ version: 3 });
  });

  it("lets one of two writers through", async () => {
    await put("web", readA);
    const both = await Promise.allSettled([1, 2].map(() => put("web", { policy: readA, cas: 1 })));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await get("web")).toMatchObject({ version: 2 });
  });
});

describe("a patch", () => {
  const patch = (changes: Partial<PolicySettings>) =>
    inStore((storage) => policies.patch("web", changes, storage, later(1)));

  it("keeps what it does not name", async () => {
    await put("web", { policy: readA, ttl: 60, allow_slashes_in_identity_templates: true, cas_required: true, cas: 0 });
    await expect(patch({ policy: "# new" })).rejects.toThrow("check-and-set parameter required");
    await patch({ policy: "# new", cas: 1 });
    expect(await get("web")).toMatchObject({
      policy: "# new",
      version: 2,
      cas_required: true,
      expiration: "2030-01-01T00:01:00.000Z",
      allow_slashes_in_identity_templates: true,
    });
    await patch({ cas: 2, cas_required: false, ttl: 9 });
    expect(await get("web")).toMatchObject({ cas_required: false, expiration: "2030-01-01T00:00:10.000Z" });
    await patch({ expiration: null });
    expect(await get("web")).toMatchObject({ policy: "# new", version: 4, expiration: null });
  });

  it("finds nothing to change where no policy is", async () => {
    expect(await patch({ policy: readA })).toBeUndefined();
  });
});

describe("expiration", () => {
  it("ends a policy for its readers and for its holders", async () => {
    await put("web", { policy: readA, ttl: 60 });
    expect(await get("web")).toMatchObject({ expiration: "2030-01-01T00:01:00.000Z" });
    expect((await aclFor(["web"], nobody, later(59))).capabilities("s/a", later(59))).toEqual(["read"]);
    expect((await aclFor(["web"], nobody, later(60))).capabilities("s/a", later(60))).toEqual(["deny"]);
    expect(await get("web", later(60))).toBeUndefined();
  });

  it("leaves a policy in the store until it is removed, and a new one begins anew", async () => {
    await put("web", { policy: readA, ttl: 60 });
    await put("api", { policy: readA, ttl: 6000 });
    await inStore((storage) => policies.removeExpired(storage, later(60)));
    expect(await list()).toEqual(["api", "default", "root"]);
    await put("api", { policy: readA, cas: -1 }, later(6000));
    expect(await get("api", later(6000))).toMatchObject({ version: 1 });
  });
});

describe("the list for a caller", () => {
  it("is made of all policies that exist, in the order of their names", async () => {
    await put("web", readA);
    await put("api", 'path "s/a" { capabilities = ["update"] }');
    const acl = await aclFor(["web", "missing", "API", "web"]);
    expect(acl.capabilities("s/a", now)).toEqual(["read", "update"]);
    expect(acl.allows({ operation: "read", path: "s/a", now }).policies).toEqual(["web"]);
    expect((await aclFor([])).capabilities("s/a", now)).toEqual(["deny"]);
  });

  it("is the same one as long as nothing changed, and another after that", async () => {
    await put("web", readA);
    const first = await aclFor(["web", "default"], person("ada"));
    expect(await aclFor(["web", "default"], person("ada"))).toBe(first);
    expect(await aclFor(["web", "default"], person("bob"))).not.toBe(first);
    expect(await aclFor(["web"], person("ada"))).not.toBe(first);
    expect(await aclFor(["web"], person("ada"))).toBe(await aclFor(["web"], person("bob")));
    await put("web", readA);
    expect(await aclFor(["web", "default"], person("ada"))).not.toBe(first);
  });

  it("tells callers apart whose values only look alike when put together", async () => {
    await put("own", 'path "{{identity.entity.id}}/{{identity.entity.name}}" { capabilities = ["read"] }');
    const caller = (id: string, name: string): IdentityView => ({
      ...nobody,
      entity: { id, name, metadata: null, aliases: {} },
    });
    const one = await aclFor(["own"], caller("a,b", "c"));
    const two = await aclFor(["own"], caller("a", "b,c"));
    expect(one.capabilities("a,b/c", now)).toEqual(["read"]);
    expect(two.capabilities("a,b/c", now)).toEqual(["deny"]);
  });

  it("sees a change at the next request, and one of the same request too", async () => {
    await put("web", readA);
    await inStore(async (storage) => {
      await policies.put("web", { policy: 'path "s/a" { capabilities = ["deny"] }' }, storage, now);
      expect((await policies.aclFor(["web"], () => nobody, storage, now)).capabilities("s/a", now)).toEqual(["deny"]);
    });
    expect((await aclFor(["web"])).capabilities("s/a", now)).toEqual(["deny"]);
  });

  it("asks for an identity only if a policy has templates", async () => {
    await put("web", readA);
    const unasked = () => {
      throw new Error("asked");
    };
    await inStore(async (storage) => policies.aclFor(["web", "root"], unasked, storage, now));
    await inStore(async (storage) => policies.aclFor(["web"], unasked, storage, now));
    await expect(inStore(async (storage) => policies.aclFor(["default"], unasked, storage, now))).rejects.toThrow(
      "asked",
    );
  });

  it("bypasses everything for root", async () => {
    expect((await aclFor(["default", "root"])).isRoot).toBe(true);
  });

  it("fails closed for a stored policy that cannot be read, which can still be replaced", async () => {
    const broken = { ...(await put("web", readA)).record, policy: "path {" };
    await inStore(async (storage) => storage.put("sys/policy/acl/web", Buffer.from(JSON.stringify(broken))));
    await expect(aclFor(["web"])).rejects.toThrow('the stored policy "web" cannot be read: write it again');
    expect(await get("web")).toMatchObject({ policy: "path {" });
    await put("web", readA);
    expect((await aclFor(["web"])).capabilities("s/a", now)).toEqual(["read"]);
  });
});

describe("the default policy", () => {
  it.each<[string, string]>([
    ["auth/token/lookup-self", "read"],
    ["auth/token/renew-self", "update"],
    ["auth/token/revoke-self", "update"],
    ["sys/capabilities-self", "update"],
    ["identity/entity/id/id-ada", "read"],
    ["identity/entity/id/id-bob", "deny"],
    ["identity/entity/name/ada", "read"],
    ["sys/internal/ui/resultant-acl", "read"],
    ["sys/leases/renew", "update"],
    ["sys/leases/lookup", "update"],
    ["sys/leases/lookup/x", "deny"],
    ["sys/wrapping/wrap", "update"],
    ["sys/wrapping/lookup", "update"],
    ["sys/wrapping/unwrap", "update"],
    ["sys/tools/hash", "update"],
    ["sys/tools/hash/sha2-512", "update"],
    ["sys/tools/random", "deny"],
    ["cubbyhole/a/b", "create,delete,list,read,update"],
    ["identity/oidc/provider/default/authorize", "read,update"],
    ["sys/mounts", "deny"],
  ])("grants on %s: %s", async (path, expected) => {
    expect((await aclFor(["default"], person("ada"))).capabilities(path, now).join()).toBe(expected);
  });

  it("has nothing to warn about", async () => {
    const text = (await get("default"))!.policy;
    expect((await put("default", text)).warnings).toEqual([]);
  });

  it("a wrapping token can read its answer and end itself, no more", async () => {
    const acl = await aclFor(["response-wrapping"]);
    expect(resultantAcl(acl, now)).toEqual({
      root: false,
      exact_paths: {
        "cubbyhole/response": { capabilities: ["create", "read"] },
        "sys/wrapping/unwrap": { capabilities: ["update"] },
        "auth/token/revoke-self": { capabilities: ["update"] },
      },
      glob_paths: {},
    });
  });
});

describe("the resultant list", () => {
  it("shows exact paths, prefixes without their star, and paths with plus as written", async () => {
    await put(
      "web",
      `path "a" { capabilities = ["update", "read"] }
       path "b/*" { capabilities = ["list"] }
       path "b/+/c" { capabilities = ["deny"] }
       path "b/+/d*" {}
       path "__proto__" { capabilities = ["read"] }`,
    );
    const { root, exact_paths, glob_paths } = resultantAcl(await aclFor(["web"]), now);
    expect(root).toBe(false);
    expect(Object.entries(exact_paths)).toEqual([
      ["a", { capabilities: ["read", "update"] }],
      ["__proto__", { capabilities: ["read"] }],
    ]);
    expect(glob_paths).toEqual({
      "b/": { capabilities: ["list"] },
      "b/+/c": { capabilities: ["deny"] },
      "b/+/d*": { capabilities: ["deny"] },
    });
  });

  it("says root", async () => {
    expect(resultantAcl(await aclFor(["root"]), now)).toEqual({ root: true, exact_paths: {}, glob_paths: {} });
  });
});
