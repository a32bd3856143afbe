/** Identity as a mount of the core, and as the core's own source of who a caller is. */
import type { Random, Storage } from "../api/engine.ts";
import type { PageRequest } from "../api/list-fields.ts";
import type { Path } from "../api/path.ts";
import type { IdentityGrant, IdentityLink } from "./identity-link.ts";
import { mountElsewhere } from "./mounts/accessor-index.ts";
import { type CoreEngine, storagePrefix } from "./mounts/live-mounts.ts";
import { readMountTable } from "./mounts/mount-table.ts";
import { scopeOf } from "./namespaces/namespace-storage.ts";
import type { IdentityView } from "./policies/templating.ts";
import { StorageView } from "./storage/view.ts";

/** What identity offers; handed in by the composition root, since the core imports nothing that is mounted. */
export interface IdentityModule {
  readonly type: "identity";
  readonly kind: "secrets";
  readonly summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: the core does not know what identity's handlers work with.
  readonly paths: readonly Path<any>[];
  services(storage: Storage, host: IdentitySurroundings): unknown;
  loginAlias(
    login: {
      mountAccessor: string;
      aliasName: string;
      metadata: Readonly<Record<string, string>>;
      groupAliases?: readonly string[] | undefined;
    },
    storage: Storage,
    host: IdentitySurroundings,
    now: Date,
  ): Promise<{ entityId: string; disabled: boolean }>;
  refreshGroups(
    entityId: string,
    groups: { mountAccessor: string; groupAliases?: readonly string[] | undefined },
    storage: Storage,
  ): Promise<void>;
  entityIds(storage: Storage, page: PageRequest): Promise<string[]>;
  effective(
    entityId: string,
    storage: Storage,
  ): Promise<
    { entity: { readonly disabled: boolean }; policies: readonly string[]; view(now: Date): IdentityView } | undefined
  >;
}

interface IdentitySurroundings {
  readonly random: Random;
  readonly namespaceId: string;
  mountByAccessor(
    accessor: string,
  ): Promise<{ path: string; type: string; local: boolean; namespaceId?: string } | undefined>;
}

export function identityEngine(module: IdentityModule, random: Random): CoreEngine {
  const { type, kind, summary, paths } = module;
  return {
    type,
    kind,
    summary,
    paths,
    coreServices: (storage, _exchange, mount) =>
      module.services(new StorageView(storage, storagePrefix(mount)), surroundings(storage, random)),
  };
}

export function identityLink(module: IdentityModule, random: Random): IdentityLink {
  return {
    async login({ mountAccessor, name, metadata, groupAliases }, storage, now) {
      const login = { mountAccessor, aliasName: name, metadata, groupAliases };
      const view = await identityStorage(storage);
      const { entityId, disabled } = await module.loginAlias(login, view, surroundings(storage, random), now);
      return disabled ? undefined : entityId;
    },
    async refreshGroups(entityId, groups, storage) {
      await module.refreshGroups(entityId, groups, await identityStorage(storage));
    },
    entityIds: async (storage, page) => module.entityIds(await identityStorage(storage), page),
    async of(entityId, storage, now): Promise<IdentityGrant> {
      const found = await module.effective(entityId, await identityStorage(storage));
      if (!found || found.entity.disabled) return { isActive: false, policies: [], view: nobody(now) };
      return { isActive: true, policies: found.policies, view: found.view(now) };
    },
  };
}

export const nobody = (now: Date): IdentityView => ({ groups: { ids: {}, names: {} }, now });

const surroundings = (storage: Storage, random: Random): IdentitySurroundings => ({
  random,
  namespaceId: scopeOf(storage).namespace.id,
  async mountByAccessor(accessor) {
    const own = (await readMountTable(storage)).entries.find((entry) => entry.accessor === accessor);
    if (own) return own;
    const elsewhere = await mountElsewhere(accessor, storage);
    return elsewhere && { path: "", type: "", local: false, ...elsewhere };
  },
});

async function identityStorage(storage: Storage): Promise<Storage> {
  const mount = (await readMountTable(storage)).entries.find(({ type }) => type === "identity");
  if (!mount) throw new Error("the mount table has no identity");
  return new StorageView(storage, storagePrefix(mount));
}
