/** Arbitrary secrets under names: an engine that keeps the latest data, and one that keeps versions of it. */
import { engine } from "../../api/engine.ts";
import { type UnversionedServices, unversionedPaths } from "./unversioned.paths.ts";
import { configPath } from "./versioned/config.paths.ts";
import { dataPath } from "./versioned/data.paths.ts";
import { metadataPath } from "./versioned/metadata.paths.ts";
import { listPaths } from "./versioned/metadata-list.paths.ts";
import { type VersionedServices, versionedServices } from "./versioned/services.ts";
import { subkeysPath } from "./versioned/subkeys.paths.ts";
import { versionPaths } from "./versioned/version.paths.ts";
import { wrongPaths } from "./versioned/wrong-path.paths.ts";

/** For a mount of type `kv` whose option `version` is 1 or not set. */
export const unversionedKv = engine<UnversionedServices>({
  type: "kv-v1",
  kind: "secrets",
  summary: "Secrets under names",
  paths: unversionedPaths,
  services: ({ storage, host }) => ({ storage, defaultLeaseSeconds: host.mount.defaultLeaseSeconds }),
});

/** For a mount of type `kv` whose option `version` is 2. It also serves what was written while the option was 1. */
export const versionedKv = engine<VersionedServices>({
  type: "kv-v2",
  kind: "secrets",
  summary: "Secrets under names, with their versions",
  paths: [configPath, dataPath, ...versionPaths, metadataPath, ...listPaths, subkeysPath, ...wrongPaths],
  services: ({ storage }) => versionedServices(storage),
});
