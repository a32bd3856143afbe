/** Every engine that this server can mount. A new one is one import and one word here. */
import type { AnyEngine } from "./api/engine.ts";
import { cubbyhole } from "./engines/cubbyhole/engine.ts";
import { unversionedKv, versionedKv } from "./engines/kv/engine.ts";

export const engines: readonly AnyEngine[] = [cubbyhole, unversionedKv, versionedKv];
