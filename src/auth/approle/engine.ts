/** Machines that log in as a role, with the id of the role and a secret id. */
import { engine } from "../../api/engine.ts";
import { loginPaths, renewLogin } from "./login.paths.ts";
import { rolePaths } from "./role.paths.ts";
import { roleSettingPaths } from "./role-setting.paths.ts";
import { secretIdPaths } from "./secret-id.paths.ts";
import { type ApproleServices, approleServices } from "./services.ts";
import { tidyPaths } from "./tidy.paths.ts";
import { Tidying, tidyJob } from "./tidy.ts";

export const approle = engine<ApproleServices, Tidying>({
  type: "approle",
  kind: "auth",
  summary: "Machines with roles",
  paths: [...rolePaths, ...roleSettingPaths, ...secretIdPaths, ...tidyPaths, ...loginPaths],
  jobs: [tidyJob],
  renewLogin,
  loginRole: async ({ role_id }, { roles }) =>
    typeof role_id === "string" ? (await roles.withRoleId(role_id.trim()))?.name : undefined,
  start: ({ log }) => new Tidying(log),
  stop: (tidying) => tidying.stop(),
  services: approleServices,
});
