/** Who may revoke a certificate: the account that ordered it, one that holds all of its names, or the certificate's own key. */
import { ApiError } from "../../../api/errors.ts";
import { decodeBase64Url } from "../../../lib/jws/base64url.ts";
import type { VerificationKey } from "../../../lib/jws/key.ts";
import { type Certificate, parseCertificate } from "../../../lib/x509/certificate.ts";
import { serialText } from "../../../lib/x509/serial-number.ts";
import { X509Error } from "../../../lib/x509/x509-error.ts";
import type { Account } from "./account.ts";
import { type Identifier, normalIp } from "./identifier.ts";
import { malformed, Problem } from "./problem.ts";
import type { SignedRequest } from "./signed.ts";

/** Reasons that are the holder's to give (RFC 5280, 5.3.1); the others are the authority's. */
const reasons = new Set([0, 1, 3, 4, 5]);

export async function revokeCertificate(
  request: SignedRequest,
  signer: { readonly account: Account } | { readonly key: VerificationKey },
): Promise<void> {
  const { acme, payload = {}, now } = request;
  const given = readCertificate(payload["certificate"]);
  const serial = serialText(given.serial);
  const known = await acme.authority.certificate(serial);
  if (!known || Buffer.compare(known.der, given.der) !== 0) {
    throw malformed("this authority has issued no such certificate", { status: 404 });
  }
  const isAllowed =
    "key" in signer ? hasKey(given, signer.key) : await isHolder(signer.account, given, serial, request);
  if (!isAllowed) {
    throw new Problem(
      "unauthorized",
      "the signer neither ordered the certificate nor holds its key or all of its names",
      {
        status: 403,
      },
    );
  }
  const reason = readReason(payload["reason"]);
  if (known.revokedAt !== undefined) throw new Problem("alreadyRevoked", "the certificate was revoked before");
  await revoke(request, serial, reason, now);
}

function readCertificate(given: unknown): Certificate {
  if (typeof given !== "string" || given === "") throw malformed("the payload has no certificate");
  try {
    return parseCertificate(decodeBase64Url(given, "certificate"));
  } catch (error) {
    throw error instanceof X509Error ? malformed(error.message) : error;
  }
}

function readReason(given: unknown): number {
  if (given === undefined || given === null) return 0;
  if (typeof given === "number" && reasons.has(given)) return given;
  throw new Problem("badRevocationReason", `the reason is one of ${[...reasons].join(", ")}`);
}

const hasKey = ({ spki }: Certificate, { key }: VerificationKey): boolean =>
  Buffer.compare(key.export({ type: "spki", format: "der" }), spki) === 0;

async function isHolder(account: Account, given: Certificate, serial: string, { acme, now }: SignedRequest) {
  if ((await acme.links.get(serial))?.account === account.id) return true;
  const { dnsNames, ips, ...others } = given.extensions.names;
  if (Object.values(others).some((list) => list.length > 0)) return false;
  const names: Identifier[] = [
    ...dnsNames.map((value) => ({ type: "dns", value: value.toLowerCase() }) as const),
    ...ips.map((value) => ({ type: "ip", value: normalIp(value) }) as const),
  ];
  if (names.length === 0) return false;
  for (const name of names) if (!(await acme.authorizations.isProven(account.id, name, now))) return false;
  return true;
}

async function revoke({ acme }: SignedRequest, serial: string, reason: number, now: Date): Promise<void> {
  try {
    await acme.authority.revoke(serial, reason, now);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) throw malformed(error.message);
    throw error;
  }
  acme.host.metrics.count("acme_revocations_total", "Certificates that were revoked by ACME");
}
