/** Declares certificates: fetched, revoked, and when to renew them (RFC 8555, sections 7.4.2 and 7.6; RFC 9773). */
import { text } from "../../../api/fields.ts";
import { pathsFor } from "../../../api/path.ts";
import { RawReply } from "../../../api/reply.ts";
import { parsePem } from "../../../lib/x509/pem.ts";
import type { WithAcme } from "./acme.ts";
import { directoryParams, openDirectory, under } from "./directory.ts";
import { requireOrder } from "./order-view.ts";
import { malformed, Problem } from "./problem.ts";
import { findCertificate, renewalWindow } from "./renewal.ts";
import { answering, jsonReply, linkTo } from "./reply.ts";
import { revokeCertificate } from "./revocation.ts";
import { byAccount, byAccountOrKey } from "./signed.ts";
import { signedPath } from "./signed-path.ts";

const path = pathsFor<WithAcme>();

const chainType = "application/pem-certificate-chain";
const derType = "application/pkix-cert";

/** Seconds after which renewal information is asked for again. */
const renewalAgain = 6 * 3600;

const certificate = signedPath({
  pattern: [...under("order/:id/cert"), ...under("order/:id/cert/:chain")],
  summary: "The certificate of an order",
  params: {
    ...directoryParams,
    id: text("Order"),
    chain: text("Which of several chains, beginning with 0").default("0"),
  },
  post: "Fetch the certificate with its issuers",
  handler: byAccount(async (request, { id, chain }) => {
    const { order, status } = await requireOrder(request, id);
    if (!order.certificate) throw new Problem("orderNotReady", `the order is ${status}: it has no certificate`);
    const { chains } = order.certificate;
    const chosen = /^\d{1,3}$/.test(chain) ? chains[Number(chain)] : undefined;
    if (chosen === undefined) throw malformed("there is no such chain", { status: 404 });
    const base = request.directory.url(`order/${id}/cert`);
    const others = chains.flatMap((_, index) => (index === Number(chain) ? [] : [index]));
    const links = others.map((index) => linkTo(index === 0 ? base : `${base}/${index}`, "alternate"));
    return chainReply(chosen, request.context.request.header("accept"), links);
  }),
});

function chainReply(chain: string, accept: string | undefined, links: readonly string[]): RawReply {
  const headers = links.length > 0 ? { link: links } : {};
  const wanted = (accept ?? "*/*").split(",").map((each) => (each.split(";", 1)[0] ?? "").trim().toLowerCase());
  if ([chainType, "application/*", "*/*", ""].some((type) => wanted.includes(type))) {
    return new RawReply(chain, chainType, { headers });
  }
  if (wanted.includes(derType)) return new RawReply(parsePem(chain)[0]!.der, derType, { headers });
  throw malformed(`a certificate can be had as ${chainType} or ${derType}`, { status: 406 });
}

const revokeCert = signedPath({
  pattern: under("revoke-cert"),
  summary: "Revocation",
  params: directoryParams,
  post: "Revoke a certificate",
  handler: byAccountOrKey(async (request, signer) => {
    await revokeCertificate(request, signer);
    return new RawReply(undefined, undefined);
  }),
});

const renewalInfo = path({
  pattern: under("renewal-info/:certificate"),
  summary: "When to renew a certificate",
  access: "public",
  params: { ...directoryParams, certificate: text("Authority key identifier and serial number, in base64url") },
  read: {
    summary: "Read when the certificate should be renewed",
    handler: (place, context) =>
      answering(place, context, async () => {
        const { acme } = context.services;
        await openDirectory(place, { settings: await acme.settings.get(), authority: acme.authority });
        const found = await findCertificate(place.certificate, acme.authority);
        return jsonReply({ suggestedWindow: renewalWindow(found, context.now) }, { retryAfter: renewalAgain });
      }),
  },
});

export const certificatePaths = [certificate, revokeCert, renewalInfo];
