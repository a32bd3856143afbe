/** Declares CRLs: fetched by anybody, built anew by operators, and signed for others. */
import { flag, text } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { pemText } from "../../lib/x509/pem.ts";
import { buildDelta, groupsOf, rebuildCrls } from "./crl-build.ts";
import { contentTypes, fetched } from "./fetch-reply.ts";
import type { PkiServices } from "./services.ts";

const path = pathsFor<PkiServices>();

const defaultCrl = path({
  pattern: ["crl", "crl/pem", "crl/delta", "crl/delta/pem"],
  summary: "CRL of the default issuer",
  access: "public",
  read: {
    summary: "Fetch the CRL of the default issuer: complete or delta, DER or PEM",
    handler: (_, context) => file("default", context),
  },
});

const params = { issuer_ref: text("Id or name of the issuer, or default") };

const issuerFiles = path({
  pattern: [
    "issuer/:issuer_ref/crl/pem",
    "issuer/:issuer_ref/crl/der",
    "issuer/:issuer_ref/crl/delta/pem",
    "issuer/:issuer_ref/crl/delta/der",
  ],
  summary: "CRL of an issuer, as a file",
  params,
  access: "public",
  read: {
    summary: "Fetch the CRL of an issuer: complete or delta, DER or PEM",
    handler: ({ issuer_ref }, context) => file(issuer_ref, context),
  },
});

async function file(ref: string, { services, request }: Context<PkiServices>) {
  const issuer = ref === "default" ? await services.issuers.find(ref) : await services.issuers.require(ref);
  const isDelta = request.path.includes("crl/delta");
  const state = issuer && (await services.crls.state(issuer.group));
  if (!issuer || !state) return fetched(request, undefined);
  const der = isDelta ? await services.crls.delta(issuer.group) : await services.crls.complete(issuer.group);
  if (!der) return fetched(request, undefined);
  const changedAt = isDelta ? state.deltaBuiltAt : state.builtAt;
  return request.path.endsWith("/pem")
    ? fetched(request, { body: pemText("X509 CRL", der), contentType: contentTypes.crlPem, changedAt })
    : fetched(request, { body: der, contentType: contentTypes.crl, changedAt });
}

const issuerCrl = path({
  pattern: ["issuer/:issuer_ref/crl", "issuer/:issuer_ref/crl/delta"],
  summary: "CRL of an issuer",
  params,
  access: "public",
  read: {
    summary: "Fetch the CRL of an issuer",
    output: { crl: text("The CRL, in PEM") },
    async handler({ issuer_ref }, { services, request }) {
      const { group } = await services.issuers.require(issuer_ref);
      const der = request.path.endsWith("/delta")
        ? await services.crls.delta(group)
        : await services.crls.complete(group);
      return { crl: der ? pemText("X509 CRL", der) : "" };
    },
  },
});

const success = { success: flag("Whether it was done") };

const rotate = path({
  pattern: "crl/rotate",
  summary: "Build all CRLs anew",
  read: {
    summary: "Build all CRLs anew, now",
    output: success,
    async handler(_, { services, now, warn }) {
      await rebuildCrls(services, now, warn);
      return { success: true };
    },
  },
});

const rotateDelta = path({
  pattern: "crl/rotate-delta",
  summary: "Build all delta CRLs anew",
  read: {
    summary: "Build all delta CRLs anew, now",
    output: success,
    async handler(_, { services, now, warn }) {
      const { enable_delta } = await services.settings.crl.get();
      if (!enable_delta) {
        warn("requested rebuild of delta CRL when delta CRL is not enabled; this is a no-op");
        return { success: true };
      }
      for (const group of await groupsOf(services)) if (group.signer) await buildDelta(services, group, now);
      return { success: true };
    },
  },
});

export const crlPaths = [rotate, rotateDelta, defaultCrl, issuerFiles, issuerCrl];
