/** Proves a name by a certificate that its server shows to those who ask for `acme-tls/1` (RFC 8737). */
import type { Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type Certificate, parseCertificate } from "../../../../lib/x509/certificate.ts";
import { extensionIds } from "../../../../lib/x509/extension.ts";
import { isSelfSigned } from "../../../../lib/x509/issuing.ts";
import { X509Error } from "../../../../lib/x509/x509-error.ts";
import { Problem } from "../problem.ts";
import { keyAuthorizationDigest, type Proof } from "./proof.ts";
import { connectTo } from "./targets.ts";

const protocol = "acme-tls/1";
const port = 443;
/** Tag and length of 32 bytes in DER. */
const octetString = Buffer.of(0x04, 32);

export async function validateTlsAlpn(proof: Proof): Promise<void> {
  const { value } = proof.identifier;
  const socket = await connectTo(value, port, proof);
  try {
    const secure = await shaken(socket, proof);
    if (secure.alpnProtocol !== protocol) throw refused(value, `does not speak ${protocol}`);
    requireProof(shownCertificate(secure, value), proof);
  } finally {
    socket.destroy();
  }
}

const refused = (name: string, what: string) => new Problem("incorrectResponse", `the server of ${name} ${what}`);

async function shaken(socket: Socket, { identifier, signal }: Proof): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const secure = connectTls({
    socket,
    servername: identifier.value,
    ALPNProtocols: [protocol],
    minVersion: "TLSv1.2",
    rejectUnauthorized: false,
  });
  signal.addEventListener("abort", () => secure.destroy(new Error("no answer in time")), { once: true });
  // For as long as it lives: an error that nobody listens to would end the process.
  secure.on("error", reject);
  secure.once("secureConnect", () => resolve(secure));
  try {
    return await promise;
  } catch (error) {
    const reason = signal.aborted ? "no answer in time" : ((error as NodeJS.ErrnoException).code ?? "no answer");
    throw new Problem("tls", `the TLS handshake with ${identifier.value} failed: ${reason}`);
  }
}

function shownCertificate(secure: TLSSocket, name: string): Certificate {
  const shown = secure.getPeerX509Certificate();
  if (!shown) throw refused(name, "shows no certificate");
  try {
    return parseCertificate(shown.raw);
  } catch (error) {
    if (error instanceof X509Error) throw refused(name, "shows a certificate that cannot be read");
    throw error;
  }
}

/** RFC 8737, section 3: self-signed, for this name alone, with the critical extension that holds the digest. */
function requireProof(certificate: Certificate, proof: Proof): void {
  const { value } = proof.identifier;
  const { names, byId } = certificate.extensions;
  const { dnsNames, ...others } = names;
  if (!isSelfSigned(certificate)) throw refused(value, "shows a certificate that is not self-signed");
  const isAlone = dnsNames.length === 1 && Object.values(others).every((list) => list.length === 0);
  if (!isAlone || dnsNames[0]!.toLowerCase() !== value) throw refused(value, "shows a certificate for other names");
  const shown = byId.get(extensionIds.acmeIdentifier);
  if (!shown?.isCritical) throw refused(value, "shows a certificate without a critical acmeIdentifier");
  if (Buffer.compare(shown.value, Buffer.concat([octetString, keyAuthorizationDigest(proof)])) !== 0) {
    throw refused(value, "shows a certificate for another challenge");
  }
}
