/** Certificate requests (CSR, PKCS#10): read, checked, built. RFC 2986. */
import type { Extension } from "./extension.ts";
import type { ExtensionSet } from "./extension-set.ts";
import type { PublicKey } from "./key.ts";
import type { Name } from "./name.ts";
import type { Signer } from "./signature.ts";

export interface CertificateRequest {
  readonly der: Uint8Array;
  readonly toBeSigned: Uint8Array;
  readonly subject: Name;
  readonly publicKey: PublicKey;
  readonly extensions: ExtensionSet;
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
}

export interface RequestFields {
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Extension[];
}

/** Strict; does not check the signature. X509Error for anything odd and for keys of unsupported kinds. */
export function parseRequest(_der: Uint8Array): CertificateRequest {
  throw new Error("not written yet");
}

/** Whether whoever made the request holds the key. */
export function isRequestSigned(_request: CertificateRequest): boolean {
  throw new Error("not written yet");
}

/** DER. */
export function buildRequest(_fields: RequestFields, _signer: Signer): Uint8Array {
  throw new Error("not written yet");
}
