/** Identity over a plain map, with a few mounts that everybody in the tests knows. */
import { randomBytes } from "node:crypto";
import { callerOf, type EngineCaller, MapStorage } from "../../test/support/engine-caller.ts";
import { engine } from "../api/engine.ts";
import { identity } from "./engine.ts";
import type { IdentityHost, KnownMount } from "./host.ts";
import type { IdentityServices } from "./services.ts";

export const mounts: Readonly<Record<string, KnownMount>> = {
  users: { path: "auth/userpass/", type: "userpass", local: false },
  tokens: { path: "auth/jwt/", type: "jwt", local: false },
  machines: { path: "auth/approle/", type: "approle", local: true },
  foreign: { path: "auth/userpass/", type: "userpass", local: false, namespaceId: "elsewhere" },
};

export const hostOf = (namespaceId = "root", known = mounts): IdentityHost => ({
  namespaceId,
  random: { bytes: (count) => randomBytes(count) },
  mountByAccessor: async (accessor) => (Object.hasOwn(known, accessor) ? known[accessor] : undefined),
});

export function identityCaller(host = hostOf(), storage = new MapStorage()): EngineCaller {
  const { type, kind, summary, paths } = identity;
  return callerOf<IdentityServices>(
    engine({ type, kind, summary, paths, services: (mount) => identity.services(mount.storage, host) }),
    { storage },
  );
}

/** An id that belongs to nobody. */
export const nobody = "00000000-0000-4000-8000-000000000000";

/** Shorthand of tests: makes an entity and answers its id. */
export async function makeEntity(caller: EngineCaller, name: string, settings: object = {}): Promise<string> {
  return (await caller.call("write", "entity", { name, ...settings })).data.id;
}

export async function makeGroup(caller: EngineCaller, name: string, settings: object = {}): Promise<string> {
  return (await caller.call("write", "group", { name, ...settings })).data.id;
}

export async function makeAlias(caller: EngineCaller, entity: string, accessor: string, name: string): Promise<string> {
  const request = { canonical_id: entity, mount_accessor: accessor, name };
  return (await caller.call("write", "entity-alias", request)).data.id;
}
