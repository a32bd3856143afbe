/** The core put together: what a request passes through, over one store and one seal. */
import type { AnyEngine, Clock, EngineSource, Log, Random, Storage } from "../api/engine.ts";
import type { Network } from "../api/network.ts";
import type { Outbound } from "../api/outbound.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { type DeclaredDevice, reconcileDevices } from "./audit/declared-devices.ts";
import { LiveDevices } from "./audit/live-devices.ts";
import { type CorsSettings, corsOff, corsRecord } from "./cors/cors-settings.ts";
import { type IdentityModule, identityEngine, identityLink } from "./identity-mount.ts";
import { Jobs } from "./jobs/jobs.ts";
import { Expiry } from "./leases/expiry.ts";
import { LeaseEnding } from "./leases/lease-ending.ts";
import { LeaseRenewal } from "./leases/lease-renewal.ts";
import { Leases } from "./leases/leases.ts";
import { MountMetrics } from "./metrics/engine-metrics.ts";
import { Metrics } from "./metrics/metrics.ts";
import { RequestMetrics } from "./metrics/request-metrics.ts";
import { LiveMounts, type Surroundings } from "./mounts/live-mounts.ts";
import { MountAdministration } from "./mounts/mount-administration.ts";
import { readMountTable } from "./mounts/mount-table.ts";
import { Mounts } from "./mounts/mounts.ts";
import { Moves } from "./mounts/moves.ts";
import { NamespaceAdministration } from "./namespaces/namespace-administration.ts";
import { NamespaceDeletion } from "./namespaces/namespace-deletion.ts";
import { scopeOf } from "./namespaces/namespace-storage.ts";
import { Access } from "./pipeline/access.ts";
import { auditRequest, auditResponse } from "./pipeline/audit.ts";
import { dispatch } from "./pipeline/dispatch.ts";
import type { Exchange } from "./pipeline/exchange.ts";
import { explainFailures } from "./pipeline/failure.ts";
import { explainPath } from "./pipeline/help.ts";
import { registerLease, requireLeaseRoom } from "./pipeline/lease.ts";
import { listenerGate } from "./pipeline/listener-gate.ts";
import { issueLogin } from "./pipeline/login.ts";
import { measure } from "./pipeline/measure.ts";
import { enterNamespace } from "./pipeline/namespace.ts";
import { inTurn, pipeline } from "./pipeline/pipeline.ts";
import { authorize, filterAnswer } from "./pipeline/policy.ts";
import { limitRate } from "./pipeline/quota.ts";
import { route } from "./pipeline/route.ts";
import { requireUnsealed, sealGate } from "./pipeline/seal-gate.ts";
import { identify } from "./pipeline/token.ts";
import { inTransaction } from "./pipeline/transaction.ts";
import { wrapAnswer } from "./pipeline/wrap.ts";
import { Policies } from "./policies/policies.ts";
import { policyExpiry } from "./policies/policy-expiry.ts";
import { LeaseRecount } from "./quotas/lease-recount.ts";
import type { RateCounter } from "./quotas/rate-limiter.ts";
import type { Companions } from "./seal/companions.ts";
import type { Seal } from "./seal/seal.ts";
import { SealControl } from "./seal/seal-control.ts";
import { Records } from "./storage/records.ts";
import type { Store } from "./storage/store.ts";
import { namespaceRecords } from "./system/first-records.ts";
import { bareNode, type ServerNode } from "./system/server-node.ts";
import { type SystemOptions, systemMount } from "./system/system-mount.ts";
import { cubbyholeCleanup } from "./tokens/cubbyhole-cleanup.ts";
import { Revocation } from "./tokens/revocation.ts";
import { tokenEngine } from "./tokens/token-engine.ts";
import { rootToken, Tokens, tokenLength } from "./tokens/tokens.ts";
import { recordVersion } from "./version/version-history.ts";
import { Wrapping } from "./wrapping/wrapping.ts";

