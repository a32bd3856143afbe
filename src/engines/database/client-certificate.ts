/** Certificates by which clients are known to a database, signed by the authority that a role holds. */
import type { KeyObject } from "node:crypto";
import { invalidRequest } from "../../api/errors.ts";
import { buildCertificate, type Certificate, isAuthority, parseCertificate } from "../../lib/x509/certificate.ts";
import { generateKey, isSamePublicKey, keyIdOf, kindOf, publicKeyOf } from "../../lib/x509/key.ts";
import { authorityKeyId, subjectKeyId } from "../../lib/x509/key-identifier.ts";
import { extendedKeyUsage, extendedKeyUsages, keyUsage } from "../../lib/x509/key-usage.ts";
import { encodeSubject } from "../../lib/x509/name.ts";
import { pemBlocksOf, pemText } from "../../lib/x509/pem.ts";
import { parsePrivateKeyPem, privateKeyPem } from "../../lib/x509/private-key.ts";
import { randomSerial } from "../../lib/x509/serial-number.ts";
import { signatureAlgorithmFor, signatureAlgorithmNamed, signerWith } from "../../lib/x509/signature.ts";
import { X509Error } from "../../lib/x509/x509-error.ts";
import type { CertificateConfig } from "./credential-config.ts";
import type { DatabaseServices } from "./services.ts";

export interface IssuedCertificate {
  readonly client_certificate: string;
  readonly private_key: string;
  readonly private_key_type: string;
}

/** Clocks differ. */
const earlySeconds = 30;
/** Past its lease, so that the lease ends first. */
const lateSeconds = 5;

/** Refuses what cannot sign certificates that anybody would accept. */
export function requireAuthority(cert: string, key: string, refusal: (problem: string) => Error): void {
  try {
    const authority = certificateIn(cert);
    if (!isAuthority(authority)) throw new X509Error("the given certificate is not marked for CA use");
    if (!isSamePublicKey(publicKeyOf(parsePrivateKeyPem(key)), authority.publicKey)) {
      throw new X509Error("ca_private_key does not belong to ca_cert");
    }
  } catch (error) {
    if (error instanceof X509Error) throw refusal(error.message);
    throw error;
  }
}

export async function issueClientCertificate(
  config: CertificateConfig,
  commonName: string,
  expires: Date,
  { clock, random }: Pick<DatabaseServices, "clock" | "random">,
): Promise<IssuedCertificate> {
  const { ca_cert, ca_private_key, key_type, key_bits, signature_bits } = config;
  if (ca_cert === "") throw invalidRequest("missing required ca_cert and ca_private_key");
  const authority = certificateIn(ca_cert);
  const key = await generateKey({ type: key_type, bits: key_bits });
  const publicKey = publicKeyOf(key);
  const der = buildCertificate(
    {
      serial: randomSerial((count) => random.bytes(count)),
      issuer: authority.subject.der,
      subject: encodeSubject({ commonName }),
      notBefore: new Date(clock.now() - earlySeconds * 1000),
      notAfter: new Date(expires.getTime() + lateSeconds * 1000),
      publicKey: publicKey.spki,
      extensions: [
        keyUsage(["DigitalSignature"]),
        extendedKeyUsage([extendedKeyUsages.ClientAuth]),
        subjectKeyId(keyIdOf(publicKey)),
        authorityKeyId(authority.extensions.subjectKeyId ?? keyIdOf(authority.publicKey)),
      ],
    },
    signerOf(parsePrivateKeyPem(ca_private_key), signature_bits),
  );
  return {
    client_certificate: pemText("CERTIFICATE", der),
    private_key: privateKeyPem(key, "traditional"),
    private_key_type: key_type,
  };
}

function certificateIn(pem: string): Certificate {
  const [der] = pemBlocksOf(pem, "CERTIFICATE");
  if (!der) throw new X509Error("no data found in PEM block of ca_cert");
  return parseCertificate(der);
}

function signerOf(key: KeyObject, bits: number) {
  const kind = kindOf(key);
  const wanted = kind.type === "ec" ? signatureAlgorithmNamed(`ECDSAWithSHA${bits}`) : undefined;
  return signerWith(key, wanted ?? signatureAlgorithmFor(kind, kind.type === "rsa" ? { bits } : {}));
}
