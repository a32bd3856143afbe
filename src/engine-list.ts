/** Every engine that this server can mount. A new one is one import and one word here. */
import type { AnyEngine } from "./api/engine.ts";
import { approle } from "./auth/approle/engine.ts";
import { cert } from "./auth/cert/engine.ts";
import { jwt, oidc } from "./auth/jwt/engine.ts";
import { userpass } from "./auth/userpass/engine.ts";
import { cubbyhole } from "./engines/cubbyhole/engine.ts";
import { database } from "./engines/database/engine.ts";
import { unversionedKv, versionedKv } from "./engines/kv/engine.ts";
import { pki } from "./engines/pki/engine.ts";

export const engines: readonly AnyEngine[] = [
  cubbyhole,
  database,
  unversionedKv,
  versionedKv,
  pki,
  approle,
  cert,
  jwt,
  oidc,
  userpass,
];
