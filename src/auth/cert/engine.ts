/** Clients that log in with the certificate of their TLS connection. */
import { engine } from "../../api/engine.ts";
import { configPaths } from "./config.paths.ts";
import { crlPaths } from "./crl.paths.ts";
import { entryPaths } from "./entry.paths.ts";
import { loginPaths, renewLogin } from "./login.paths.ts";
import { type CertServices, certServices } from "./services.ts";

export const cert = engine<CertServices>({
  type: "cert",
  kind: "auth",
  summary: "Clients with TLS certificates",
  paths: [...entryPaths, ...crlPaths, ...configPaths, ...loginPaths],
  renewLogin,
  services: certServices,
});
