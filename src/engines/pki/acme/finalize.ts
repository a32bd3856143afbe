/** Finalizes an order: checks the certificate request against what was ordered, and has it signed. */

import { isIP } from "node:net";
import { ApiError } from "../../../api/errors.ts";
import { decodeBase64Url } from "../../../lib/jws/base64url.ts";
import { type CertificateRequest, isRequestSigned, parseRequest } from "../../../lib/x509/certificate-request.ts";
import { subjectOf } from "../../../lib/x509/name.ts";
import { X509Error } from "../../../lib/x509/x509-error.ts";
import { keyOf } from "./account.ts";
import type { IssuedCertificate } from "./authority.ts";
import { identifierText, normalIp } from "./identifier.ts";
import { type Order, requestDigest } from "./order.ts";
import { type LoadedOrder, requireOrder } from "./order-view.ts";
import { malformed, Problem } from "./problem.ts";
import type { AccountRequest } from "./signed.ts";

/**
 * One transaction reads the order with its authorizations and writes certificate and order: of two that finalize at once, one is
 * run again, and finds the order done. A client that did not hear the answer may send the same request again.
 */
export async function finalizeOrder(request: AccountRequest, id: string): Promise<LoadedOrder> {
  const loaded = await requireOrder(request, id);
  const { order, status } = loaded;
  const der = readDer(request.payload);
  if (status === "valid" && order.certificate?.request === requestDigest(der)) return loaded;
  if (status !== "ready") {
    throw new Problem("orderNotReady", `the order is ${status}, and only one that is ready can be finalized`);
  }
  const wanted = readRequest(der);
  requireOrdered(wanted, order);
  requireOtherKey(wanted, request);
  const issued = await issue(wanted, order, request);
  const { serial, chains } = issued;
  const certificate = { serial, notAfter: issued.notAfter.getTime(), request: requestDigest(der), chains };
  const done: Order = { ...order, state: "valid", certificate };
  request.acme.orders.put(done);
  request.acme.links.put(serial, { account: order.account, order: order.id });
  request.acme.host.metrics.count("acme_certificates_total", "Certificates that were issued by ACME");
  return { ...loaded, order: done, status: "valid" };
}

function readDer(payload: AccountRequest["payload"]): Uint8Array {
  const csr = payload?.["csr"];
  if (typeof csr !== "string" || csr === "") throw malformed("the payload has no csr");
  return decodeBase64Url(csr, "csr");
}

const badRequest = (message: string) => new Problem("badCSR", message);

function readRequest(der: Uint8Array): CertificateRequest {
  try {
    const request = parseRequest(der);
    if (isRequestSigned(request)) return request;
  } catch (error) {
    if (error instanceof X509Error) throw badRequest(error.message);
    throw error;
  }
  throw badRequest("the certificate request is not signed by its own key");
}

/** The request asks for exactly the names that were ordered: not one more, and not one less. */
function requireOrdered(request: CertificateRequest, order: Order): void {
  const { names, basicConstraints } = request.extensions;
  if (basicConstraints?.isAuthority) throw badRequest("the certificate request asks for an authority");
  const others = [names.emails, names.uris, names.otherNames, names.rest];
  if (others.some((list) => list.length > 0))
    throw badRequest("the certificate request has names that are no dns or ip");
  const [asked, ordered] = [new Set(askedTexts(request)), new Set(order.identifiers.map(identifierText))];
  const missing = [...ordered].filter((each) => !asked.has(each));
  const surplus = [...asked].filter((each) => !ordered.has(each));
  if (missing.length > 0) throw badRequest(`the certificate request lacks names of the order: ${missing.join(", ")}`);
  if (surplus.length > 0) {
    throw badRequest(`the certificate request has names that were not ordered: ${surplus.join(", ")}`);
  }
}

/** A common name counts as one of the names; an address is no common name of its own. */
function askedTexts({ subject, extensions }: CertificateRequest): string[] {
  const { commonName } = subjectOf(subject);
  const isAddress = isIP(commonName) !== 0;
  const dnsNames = commonName === "" || isAddress ? [] : [commonName];
  const { ips } = extensions.names;
  if (isAddress && !ips.map(normalIp).includes(normalIp(commonName))) {
    throw badRequest("the common name is an address that is not among the alternative names");
  }
  return [
    ...[...extensions.names.dnsNames, ...dnsNames].map((value) => `dns:${value.toLowerCase()}`),
    ...ips.map((value) => `ip:${normalIp(value)}`),
  ];
}

/** One key for two purposes would let signatures for one be used for the other (RFC 8555, section 11.1). */
function requireOtherKey({ publicKey }: CertificateRequest, { account }: AccountRequest): void {
  const own = keyOf(account).key.export({ type: "spki", format: "der" });
  if (Buffer.compare(own, publicKey.spki) === 0) throw badRequest("the certificate request has the key of the account");
}

async function issue(wanted: CertificateRequest, order: Order, request: AccountRequest): Promise<IssuedCertificate> {
  const { directory, acme, now } = request;
  const { settings, role, issuer } = directory;
  try {
    return await acme.authority.issue({
      request: wanted,
      identifiers: order.identifiers,
      role,
      issuer,
      isForServersOnly: !(settings.allow_role_ext_key_usage && role !== undefined),
      maxSeconds: settings.max_ttl,
      notAfter: order.notAfter === undefined ? undefined : new Date(order.notAfter),
      now,
    });
  } catch (error) {
    if (error instanceof X509Error) throw badRequest(error.message);
    if (error instanceof ApiError && error.status < 500) throw badRequest(`refusing to sign CSR: ${error.message}`);
    throw error;
  }
}
