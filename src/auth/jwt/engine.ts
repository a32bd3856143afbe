/** Whoever holds a signed token of an issuer, and people who log in through a provider's pages. */
import { type Engine, engine } from "../../api/engine.ts";
import { celLoginPaths } from "./cel-login.paths.ts";
import { celRolePaths } from "./cel-role.paths.ts";
import { configPaths } from "./config.paths.ts";
import { loginPaths, renewLogin } from "./login.paths.ts";
import { oidcPaths } from "./oidc/oidc.paths.ts";
import { tidyJob } from "./oidc/tidy.ts";
import { rolePaths } from "./role.paths.ts";
import { type JwtServices, jwtServices } from "./services.ts";
import { Validations } from "./validation.ts";

const declaration: Omit<Engine<JwtServices, Validations>, "type" | "summary"> = {
  kind: "auth",
  paths: [...configPaths, ...rolePaths, ...loginPaths, ...oidcPaths, ...celRolePaths, ...celLoginPaths],
  jobs: [tidyJob],
  renewLogin,
  start: (host) => new Validations(host),
  services: jwtServices,
};

export const jwt = engine({ ...declaration, type: "jwt", summary: "Holders of signed tokens" });
/** The same under the other name that people mount it by. */
export const oidc = engine({ ...declaration, type: "oidc", summary: "People who log in through an OIDC provider" });
