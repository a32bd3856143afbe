/** Signing requests: read, and checked as far as every path checks them. */
import { invalidRequest } from "../../api/errors.ts";
import { type CertificateRequest, isRequestSigned, parseRequest } from "../../lib/x509/certificate-request.ts";
import type { PublicKey } from "../../lib/x509/key.ts";
import { parsePem } from "../../lib/x509/pem.ts";
import { X509Error } from "../../lib/x509/x509-error.ts";
import type { Role } from "./role-fields.ts";

export function readCsr(text: string): CertificateRequest {
  if (text.trim() === "") throw invalidRequest('"csr" is empty');
  const csr = parsedCsr(csrDer(text));
  const { type, bits } = csr.publicKey.kind;
  if (type === "rsa" && bits < 2048) throw invalidRequest("RSA keys < 2048 bits are unsafe and not supported");
  if (!isRequestSigned(csr)) throw invalidRequest("request signature invalid");
  return csr;
}

function parsedCsr(der: Uint8Array): CertificateRequest {
  try {
    return parseRequest(der);
  } catch (error) {
    if (error instanceof X509Error) throw invalidRequest(`certificate request could not be parsed: ${error.message}`);
    throw error;
  }
}

function csrDer(text: string): Uint8Array {
  try {
    const block = parsePem(text).find(
      ({ kind }) => kind === "CERTIFICATE REQUEST" || kind === "NEW CERTIFICATE REQUEST",
    );
    if (block) return block.der;
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
  }
  throw invalidRequest("csr contains no data");
}

/** For signing, the size of a role is the least. */
export function requireKeyOfRole({ kind }: PublicKey, role: Pick<Role, "key_type" | "key_bits">): void {
  if (role.key_type === "any") return;
  if (kind.type !== role.key_type) throw invalidRequest(`role requires keys of type ${role.key_type}`);
  if (kind.bits < role.key_bits) {
    throw invalidRequest(`role requires a minimum of a ${role.key_bits}-bit key, but CSR's key is ${kind.bits} bits`);
  }
}
