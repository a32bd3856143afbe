/** The token store as a mount: `auth/token/`. */
import type { CoreEngine } from "../mounts/live-mounts.ts";
import { tunedLifetimes } from "../mounts/mount-entry.ts";
import { createPaths } from "./create.paths.ts";
import { lookupPaths } from "./lookup.paths.ts";
import { renewPaths } from "./renew.paths.ts";
import { revokePaths } from "./revoke.paths.ts";
import { rolePaths } from "./role.paths.ts";
import { type TokenCore, TokenServices } from "./token-services.ts";

export const tokenPaths = [...createPaths, ...lookupPaths, ...renewPaths, ...revokePaths, ...rolePaths];

export function tokenEngine(core: TokenCore): CoreEngine<TokenServices> {
  return {
    type: "token",
    kind: "auth",
    summary: "Client tokens",
    paths: tokenPaths,
    coreServices: (storage, exchange, mount) =>
      new TokenServices(core, storage, exchange, tunedLifetimes(mount, core.lifetimes)),
  };
}
