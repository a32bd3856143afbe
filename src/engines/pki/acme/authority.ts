/** What ACME asks of the certificate authority around it. */
import type { CertificateRequest } from "../../../lib/x509/certificate-request.ts";
import type { Identifier } from "./identifier.ts";

export interface Authority {
  /** Where clients reach the mount, without a slash at its end; empty if nobody said. */
  clusterPath(): Promise<string>;
  role(name: string): Promise<AuthorityRole | undefined>;
  /** By id, by name, or `default`. */
  issuer(ref: string): Promise<AuthorityIssuer | undefined>;
  /** Why the role would not sign for this name, in words for the client; undefined if it would, or cannot tell yet. */
  refusal(role: string, identifier: Identifier, now: Date): Promise<string | undefined>;
  /** Signs and keeps the certificate, in the transaction at hand; refuses with an `ApiError`. */
  issue(wish: Wish): Promise<IssuedCertificate>;
  certificate(serial: string): Promise<KnownCertificate | undefined>;
  /** Refuses with an `ApiError`. */
  revoke(serial: string, reason: number, now: Date): Promise<void>;
}

export interface AuthorityRole {
  readonly noStore: boolean;
  readonly issuerRef: string;
}

export interface AuthorityIssuer {
  readonly id: string;
  /** Has a key, and may sign certificates. */
  readonly canIssue: boolean;
}

export interface Wish {
  readonly request: CertificateRequest;
  readonly identifiers: readonly Identifier[];
  /** Undefined: anything that was proven may be signed. */
  readonly role: string | undefined;
  readonly issuer: string;
  /** Whether the certificate is for servers only, whatever the role says. */
  readonly isForServersOnly: boolean;
  readonly maxSeconds: number;
  /** The latest end, if the client asked for one. */
  readonly notAfter: Date | undefined;
  readonly now: Date;
}

export interface IssuedCertificate {
  /** `0a:1b:2c`. */
  readonly serial: string;
  readonly notAfter: Date;
  /** In PEM, with its issuers; the first is what clients get, the others are alternatives. */
  readonly chains: readonly string[];
}

export interface KnownCertificate {
  readonly der: Uint8Array;
  /** Milliseconds since the epoch; undefined while it is good. */
  readonly revokedAt: number | undefined;
}
