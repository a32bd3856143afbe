/** What the handlers of this method work with. */
import type { Host, Mount } from "../../api/engine.ts";
import { CelRoles } from "./cel-role.ts";
import { Configs } from "./config.ts";
import { Flows } from "./oidc/flow.ts";
import { Roles } from "./role.ts";
import type { Validations } from "./validation.ts";

export interface JwtServices {
  readonly configs: Configs;
  readonly roles: Roles;
  readonly celRoles: CelRoles;
  readonly flows: Flows;
  readonly validations: Validations;
  readonly host: Host;
}

export const jwtServices = ({ storage, host, state }: Mount<Validations>): JwtServices => ({
  configs: new Configs(storage),
  roles: new Roles(storage),
  celRoles: new CelRoles(storage),
  flows: new Flows(storage),
  validations: state,
  host,
});