export interface KernelParts extends SystemOptions {
  readonly store: Store;
  readonly autoSeal?: Seal | undefined;
  readonly engines: readonly (AnyEngine | EngineSource)[];
  readonly identity: IdentityModule;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly network?: Network | undefined;
  readonly isPublicAcmeDisabled?: boolean | undefined;
  readonly audit?: AuditOptions | undefined;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly cacheBytes?: number | undefined;
  readonly metrics?: Metrics | undefined;
  /** Other worker processes of this node, where there are any. */
  readonly companions?: Companions | undefined;
  /** Counts for the whole node, where it has several processes. */
  readonly newRateCounter?: (() => RateCounter) | undefined;
  /** What the core tells about the process around it. */
  readonly node?: ServerNode | undefined;
  readonly lockoutOf?: Surroundings["lockoutOf"];
  readonly defaultLeaseSeconds: number;
  readonly maxLeaseSeconds: number;
}

export interface AuditOptions {
  readonly declared: readonly DeclaredDevice[];
  /** Whether devices can be made with the API. */
  readonly allowApi: boolean;
  readonly allowPrefix: boolean;
  /** Where files of devices that were made with the API may lie. */
  readonly folders: readonly string[];
}

export interface Kernel {
  readonly seal: SealControl;
  handle(exchange: Exchange): Promise<unknown>;
  /** Explains the path instead of answering at it. */
  help(exchange: Exchange): Promise<unknown>;
  cors(): Promise<CorsSettings>;
  /** Opens the seal if it can do so by itself, and takes up what was left undone. */
  start(): Promise<void>;
  /** Ends what runs beside requests; the store stays open. */
  stop(): Promise<void>;
  readonly records: Records;
  readonly tokens: Tokens;
  readonly policies: Policies;
  readonly expiry: Expiry;
  readonly jobs: Jobs;
  readonly mounting: MountAdministration;
  readonly auditDevices: LiveDevices;
  readonly requests: RequestMetrics;
}

