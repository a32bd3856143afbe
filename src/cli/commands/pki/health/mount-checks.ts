/** Checks of roles, and of how a mount is kept tidy. */
import { humanDuration } from "../../../output/cell.ts";
import type { Authority, RoleView } from "./authority.ts";
import { type Check, type Finding, found, type Severity } from "./finding.ts";

const daySeconds = 86_400;
/** What public authorities may give, which browsers hold all others to as well. */
const longestLeaf = 398 * daySeconds;
const longUnstored = 7 * daySeconds;

type RoleFault = (settings: RoleView["settings"]) => string | undefined;

/** A check that looks at one role after the other. */
const roleCheck = (name: string, expects: string, severity: Severity, fault: RoleFault): Check<Authority> => ({
  name,
  expects,
  async run(authority) {
    return (await authority.roles()).flatMap(({ name: role, settings, endpoint }): Finding[] => {
      const message = fault(settings);
      return message === undefined ? [] : [found(severity, endpoint, `The role ${role} ${message}.`)];
    });
  },
});

const longestLifetime = ({ ttl, max_ttl }: RoleView["settings"]): number => Math.max(Number(ttl), Number(max_ttl));

const roleChecks = [
  roleCheck("role_allows_any_name", "roles are bound to domains", "warning", ({ allow_any_name }) =>
    allow_any_name === true ? "gives certificates for any name: set allowed_domains" : undefined,
  ),
  roleCheck("role_allows_glob_wildcards", "globs and wildcards do not meet in a role", "warning", (role) =>
    role["allow_glob_domains"] === true && role["allow_wildcard_certificates"] === true
      ? "allows both globs and wildcard certificates, so that * covers more than it seems"
      : undefined,
  ),
  roleCheck("role_allows_localhost", "no role gives certificates for localhost", "informational", (role) =>
    role["allow_localhost"] === true ? "allows localhost: set allow_localhost=false unless it is needed" : undefined,
  ),
  roleCheck("role_long_lifetime", "leaves live no longer than 398 days", "warning", (role) =>
    longestLifetime(role) > longestLeaf
      ? `allows lifetimes of ${humanDuration(longestLifetime(role))}, which browsers refuse`
      : undefined,
  ),
  roleCheck("role_no_store", "what is not stored does not live long", "warning", (role) =>
    role["no_store"] === true && (longestLifetime(role) === 0 || longestLifetime(role) > longUnstored)
      ? "stores nothing, and lets certificates live for more than a week: they can be revoked only by who has them"
      : undefined,
  ),
];

const enableAutoTidy: Check<Authority> = {
  name: "enable_auto_tidy",
  expects: "expired certificates are removed without anybody's doing",
  async run(authority) {
    const endpoint = authority.path("config/auto-tidy");
    const { enabled, tidy_cert_store, tidy_revoked_certs } = await authority.read("config/auto-tidy");
    if (enabled !== true) return [found("informational", endpoint, "Tidying does not run by itself.")];
    const idle = [
      ...(tidy_cert_store === true ? [] : ["tidy_cert_store"]),
      ...(tidy_revoked_certs === true ? [] : ["tidy_revoked_certs"]),
    ];
    if (idle.length === 0) return [];
    return [found("informational", endpoint, `Tidying runs by itself, but without ${idle.join(" and ")}.`)];
  },
};

const lateTidy = 7 * daySeconds * 1000;

const tidyLastRun: Check<Authority> = {
  name: "tidy_last_run",
  expects: "tidying did not fail, and, where it is on, ran within the last week",
  async run(authority) {
    const endpoint = authority.path("tidy-status");
    const { state, error, time_finished, last_auto_tidy_finished } = await authority.read("tidy-status");
    if (state === "Error") return [found("warning", endpoint, `Tidying failed: ${error}`)];
    if ((await authority.read("config/auto-tidy"))["enabled"] !== true) return [];
    const ends = [time_finished, last_auto_tidy_finished].map((text) => Date.parse(String(text)));
    const last = Math.max(...ends.filter((end) => end > 0), 0);
    // Where it was turned on just now, it has not ended yet.
    if (last === 0 || authority.now - last < lateTidy) return [];
    return [found("warning", endpoint, `Tidying last ended at ${new Date(last).toISOString()}.`)];
  },
};

const manyCertificates = 100_000;
const tooManyCertificates = 500_000;

const tooManyCerts: Check<Authority> = {
  name: "too_many_certs",
  expects: `fewer than ${manyCertificates} certificates are stored`,
  async run(authority) {
    const count = await authority.certificateCount(tooManyCertificates);
    if (count < manyCertificates) return [];
    const severity = count < tooManyCertificates ? "informational" : "warning";
    const text = `There are ${count} certificates or more: tidy, or set no_store where lives are short.`;
    return [found(severity, authority.path("certs"), text)];
  },
};

export const mountChecks = [...roleChecks, enableAutoTidy, tidyLastRun, tooManyCerts];
