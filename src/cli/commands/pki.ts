/** `pki …`: certificates, from the command line. */
import type { CommandGroup } from "../command.ts";
import { pkiAcme } from "./pki/acme.ts";
import { pkiCerts } from "./pki/certs.ts";
import { pkiHealthCheck } from "./pki/health-check.ts";
import { pkiIssue } from "./pki/issue.ts";
import { pkiRevoke } from "./pki/revoke.ts";
import { pkiSign } from "./pki/sign.ts";

export const command: CommandGroup = {
  summary: "Issue, find and revoke certificates",
  commands: {
    issue: pkiIssue,
    sign: pkiSign,
    revoke: pkiRevoke,
    certs: pkiCerts,
    "health-check": pkiHealthCheck,
    acme: pkiAcme,
  },
};
