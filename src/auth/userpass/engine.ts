/** Users who log in with a name and a password. */
import { engine } from "../../api/engine.ts";
import { loginPaths, renewLogin } from "./login.paths.ts";
import { userPaths } from "./user.paths.ts";
import { type UserpassServices, userpassServices } from "./user.ts";

export const userpass = engine<UserpassServices>({
  type: "userpass",
  kind: "auth",
  summary: "Users with passwords",
  paths: [...userPaths, ...loginPaths],
  renewLogin,
  services: userpassServices,
});
