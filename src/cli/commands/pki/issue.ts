/** `pki issue`. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { switchFlag } from "../../flags.ts";
import { dataForms, readData } from "../../input.ts";
import { filesDescription, outputFolderFlags, requirePem } from "./certificate-files.ts";
import { locateRole, mountFlag } from "./location.ts";
import { printIssued } from "./print-issued.ts";

export const dryRunFlag = { "dry-run": switchFlag("Only show what would be issued, or why nothing would") };

export const pkiIssue = clientCommand({
  summary: "Have a key made, and a certificate for it",
  description: [dataForms, filesDescription],
  parameters: "MOUNT/ROLE [DATA...]",
  examples: [
    {
      purpose: "Key, certificate and chain as files",
      line: "pki issue pki/web common_name=www.example.com -out-dir=tls",
    },
    { purpose: "Ask first", line: "pki issue pki/web common_name=www.example.com ttl=2160h -dry-run" },
  ],
  flags: { ...outputFlags, ...mountFlag, ...outputFolderFlags, ...dryRunFlag },
  async run({ client, print, during, positionals, terminal, flags }) {
    const { mount, role } = locateRole(positionals[0], flags.mount);
    const data = await readData(positionals.slice(1), terminal);
    if (flags["out-dir"] !== undefined) requirePem(data);
    const body = flags["dry-run"] ? { ...data, dry_run: true } : data;
    const answer = await during(`issuing under ${role}`, client.post(`${mount}/issue/${role}`, body));
    return printIssued(print, answer, flags);
  },
});
