/** `pki health-check`. */
import { Refusal } from "../../../client/failure.ts";
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { exitCodes, UsageError } from "../../failure.ts";
import { choiceFlag, switchFlag } from "../../flags.ts";
import { cleanPath } from "../../path.ts";
import { Authority } from "./health/authority.ts";
import { type Check, type Finding, found, type Severity, severities } from "./health/finding.ts";
import { issuerChecks } from "./health/issuer-checks.ts";
import { mountChecks } from "./health/mount-checks.ts";

const checks: readonly Check<Authority>[] = [...issuerChecks, ...mountChecks];

/** The mildest status that the exit code tells; missing rights are always told. */
const indicators: Readonly<Record<string, Severity>> = {
  default: "informational",
  informational: "informational",
  warning: "warning",
  critical: "critical",
  permission: "insufficient_permissions",
};

export const pkiHealthCheck = clientCommand({
  summary: "Look for what is about to fail in a certificate authority, or could be better",
  description: [
    "The exit code is that of the worst finding: 0 all is well, 1 the command line is wrong, 2 informational, 3 warning, " +
      "4 critical, 6 something may not be read with this token.",
  ],
  parameters: "[MOUNT]",
  examples: [
    { purpose: "Check a mount", line: "pki health-check pki" },
    { purpose: "For a job that alarms: fail from warnings on", line: "pki health-check -return-indicator=warning pki" },
    { purpose: "See what is checked", line: "pki health-check -list" },
  ],
  flags: {
    ...formatFlag,
    list: switchFlag("List the checks, and run none"),
    "return-indicator": choiceFlag(
      ["default", "informational", "warning", "critical", "permission"],
      "The mildest finding that makes the exit code other than 0",
      { default: "default" },
    ),
  },
  async run({ client, print, during, positionals, flags }) {
    if (flags.list) return printChecks(print.table.bind(print));
    if (positionals[0] === undefined) throw new UsageError("not enough arguments: expected MOUNT, got 0");
    const authority = new Authority(client, cleanPath(positionals[0]), Date.now());
    const results = new Map<string, Finding[]>();
    for (const check of checks) {
      // Not the usual code for a refusal, which would read as a finding here.
      const findings = await during(`checking ${check.name}`, judged(check, authority), exitCodes.local);
      results.set(check.name, findings);
    }
    const rows = [...results].flatMap(([name, findings]) =>
      findings.map(({ status, endpoint, message }) => [name, status, endpoint, message]),
    );
    print.table(["Check", "Status", "Endpoint", "Message"], rows, Object.fromEntries(results));
    return exitCode([...results.values()].flat(), indicators[flags["return-indicator"]]!);
  },
});

function printChecks(table: (heading: string[], rows: string[][], machine: unknown) => number): number {
  const rows = checks.map(({ name, expects }) => [name, expects]);
  return table(["Check", "What is well"], rows, Object.fromEntries(rows));
}

/** What may not be read is a finding, and the other checks go on. */
async function judged(check: Check<Authority>, authority: Authority): Promise<Finding[]> {
  try {
    const findings = await check.run(authority);
    return findings.length > 0 ? findings : [found("ok", authority.mount, sentence(check.expects))];
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 403) throw error;
    const endpoint = new URL(error.request.url).pathname.replace("/v1/", "");
    return [found("insufficient_permissions", endpoint, "The token may not read this.")];
  }
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

function exitCode(findings: readonly Finding[], mildest: Severity): number {
  const worst = Math.max(...findings.map(({ status }) => severities[status]));
  return worst >= severities[mildest] ? worst : severities.ok;
}
