/** Changes to issuers, each checked. */
import { invalidRequest } from "../../api/errors.ts";
import { isIssuedBy } from "../../lib/x509/issuing.ts";
import { signatureAlgorithmNamed } from "../../lib/x509/signature.ts";
import { serialOf } from "./certificate.ts";
import { noUrls, type UrlSettings } from "./config.ts";
import { afterRevocation } from "./crl-build.ts";
import type { IssuerInput } from "./issuer.paths.ts";
import { type Issuer, type IssuerRecord, type LeafRule, leafRules, maySignCrls, type Usage, usages } from "./issuer.ts";
import type { PkiServices } from "./services.ts";
import { requireUrls } from "./urls.ts";

type Warn = (message: string) => void;

/** What is undefined stays. */
export async function changedIssuer(
  services: PkiServices,
  before: Issuer,
  input: Partial<IssuerInput>,
): Promise<Partial<IssuerRecord>> {
  const name = input.issuer_name ?? before.name;
  return {
    name,
    usage: input.usage ? checkedUsages(input.usage, before) : before.usage,
    leaf_not_after_behavior: checkedLeafRule(input.leaf_not_after_behavior ?? before.leaf_not_after_behavior),
    revocation_signature_algorithm: checkedAlgorithm(
      input.revocation_signature_algorithm ?? before.revocation_signature_algorithm,
      before,
    ),
    manual_chain: input.manual_chain ? await checkedChain(services, input.manual_chain, before) : before.manual_chain,
    urls: changedUrls(input, before.urls),
    changed_at: name === before.name ? before.changed_at : services.clock.now(),
  };
}

function checkedUsages(given: readonly string[], { revoked_at, certificate }: Issuer): Usage[] {
  const unknown = given.some((usage) => !(usages as readonly string[]).includes(usage));
  if (unknown) {
    throw invalidRequest(
      `Unable to parse specified usages: [${given.join(" ")}] - valid values are ${usages.join(",")}`,
    );
  }
  const chosen = usages.filter((usage) => usage === "read-only" || given.includes(usage));
  if (revoked_at > 0 && chosen.includes("issuing-certificates")) {
    throw invalidRequest(
      "This issuer was revoked; unable to modify its usage to include certificate signing again. Reissue this certificate (preferably with a new key) and modify that entry instead.",
    );
  }
  if (chosen.includes("crl-signing") && !maySignCrls(certificate)) {
    throw invalidRequest(
      "This issuer's underlying certificate lacks the CRLSign KeyUsage value; unable to set CRLSigningUsage on this issuer as a result.",
    );
  }
  return chosen;
}

function checkedLeafRule(text: string): LeafRule {
  const rule = leafRules.find((known) => known === text);
  if (rule) return rule;
  throw invalidRequest(
    "Unknown value for field `leaf_not_after_behavior`. Possible values are `err`, `truncate`, and `permit`.",
  );
}

function checkedAlgorithm(name: string, { certificate }: Issuer): string {
  if (name === "") return "";
  const algorithm = signatureAlgorithmNamed(name);
  if (!algorithm) throw invalidRequest(`Unknown signature algorithm value: ${name}`);
  const { type } = certificate.publicKey.kind;
  if (algorithm.keyType !== type) {
    throw invalidRequest(`unable to use issuer of type ${type} to sign with ${algorithm.name} key type`);
  }
  return algorithm.name;
}

async function checkedChain(services: PkiServices, refs: readonly string[], self: Issuer): Promise<string[]> {
  if (refs.length === 0) return [];
  const ids: string[] = [];
  for (const [index, ref] of refs.entries()) {
    const link = ref === "self" ? self : await services.issuers.require(ref, 400);
    if (index === 0 && link.id !== self.id) {
      throw invalidRequest(`expected first cert in chain to be a self-reference, but was: ${ref}/${link.id}`);
    }
    ids.push(link.id);
  }
  return ids;
}

function changedUrls(input: Partial<IssuerInput>, before: UrlSettings | undefined): UrlSettings | undefined {
  const from = before ?? noUrls;
  const after: UrlSettings = {
    issuing_certificates: input.issuing_certificates ?? from.issuing_certificates,
    crl_distribution_points: input.crl_distribution_points ?? from.crl_distribution_points,
    delta_crl_distribution_points: input.delta_crl_distribution_points ?? from.delta_crl_distribution_points,
    ocsp_servers: input.ocsp_servers ?? from.ocsp_servers,
    enable_templating: input.enable_aia_url_templating ?? from.enable_templating,
  };
  const { enable_templating, ...lists } = after;
  if (Object.values(lists).every((urls) => urls.length === 0)) return undefined;
  if (!enable_templating) requireUrls(after);
  return after;
}

/** Takes from it the right to issue, for good, and tells those above it. */
export async function revokeIssuer(services: PkiServices, issuer: Issuer, now: Date, warn: Warn): Promise<Issuer> {
  if (issuer.revoked_at > 0) return issuer;
  const usage = issuer.usage.filter((each) => each !== "issuing-certificates");
  const revoked = await services.issuers.save(issuer, { usage, revoked_at: now.getTime() });
  if (issuer.isSelfSigned)
    warn("This issuer is self-signed: its clients learn nothing of its revocation; remove it from their trust stores.");
  const others = (await services.issuers.all()).filter(({ id }) => id !== issuer.id);
  const parents = others.filter(
    (other) => other.group !== issuer.group && isIssuedBy(issuer.certificate, other.certificate),
  );
  if (parents.length === 0 && !issuer.isSelfSigned)
    warn("No issuer of this mount has signed this one: revoke it where it was signed, too.");
  const serial = serialOf(issuer.certificate);
  const { enable_delta } = await services.settings.crl.get();
  for (const { id } of parents) {
    const not_after = Math.floor(issuer.certificate.notAfter.getTime() / 1000);
    services.revocations.put(serial, { at: now.getTime(), reason: 0, issuer_id: id, not_after }, enable_delta);
  }
  if ((await services.settings.issuers.get()).default === issuer.id) {
    warn("This issuer is the default: choose another with config/issuers.");
  }
  await afterRevocation(
    services,
    parents.map(({ id }) => id),
    now,
    warn,
  );
  return revoked;
}
