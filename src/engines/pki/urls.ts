/** Addresses that certificates carry: where their issuer, its CRLs and its OCSP responder are found. */
import { invalidRequest } from "../../api/errors.ts";
import type { ClusterSettings, UrlSettings } from "./config.ts";

export interface CertificateUrls {
  readonly issuing: readonly string[];
  readonly crl: readonly string[];
  readonly deltaCrl: readonly string[];
  readonly ocsp: readonly string[];
}

const lists = [
  "issuing_certificates",
  "crl_distribution_points",
  "delta_crl_distribution_points",
  "ocsp_servers",
] as const;

export function isAbsoluteUrl(text: string): boolean {
  return !/[\s{}]/.test(text) && URL.canParse(text) && /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text);
}

export function requireUrls(settings: UrlSettings): void {
  for (const name of lists) {
    for (const url of settings[name]) {
      if (!isAbsoluteUrl(url)) {
        throw invalidRequest(`invalid URL found in Authority Information Access (AIA) parameter ${name}: ${url}`);
      }
    }
  }
}

/** Templates filled in. Without an issuer's id, as while a root is being made, `{{issuer_id}}` cannot be. */
export function filledUrls(settings: UrlSettings, cluster: ClusterSettings, issuerId: string): CertificateUrls {
  const isUnset = lists.every((name) => name === "delta_crl_distribution_points" || settings[name].length === 0);
  const fill = (name: (typeof lists)[number]) =>
    isUnset ? [] : settings[name].map((url) => (settings.enable_templating ? filled(url, name) : url));

  function filled(url: string, name: string): string {
    const result = url
      .replaceAll("{{issuer_id}}", issuerId)
      .replaceAll("{{cluster_path}}", cluster.path)
      .replaceAll("{{cluster_aia_path}}", cluster.aia_path);
    if (isAbsoluteUrl(result)) return result;
    throw invalidRequest(`error templating AIA URL: invalid URL in ${name}: ${result}: is config/cluster set?`);
  }

  return {
    issuing: fill("issuing_certificates"),
    crl: fill("crl_distribution_points"),
    deltaCrl: fill("delta_crl_distribution_points"),
    ocsp: fill("ocsp_servers"),
  };
}

export const needsIssuerId = (settings: UrlSettings): boolean =>
  settings.enable_templating && lists.some((name) => settings[name].some((url) => url.includes("{{issuer_id}}")));
