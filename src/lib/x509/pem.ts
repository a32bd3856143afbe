/** PEM: base64 between two lines that say what it is. */

export interface PemBlock {
  /** `CERTIFICATE`, `X509 CRL`, `RSA PRIVATE KEY`, …. */
  readonly kind: string;
  readonly der: Uint8Array;
}

/** Lines of 64 characters; without a newline at the end. */
export function pemText(_kind: string, _der: Uint8Array): string {
  throw new Error("not written yet");
}

/** Every block of a text, in order; what stands between them is passed over. X509Error for a block that has no end or is no base64. */
export function parsePem(_text: string): PemBlock[] {
  throw new Error("not written yet");
}