export function createKernel(parts: KernelParts): Kernel {
  const { store, autoSeal, companions, clock, random, log } = parts;
  const now = () => clock.now();
  const lifetimes = { defaultSeconds: parts.defaultLeaseSeconds, maxSeconds: parts.maxLeaseSeconds };
  const tokens = new Tokens(random);
  const policies = new Policies();
  const metrics = parts.metrics ?? new Metrics({ stopwatch: now });
  const requests = new RequestMetrics(metrics);
  const violations = metrics.counter("quota_violations_total", "Requests that a quota refused", ["name"]);
  const identity = identityLink(parts.identity, random);
  const access = new Access(policies, identity);
  const leases = new Leases();

  const newRootToken = (length: number) =>
    records.transaction(async (storage) => {
      const { id } = await tokens.issue(rootToken, new Date(now()), storage, tokens.newId(length));
      return id;
    });
  const rootTokens = { tokenLength, create: newRootToken };
  const onSealed = () => {
    records.wipe();
    live.stopAll();
    void expiry.stop();
    void jobs.stop();
    void auditDevices.close();
  };
  const seal = new SealControl({ store, autoSeal, companions, clock, random, rootTokens, onSealed });
  const records = new Records(store, seal.barrier, () => seal.reload(), parts.cacheBytes);
  const revocation = new Revocation(records, tokens, [cubbyholeCleanup, leases.cleanup]);

  const wrapping = new Wrapping(tokens, revocation);

  const policyExists = async (name: string, storage: Storage) =>
    (await policies.get(name, storage, new Date(now()))) !== undefined;
  const mountByUuid = async (uuid: string, storage: Storage) => {
    const entry = (await readMountTable(storage)).withUuid(uuid);
    return entry && live.of(entry, scopeOf(storage).namespace);
  };
  const tokenMount = tokenEngine({ tokens, revocation, lifetimes, policyExists, identity, mountByUuid });
  const mountMetrics = new MountMetrics(metrics);
  const live = new LiveMounts([...parts.engines, tokenMount, identityEngine(parts.identity, random)], {
    ...parts,
    mountMetrics,
  });
  const endings = metrics.counter("lease_endings_total", "Leases that were ended, failed to end, or were given up", [
    "outcome",
  ]);
  const leaseParts = { endings, pause: parts.pause, records, leases, tokens, revocation, live, log, now };
  const leaseEnding = new LeaseEnding(leaseParts);
  const leaseRenewal = new LeaseRenewal(leaseParts, lifetimes);
  const namespaces = new NamespaceAdministration({
    random,
    initialize: namespaceRecords({ tokens, policies, random }),
  });
  const deletion = new NamespaceDeletion({ records, tokens, revocation, leases, ending: leaseEnding, log, now });
  const leaseRecount = new LeaseRecount(records, tokens);
  const expiring = { leaseRecount, records, tokens, revocation, ending: leaseEnding, deletion, now };
  const expiry = new Expiry({ store, log, pause: parts.pause, ...expiring });
  const jobs = new Jobs({ store, records, live, clock, log, chores: [policyExpiry(policies)], pause: parts.pause });
  const audit = new AuditLog({ log, clock, deadline });
  metrics.runningCounters("audit_failures_total", "Entries that a device did not take", "device", audit.failures);
  const auditDevices = new LiveDevices(parts.audit?.folders ?? [], log);
  const auditParts = { audit, devices: auditDevices, records };
  const auditSettings = parts.audit ?? { allowApi: false, allowPrefix: false };
  const afterUnseal = async () => {
    await records.transaction((storage) => reconcileDevices(parts.audit?.declared ?? [], random, storage));
    await records.transaction((storage) => recordVersion(parts.version, parts.buildDate, new Date(now()), storage));
    expiry.start();
    jobs.start();
  };

  const node = parts.node ?? bareNode();
  const core = {
    ...parts,
    metrics,
    requests,
    node,
    seal,
    tokens,
    records,
    policies,
    access,
    identityLink: identity,
    lifetimes,
    live,
    afterUnseal,
  };
  const mounting = new MountAdministration(live, random);
  const administration = {
    auditDevices,
    auditSettings,
    mounting,
    moves: new Moves(random),
    namespaces,
    namespaceDeletion: deletion,
  };
  const mounts = new Mounts(
    live,
    systemMount({
      ...core,
      ...administration,
      leases,
      leaseEnding,
      leaseRenewal,
      leaseRecount,
      expiry,
      revocation,
      wrapping,
    }),
  );

  const loginRole = async (exchange: Exchange) => {
    const storage = exchange.storage!;
    const { path, body } = exchange.request;
    const entry = (await readMountTable(storage)).owning(path);
    const mount = entry && (await live.of(entry, exchange.namespace));
    if (!mount || "coreServices" in mount.engine || !path.startsWith(`${mount.path}login`)) return undefined;
    return mount.engine.loginRole?.(body, mount.services(storage, exchange));
  };
  const known = [
    inTransaction(records),
    enterNamespace,
    limitRate(violations, loginRole, parts.newRateCounter),
    route(mounts),
    identify({ tokens, records, revocation }),
  ];
  const handle = pipeline([
    measure(requests, metrics.stopwatch),
    explainFailures,
    listenerGate(mounts),
    sealGate(mounts, () => seal.barrier.isSealed),
    auditResponse(auditParts),
    ...known,
    authorize(access),
    auditRequest(auditParts),
    requireLeaseRoom,
    inTurn(
      filterAnswer,
      registerLease({ leases, records, random, lifetimes }),
      issueLogin({ tokens, identity, records, lifetimes }),
      wrapAnswer(wrapping, records),
    ),
    dispatch(records),
  ]);
  const help = pipeline([explainFailures, requireUnsealed(seal), ...known, explainPath(parts.version)]);
  const cors = async () =>
    seal.barrier.isSealed ? corsOff : ((await records.transaction((storage) => corsRecord(storage).get())) ?? corsOff);
  const start = async () => {
    if (await seal.openAutomatically()) await afterUnseal();
  };
  return {
    seal,
    handle,
    help,
    cors,
    start,
    stop: async () => void (await Promise.all([expiry.stop(), jobs.stop()])),
    records,
    tokens,
    policies,
    expiry,
    jobs,
    mounting,
    auditDevices,
    requests,
  };
}

function deadline(milliseconds: number) {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("it did not answer in time")), milliseconds);
  promise.catch(() => {});
  return { promise, clear: () => clearTimeout(timer) };
}
