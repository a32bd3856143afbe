/** Every path of ACME, in the order in which a client meets them. */
import { accountPaths } from "./account.paths.ts";
import { authorizationPaths } from "./authorization.paths.ts";
import { certificatePaths } from "./certificate.paths.ts";
import { configPaths } from "./config.paths.ts";
import { directoryPaths } from "./directory.paths.ts";
import { eabPaths } from "./eab.paths.ts";
import { managementPaths } from "./management.paths.ts";
import { orderPaths } from "./order.paths.ts";

export const acmePaths = [
  ...configPaths,
  ...directoryPaths,
  ...eabPaths,
  ...accountPaths,
  ...orderPaths,
  ...authorizationPaths,
  ...certificatePaths,
  ...managementPaths,
];
