/** `sys/` as a mount: in no table, so that it answers while sealed, and over the whole store. */
import type { Path } from "../../api/path.ts";
import { Router } from "../../api/router.ts";
import type { CoreEngine, LiveMount } from "../mounts/live-mounts.ts";
import { auditPaths } from "./audit.paths.ts";
import { capabilityPaths } from "./capabilities.paths.ts";
import { corsPaths } from "./cors.paths.ts";
import { generateRootPaths, unauthenticatedGenerateRootPaths } from "./generate-root.paths.ts";
import { healthPaths } from "./health.paths.ts";
import { initPaths } from "./init.paths.ts";
import { interfaceMountPaths } from "./interface-mounts.paths.ts";
import { leasePaths } from "./leases.paths.ts";
import { mountPaths } from "./mounts.paths.ts";
import { openApiPaths } from "./openapi.paths.ts";
import { policyPaths } from "./policies.paths.ts";
import { rekeyingPaths, unauthenticatedRekeyPaths } from "./rekey.paths.ts";
import { rotatePaths } from "./rotate.paths.ts";
import { sealPaths } from "./seal.paths.ts";
import type { SystemCore, SystemServices } from "./system-core.ts";
import { systemEntry } from "./system-entry.ts";
import { toolsPaths } from "./tools.paths.ts";
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
  const engine: CoreEngine<SystemServices> = {
    type: "system",
    kind: "secrets",
    summary: "The server itself",
    paths,
    coreServices: (storage, exchange) => ({ ...core, systemPaths: paths, storage, exchange }),
  };
  return {
    entry: systemEntry,
    path: systemEntry.path,
    engine,
    router: new Router<unknown>(engine.paths),
    services: (transaction, exchange) => engine.coreServices(transaction, exchange, systemEntry),
  };
}
