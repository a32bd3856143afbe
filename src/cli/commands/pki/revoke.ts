/** `pki revoke`. */
import { pemBlocksOf, pemText } from "../../../lib/x509/pem.ts";
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { UsageError } from "../../failure.ts";
import { textFlag } from "../../flags.ts";
import { readFileOrInput } from "../../input.ts";
import { cleanPath } from "../../path.ts";
import type { Terminal } from "../../terminal.ts";
import { mountFlag } from "./location.ts";

export const pkiRevoke = clientCommand({
  summary: "Revoke a certificate",
  description: [
    "The certificate is named by its serial number, or is the first one in a PEM file; - stands for standard input.",
    "Reasons are those of RFC 5280: unspecified, keyCompromise, affiliationChanged, superseded, cessationOfOperation, " +
      "privilegeWithdrawn.",
  ],
  parameters: "SERIAL|FILE",
  examples: [
    { purpose: "By its serial number", line: "pki revoke 39:dd:2e:90:b7:23:1f:8d" },
    { purpose: "By its file", line: "pki revoke tls/www.example.com.pem -reason=keyCompromise" },
  ],
  flags: { ...outputFlags, ...mountFlag, reason: textFlag("Why: keyCompromise, superseded, and so on") },
  async run({ client, print, during, positionals, terminal, flags }) {
    const body = { ...(await target(positionals[0]!, terminal)), ...(flags.reason && { reason: flags.reason }) };
    const path = `${cleanPath(flags.mount)}/revoke`;
    const answer = await during("revoking the certificate", client.post(path, body));
    return answer.isEmpty ? print.done("Success! The certificate was revoked.") : print.secret(answer);
  },
});

/** Octets with or without something between, as servers, browsers and openssl print them. */
const serialNumber = /^[0-9a-f]{2}(?:[:-]?[0-9a-f]{2})*$/i;

async function target(typed: string, terminal: Terminal): Promise<object> {
  if (serialNumber.test(typed)) {
    return { serial_number: typed.replace(/[:-]/g, "").toLowerCase().match(/../g)!.join(":") };
  }
  const [certificate] = pemBlocksOf(await readFileOrInput(typed, terminal), "CERTIFICATE");
  if (!certificate) throw new UsageError("the file holds no certificate in PEM");
  return { certificate: pemText("CERTIFICATE", certificate) };
}
