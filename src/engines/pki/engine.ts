/** A certificate authority: issuers, roles, certificates, and their revocation. */
import { engine } from "../../api/engine.ts";
import { acmeJobs } from "./acme/jobs.ts";
import { acmePaths } from "./acme/paths.ts";
import { celIssuePaths } from "./cel-issue.paths.ts";
import { celRolePaths } from "./cel-role.paths.ts";
import { certsPaths } from "./certs.paths.ts";
import { configPaths } from "./config.paths.ts";
import { crlPaths } from "./crl.paths.ts";
import { fetchPaths } from "./fetch.paths.ts";
import { intermediatePaths } from "./intermediate.paths.ts";
import { countJob } from "./inventory-metrics.ts";
import { issuePaths } from "./issue.paths.ts";
import { issuerPaths } from "./issuer.paths.ts";
import { crlJob, tidyJob } from "./jobs.ts";
import { keyPaths } from "./key.paths.ts";
import { ocspPaths } from "./ocsp.paths.ts";
import { revokePaths } from "./revoke.paths.ts";
import { revokeSerial } from "./revoke.ts";
import { rolePaths } from "./role.paths.ts";
import { rootPaths } from "./root.paths.ts";
import { type PkiServices, type PkiState, pkiServices, pkiState } from "./services.ts";
import { signIntermediatePaths } from "./sign-intermediate.paths.ts";
import { signVerbatimPaths } from "./sign-verbatim.paths.ts";
import { signedListPaths } from "./signed-list.paths.ts";
import { tidyPaths } from "./tidy.paths.ts";

export const pki = engine<PkiServices, PkiState>({
  type: "pki",
  kind: "secrets",
  summary: "Certificate authority",
  paths: [
    ...rootPaths,
    ...intermediatePaths,
    ...issuerPaths,
    ...keyPaths,
    ...configPaths,
    ...rolePaths,
    ...issuePaths,
    ...signVerbatimPaths,
    ...signIntermediatePaths,
    ...celRolePaths,
    ...celIssuePaths,
    ...revokePaths,
    ...certsPaths,
    ...fetchPaths,
    ...crlPaths,
    ...ocspPaths,
    ...signedListPaths,
    ...tidyPaths,
    ...acmePaths,
  ],
  leases: {
    pki: {
      async revoke({ serial_number }, services) {
        const serial = String(serial_number);
        if (!(await services.certificates.get(serial))) return;
        await revokeSerial(services, serial, 0, new Date(services.clock.now()));
      },
    },
  },
  jobs: [crlJob, tidyJob, countJob, ...acmeJobs],
  start: pkiState,
  async stop({ keyPool, tidying }) {
    keyPool.stop();
    await tidying.stop();
  },
  services: pkiServices,
});
