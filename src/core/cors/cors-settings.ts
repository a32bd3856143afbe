/** Which web pages may call the API from a browser; off until somebody says so. */
import { Single } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";

export interface CorsSettings {
  readonly enabled: boolean;
  /** Exact origins, or `*` alone for every origin. */
  readonly allowed_origins: readonly string[];
  /** Beside the standard ones. */
  readonly allowed_headers: readonly string[];
  readonly allow_credentials: boolean;
}

export const corsOff: CorsSettings = {
  enabled: false,
  allowed_origins: [],
  allowed_headers: [],
  allow_credentials: false,
};

export const corsRecord = (storage: Storage) => new Single<CorsSettings>(storage, "core/cors");
