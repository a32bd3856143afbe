/** Verifies what a provider says of somebody who logged in (OpenID Connect Core, 3.1.3.7). */
import { hash } from "node:crypto";
import { algorithmNamed } from "../../../lib/jws/algorithm.ts";
import type { Claims } from "../claims.ts";
import type { KeySource } from "../key-source.ts";
import { audiencesOf, claimsOf, momentsOf, parsed, requireSignature, TokenProblem } from "../token.ts";

export interface IdTokenExpectations {
  readonly keys: KeySource;
  readonly algorithms: readonly string[];
  readonly issuer: string;
  readonly clientId: string;
  /** Other audiences that are good too, if the token names the client as its authorized party. */
  readonly audiences: readonly string[];
  /** Undefined where none was sent. */
  readonly nonce: string | undefined;
  /** Seconds since the person logged in at the provider; 0 for any. */
  readonly maxAge: number;
  /** What came beside the token; its hash must be in the token, if the token has one. */
  readonly accessToken: string;
  readonly code: string;
}

/** By how much the provider's clock may differ, in seconds. */
const skew = 60;

export async function verifyIdToken(text: string, expected: IdTokenExpectations, nowMs: number): Promise<Claims> {
  const jws = parsed(text);
  await requireSignature(jws, expected.keys, expected.algorithms.length > 0 ? expected.algorithms : ["RS256"]);
  const claims = claimsOf(jws);
  if (claims["iss"] !== expected.issuer) throw new TokenProblem("invalid issuer (iss) claim");
  if (typeof claims["sub"] !== "string" || claims["sub"] === "") throw new TokenProblem("invalid subject (sub) claim");
  requireAudience(claims, expected);
  requireTimes(claims, expected.maxAge, nowMs / 1000);
  if (expected.nonce !== undefined && claims["nonce"] !== expected.nonce)
    throw new TokenProblem("invalid ID token nonce.");
  requireHash(claims, "at_hash", expected.accessToken, jws.header.alg);
  requireHash(claims, "c_hash", expected.code, jws.header.alg);
  return claims;
}

function requireAudience(claims: Claims, { clientId, audiences }: IdTokenExpectations): void {
  const named = audiencesOf(claims["aud"]);
  const azp = claims["azp"];
  const refuse = (why: string) => new TokenProblem(`invalid audience (aud) claim: ${why}`);
  if (named.length === 0) throw refuse("there is none");
  if (audiences.length > 0 && !named.some((name) => audiences.includes(name))) {
    throw refuse("audience claim does not match any expected audience");
  }
  if (azp !== undefined && azp !== clientId) throw new TokenProblem("invalid authorized party (azp) claim");
  const needsParty = named.length > 1 || named[0] !== clientId;
  if (needsParty && azp !== clientId) throw refuse("the client is not the authorized party (azp)");
  if (named.length > 1 && !named.includes(clientId)) throw refuse("the client is not among them");
}

function requireTimes(claims: Claims, maxAge: number, now: number): void {
  const { iat, nbf, exp } = momentsOf(claims);
  if (exp === undefined || now > exp + skew)
    throw new TokenProblem("invalid expiration time (exp) claim: token is expired");
  if (nbf !== undefined && now < nbf - skew)
    throw new TokenProblem("invalid not before (nbf) claim: token not yet valid");
  if (iat !== undefined && now < iat - skew)
    throw new TokenProblem("invalid issued at (iat) claim: token issued in the future");
  if (maxAge === 0) return;
  const loggedIn = claims["auth_time"];
  if (typeof loggedIn !== "number") throw new TokenProblem("missing auth_time claim, which max_age asks for");
  if (now > loggedIn + maxAge + skew)
    throw new TokenProblem("the last login at the provider is longer ago than max_age");
}

/** The left half of the value's hash, by the hash of the token's own algorithm (Core, 3.1.3.6). */
function requireHash(claims: Claims, name: "at_hash" | "c_hash", value: string, alg: string): void {
  if (claims[name] === undefined || value === "") return;
  const digest = hash(algorithmNamed(alg)?.hash ?? "sha512", value, "buffer");
  const half = digest.subarray(0, digest.length / 2).toString("base64url");
  if (claims[name] !== half) throw new TokenProblem(`the ${name} claim does not fit`);
}
