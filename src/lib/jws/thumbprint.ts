/** The name that a public key has by itself: the hash of its required members in their one spelling (RFC 7638). */
import { hash } from "node:crypto";
import type { VerificationKey } from "./key.ts";

const members = {
  RSA: ["e", "kty", "n"],
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
} as const;

export function thumbprint({ key }: VerificationKey): string {
  const jwk = key.export({ format: "jwk" });
  const names = members[jwk.kty as keyof typeof members];
  const canonical = JSON.stringify(Object.fromEntries(names.map((name) => [name, jwk[name]])));
  return hash("sha256", canonical, "base64url");
}
