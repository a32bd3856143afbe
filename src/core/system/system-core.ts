/** The parts of the core that `sys/` is made of. */
import type { AnyEngine, EngineSource, Log, Random, Storage } from "../../api/engine.ts";
import type { Path } from "../../api/path.ts";
import type { LiveDevices } from "../audit/live-devices.ts";
import type { IdentityLink } from "../identity-link.ts";
import type { Expiry } from "../leases/expiry.ts";
import type { LeaseEnding } from "../leases/lease-ending.ts";
import type { LeaseRenewal } from "../leases/lease-renewal.ts";
import type { Leases } from "../leases/leases.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestMetrics } from "../metrics/request-metrics.ts";
import type { LiveMounts } from "../mounts/live-mounts.ts";
import type { MountAdministration } from "../mounts/mount-administration.ts";
import type { MountLifetimes } from "../mounts/mount-entry.ts";
import type { Moves } from "../mounts/moves.ts";
import type { NamespaceAdministration } from "../namespaces/namespace-administration.ts";
import type { NamespaceDeletion } from "../namespaces/namespace-deletion.ts";
import type { Access } from "../pipeline/access.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { AccessOperation } from "../policies/capability.ts";
import type { Policies } from "../policies/policies.ts";
import type { LeaseRecount } from "../quotas/lease-recount.ts";
import type { SealControl } from "../seal/seal-control.ts";
import type { Records } from "../storage/records.ts";
import type { Revocation } from "../tokens/revocation.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { Wrapping } from "../wrapping/wrapping.ts";
import type { ServerNode } from "./server-node.ts";

export interface SystemCore {
  readonly seal: SealControl;
  readonly tokens: Tokens;
  readonly records: Records;
  readonly mounting: MountAdministration;
  readonly moves: Moves;
  readonly live: LiveMounts;
  readonly revocation: Revocation;
  readonly wrapping: Wrapping;
  readonly leases: Leases;
  readonly leaseEnding: LeaseEnding;
  readonly leaseRecount: LeaseRecount;
  readonly leaseRenewal: LeaseRenewal;
  readonly expiry: Expiry;
  readonly policies: Policies;
  readonly access: Access;
  readonly identityLink: IdentityLink;
  readonly auditDevices: LiveDevices;
  readonly auditSettings: { readonly allowApi: boolean; readonly allowPrefix: boolean };
  readonly lifetimes: MountLifetimes;
  readonly engines: readonly (AnyEngine | EngineSource)[];
  readonly metrics: Metrics;
  readonly requests: RequestMetrics;
  readonly namespaces: NamespaceAdministration;
  readonly namespaceDeletion: NamespaceDeletion;
  readonly node: ServerNode;
  readonly random: Random;
  readonly log: Log;
  readonly version: string;
  readonly buildDate: string;
  readonly clusterName: string;
  /** Called when keys have become available, to take up what was left undone. */
  readonly afterUnseal: () => Promise<void>;
}

/** What handlers under `sys/` work with. Paths that answer while sealed get no storage. */
export interface SystemServices extends SystemCore {
  /** Whether the declared path asks for sudo besides the capability. */
  needsSudo(path: string, operation: AccessOperation): Promise<boolean>;
  readonly systemPaths: readonly Path<SystemServices>[];
  /** The records of the request's namespace. */
  readonly storage: Storage;
  readonly exchange: Exchange;
}
