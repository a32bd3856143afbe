/** What a challenge is to show, and the means to look. */
import { hash } from "node:crypto";
import type { Network } from "../../../../api/network.ts";
import type { Identifier } from "../identifier.ts";
import type { AcmeSettings } from "../settings.ts";

export interface Proof {
  /** Without a wildcard. */
  readonly identifier: Identifier;
  readonly token: string;
  /** Of the account's key. */
  readonly thumbprint: string;
  readonly settings: Readonly<AcmeSettings>;
  readonly network: Network;
  readonly signal: AbortSignal;
}

/** RFC 8555, section 8.1. */
export const keyAuthorization = ({ token, thumbprint }: Proof): string => `${token}.${thumbprint}`;

export const keyAuthorizationDigest = (proof: Proof): Buffer => hash("sha256", keyAuthorization(proof), "buffer");
