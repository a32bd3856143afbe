/** `pki sign`. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { dataForms, readData, readFileOrInput } from "../../input.ts";
import { filesDescription, outputFolderFlags, requirePem } from "./certificate-files.ts";
import { dryRunFlag } from "./issue.ts";
import { locateRole, mountFlag } from "./location.ts";
import { printIssued } from "./print-issued.ts";

export const pkiSign = clientCommand({
  summary: "Have a signing request signed, whose key stays where it is",
  description: ["CSR is a file in PEM, or - for standard input.", dataForms, filesDescription],
  parameters: "MOUNT/ROLE CSR [DATA...]",
  examples: [
    { purpose: "Print the certificate alone", line: "pki sign pki/web www.csr -field=certificate" },
    { purpose: "Write certificate and chain as files", line: "pki sign pki/web www.csr ttl=720h -out-dir=tls" },
  ],
  flags: { ...outputFlags, ...mountFlag, ...outputFolderFlags, ...dryRunFlag },
  async run({ client, print, during, positionals, terminal, flags }) {
    const { mount, role } = locateRole(positionals[0], flags.mount);
    const csr = await readFileOrInput(positionals[1]!, terminal);
    const data = await readData(positionals.slice(2), terminal);
    if (flags["out-dir"] !== undefined) requirePem(data);
    const body = { ...data, csr, ...(flags["dry-run"] && { dry_run: true }) };
    const answer = await during(`signing under ${role}`, client.post(`${mount}/sign/${role}`, body));
    return printIssued(print, answer, flags);
  },
});
