/** `sys/` as a mount: in no table, so that it answers while sealed, and over the whole store. */
import type { Storage } from "../../api/engine.ts";
import type { OperationName, Path } from "../../api/path.ts";
import { Router } from "../../api/router.ts";
import type { CoreEngine, LiveMount, LiveMounts } from "../mounts/live-mounts.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import type { AccessOperation } from "../policies/capability.ts";
import { auditPaths } from "./audit.paths.ts";
import { capabilityPaths } from "./capabilities.paths.ts";
import { corsPaths } from "./cors.paths.ts";
import { counterPaths } from "./counters.paths.ts";
import { generateRootPaths, unauthenticatedGenerateRootPaths } from "./generate-root.paths.ts";
import { haStatusPaths } from "./ha-status.paths.ts";
import { healthPaths } from "./health.paths.ts";
import { hostPaths } from "./host.paths.ts";
import { inFlightPaths } from "./in-flight.paths.ts";
import { initPaths } from "./init.paths.ts";
import { interfaceMountPaths } from "./interface-mounts.paths.ts";
import { leasePaths } from "./leases.paths.ts";
import { lockedUserPaths } from "./locked-users.paths.ts";
import { loggersPaths } from "./loggers.paths.ts";
import { metricsPaths } from "./metrics.paths.ts";
import { mountPaths } from "./mounts.paths.ts";
import { namespacePaths } from "./namespaces.paths.ts";
import { openApiPaths } from "./openapi.paths.ts";
import { passwordPolicyPaths } from "./password-policies.paths.ts";
import { pluginPaths } from "./plugins.paths.ts";
import { policyPaths } from "./policies.paths.ts";
import { quotaPaths } from "./quotas.paths.ts";
import { rekeyingPaths, unauthenticatedRekeyPaths } from "./rekey.paths.ts";
import { rotatePaths } from "./rotate.paths.ts";
import { sanitizedPaths } from "./sanitized.paths.ts";
import { sealPaths } from "./seal.paths.ts";
import type { SystemCore, SystemServices } from "./system-core.ts";
import { systemEntry } from "./system-entry.ts";
import { toolsPaths } from "./tools.paths.ts";
import { interfaceHeaderPaths } from "./ui-headers.paths.ts";
import { versionHistoryPaths } from "./version-history.paths.ts";
import { wrappingPaths } from "./wrapping.paths.ts";

export interface SystemOptions {
  readonly version: string;
  readonly buildDate: string;
  readonly clusterName: string;
  /** Forms of two operations that need no token, for operators who lost theirs. */
  readonly unauthenticatedRekey: boolean;
  readonly unauthenticatedGenerateRoot: boolean;
}

export function systemPaths(options: Pick<SystemOptions, "unauthenticatedRekey" | "unauthenticatedGenerateRoot">) {
  const paths: Path<SystemServices>[] = [
    ...initPaths,
    ...sealPaths,
    ...healthPaths,
    ...rotatePaths,
    ...mountPaths,
    ...policyPaths,
    ...capabilityPaths,
    ...interfaceMountPaths,
    ...openApiPaths,
    ...corsPaths,
    ...leasePaths,
    ...toolsPaths,
    ...counterPaths,
    ...haStatusPaths,
    ...hostPaths,
    ...inFlightPaths,
    ...interfaceHeaderPaths,
    ...loggersPaths,
    ...lockedUserPaths,
    ...metricsPaths,
    ...namespacePaths,
    ...passwordPolicyPaths,
    ...pluginPaths,
    ...quotaPaths,
    ...sanitizedPaths,
    ...versionHistoryPaths,
    ...wrappingPaths,
    ...auditPaths,
    ...rekeyingPaths,
    ...generateRootPaths,
  ];
  if (options.unauthenticatedRekey) paths.push(...unauthenticatedRekeyPaths);
  if (options.unauthenticatedGenerateRoot) paths.push(...unauthenticatedGenerateRootPaths);
  return paths;
}

export function systemMount(core: SystemCore & SystemOptions): LiveMount {
  const paths = systemPaths(core);
  const router = new Router<unknown>(paths);
  const shared = { ...core, systemPaths: paths };
  const engine: CoreEngine<SystemServices> = {
    type: "system",
    kind: "secrets",
    summary: "The server itself",
    paths,
    // What all requests share is inherited: copying some thirty parts for each would cost more than most handlers.
    coreServices: (storage, exchange) =>
      ({
        __proto__: shared,
        storage,
        exchange,
        needsSudo: (path: string, operation: AccessOperation) => needsSudo(path, operation, storage, router, core.live),
      }) as unknown as SystemServices,
  };
  return {
    entry: systemEntry,
    path: systemEntry.path,
    engine,
    router,
    services: (storage, exchange) => engine.coreServices(storage, exchange, systemEntry),
  };
}

/** Asks the declaration of the path, whoever serves it. */
async function needsSudo(
  path: string,
  operation: AccessOperation,
  storage: Storage,
  system: Router<unknown>,
  live: LiveMounts,
): Promise<boolean> {
  const name: OperationName = operation === "create" || operation === "update" ? "write" : operation;
  const isSystem = path.startsWith(systemEntry.path);
  const entry = isSystem ? systemEntry : (await readMountTable(storage)).owning(path);
  if (!entry) return false;
  const router = isSystem ? system : (await live.of(entry, scopeOf(storage).namespace)).router;
  const inside = path.slice(entry.path.length).replace(/\/$/, "");
  return router.match(inside)?.route.operations[name]?.operation.sudo === true;
}
