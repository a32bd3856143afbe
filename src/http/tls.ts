/** The certificates of a listener: read from files, checked, and read again when they are renewed. */
import { constants, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SecureServerOptions } from "node:http2";
import { createSecureContext, type TLSSocket } from "node:tls";

export interface TlsSettings {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCaFile: string | undefined;
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
  /** `requested`: a client may present one, and whether it is trusted is for others to say. */
  readonly clientCerts: "off" | "requested" | "required";
}

/** Everything that new connections need; throws a sentence that names the file. */
export async function loadTls(settings: TlsSettings): Promise<SecureServerOptions> {
  const { certFile, keyFile, clientCaFile, clientCerts } = settings;
  const [cert, key, clientCa] = await Promise.all([
    read("tls_cert_file", certFile),
    read("tls_key_file", keyFile),
    clientCaFile === undefined ? undefined : read("tls_client_ca_file", clientCaFile),
  ]);
  checkPair(settings, parseCertificate("tls_cert_file", certFile, cert), parseKey(keyFile, key));
  if (clientCa !== undefined) parseCertificate("tls_client_ca_file", clientCaFile!, clientCa);
  const options: SecureServerOptions = {
    cert,
    key,
    // Without a list of its own, node would take every public authority for one that vouches for our clients.
    ca: clientCa ?? [],
    minVersion: settings.minVersion,
    honorCipherOrder: true,
    requestCert: clientCerts !== "off",
    rejectUnauthorized: clientCerts === "required",
    // A resumed session has the client's certificate without its chain, and outlives a change of authorities.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
  createSecureContext(options); // whatever else OpenSSL dislikes, before the old context is given up
  return options;
}

async function read(option: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`${option}: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parseCertificate(option: string, file: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new Error(`${option}: ${file} has no certificate in PEM form`);
  }
}

function parseKey(file: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error(`tls_key_file: ${file} has no private key in PEM form without a passphrase`);
  }
}

function checkPair({ certFile, keyFile }: TlsSettings, certificate: X509Certificate, key: KeyObject): void {
  if (certificate.checkPrivateKey(key)) return;
  throw new Error(`tls_key_file: ${keyFile} is not the private key of the certificate in ${certFile}`);
}

export interface ClientCertificates {
  /** As the client presented it, its own certificate first, in DER form; empty without one. */
  readonly chain: readonly Buffer[];
  /** By the authorities in `tls_client_ca_file`. */
  readonly verified: boolean;
}

const none: ClientCertificates = { chain: [], verified: false };
const known = new WeakMap<TLSSocket, ClientCertificates>();
const longestChain = 10;

export function clientCertificatesOf(socket: TLSSocket): ClientCertificates {
  const before = known.get(socket);
  if (before !== undefined) return before;
  const chain: Buffer[] = [];
  let certificate = socket.getPeerX509Certificate?.();
  while (certificate !== undefined && chain.length < longestChain) {
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  const found = chain.length === 0 ? none : { chain, verified: socket.authorized };
  known.set(socket, found);
  return found;
}
