/** Checks of issuers, and of what they publish. */
import { isAuthority, parseCertificate } from "../../../../lib/x509/certificate.ts";
import { pemBlocksOf } from "../../../../lib/x509/pem.ts";
import { parseRevocationList } from "../../../../lib/x509/revocation-list.ts";
import type { Authority, IssuerView } from "./authority.ts";
import { type Check, type Finding, found, type Severity } from "./finding.ts";

const day = 86_400_000;

const defaultIssuer: Check<Authority> = {
  name: "default_issuer",
  expects: "the mount has a default issuer, and its key",
  async run(authority) {
    const endpoint = authority.path("config/issuers");
    const chosen = (await authority.issuers()).find(({ isDefault }) => isDefault);
    if (!chosen) return [found("critical", endpoint, "There is no default issuer: roles that name none cannot issue.")];
    if (chosen.settings["key_id"] === "") {
      return [found("warning", chosen.endpoint, `The key of the default issuer ${chosen.label} is not here.`)];
    }
    return [];
  },
};

/** Days that are left, from the worst on: a root has to be replaced everywhere, which takes long. */
const expiryLimits: Readonly<Record<"root" | "intermediate", readonly (readonly [number, Severity])[]>> = {
  root: [
    [180, "critical"],
    [365, "warning"],
    [730, "informational"],
  ],
  intermediate: [
    [30, "critical"],
    [60, "warning"],
    [180, "informational"],
  ],
};

const caValidityPeriod: Check<Authority> = {
  name: "ca_validity_period",
  expects: "every issuer is valid for long enough to be replaced in time",
  async run(authority) {
    const findings: Finding[] = [];
    for (const { certificate, isRoot, endpoint, label } of await authority.issuers()) {
      const kind = isRoot ? "root" : "intermediate";
      const days = Math.floor((certificate.notAfter.getTime() - authority.now) / day);
      const limit = expiryLimits[kind].find(([most]) => days < most);
      if (!limit) continue;
      const message = days < 0 ? `The ${kind} ${label} has expired.` : `The ${kind} ${label} ends in ${days} days.`;
      findings.push(found(limit[1], endpoint, message));
    }
    return findings;
  },
};

const crlValidityPeriod: Check<Authority> = {
  name: "crl_validity_period",
  expects: "every CRL is there, valid, and was built in time",
  async run(authority) {
    if ((await authority.read("config/crl"))["disable"] === true) {
      return [
        found("informational", authority.path("config/crl"), "CRLs are turned off: clients can ask by OCSP only."),
      ];
    }
    const findings: Finding[] = [];
    for (const issuer of await authority.issuers()) {
      const signs = String(issuer.settings["usage"]).includes("crl-signing") && issuer.settings["key_id"] !== "";
      if (signs) findings.push(...(await crlFindings(authority, issuer)));
    }
    return findings;
  },
};

/** Later in its life, a client that fetches it can soon be left without a valid one. */
const latestShare = 0.95;

async function crlFindings(authority: Authority, { id, label }: IssuerView): Promise<Finding[]> {
  const endpoint = authority.path(`issuer/${id}/crl/der`);
  const der = await authority.bytes(`issuer/${id}/crl/der`);
  if (der.length === 0)
    return [found("warning", endpoint, `There is no CRL of ${label}: build it by reading crl/rotate.`)];
  const { thisUpdate, nextUpdate } = parseRevocationList(der);
  if (nextUpdate === undefined) return [];
  const lifetime = nextUpdate.getTime() - thisUpdate.getTime();
  const share = (authority.now - thisUpdate.getTime()) / lifetime;
  if (share >= 1) return [found("critical", endpoint, `The CRL of ${label} expired at ${nextUpdate.toISOString()}.`)];
  if (share < latestShare) return [];
  const percent = Math.floor(share * 100);
  return [found("warning", endpoint, `The CRL of ${label} is at ${percent} % of its life: turn on auto_rebuild.`)];
}

const urlNames = {
  issuing_certificates: "where to find the issuer's certificate",
  crl_distribution_points: "where to find the CRL",
  ocsp_servers: "where to ask by OCSP",
};

const issuerUrls: Check<Authority> = {
  name: "issuer_urls",
  expects: "certificates say where their issuer, the CRL and OCSP are found",
  async run(authority) {
    const shared = await authority.read("config/urls");
    const isSet = (value: unknown) => Array.isArray(value) && value.length > 0;
    const findings: Finding[] = [];
    for (const { settings, endpoint, label } of await authority.issuers()) {
      const own = Object.keys(urlNames).some((name) => isSet(settings[name]));
      const missing = Object.entries(urlNames).filter(([name]) => !isSet((own ? settings : shared)[name]));
      if (missing.length === 0) continue;
      const isRevocationHidden = missing.filter(([name]) => name !== "issuing_certificates").length === 2;
      const text = `Certificates of ${label} do not say ${missing.map(([, what]) => what).join(", ")}.`;
      findings.push(found(isRevocationHidden ? "warning" : "informational", endpoint, text));
    }
    return findings;
  },
};

const inspectedLeaves = 100;

const rootIssuedLeaves: Check<Authority> = {
  name: "root_issued_leaves",
  expects: "roots sign intermediates, and intermediates sign everything else",
  async run(authority) {
    const findings: Finding[] = [];
    for (const { isRoot, id, endpoint, label } of await authority.issuers()) {
      if (!isRoot) continue;
      for (const serial of await authority.issuedBy(id, inspectedLeaves)) {
        const { certificate } = await authority.read(`cert/${serial}`);
        const [der] = pemBlocksOf(String(certificate), "CERTIFICATE");
        if (!der || isAuthority(parseCertificate(der))) continue;
        findings.push(found("warning", endpoint, `The root ${label} issues leaves, such as ${serial}.`));
        break;
      }
    }
    return findings;
  },
};

export const issuerChecks = [defaultIssuer, caValidityPeriod, crlValidityPeriod, issuerUrls, rootIssuedLeaves];
