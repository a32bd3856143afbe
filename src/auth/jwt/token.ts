/** Verifies a token of a login: signature first, then who issued it, for whom, and when. */
import { algorithmNames } from "../../lib/jws/algorithm.ts";
import { JwsError } from "../../lib/jws/error.ts";
import { type Jws, jsonPayload, parseCompactJws } from "../../lib/jws/message.ts";
import { type Claims, plainClaims } from "./claims.ts";
import { type KeySource, KeySourceError } from "./key-source.ts";
import { type Leeways, type Moments, timeProblem } from "./leeway.ts";

/** The token is not good; the message says why, without quoting it. */
export class TokenProblem extends Error {
  override readonly name = "TokenProblem";
}

export interface Expectations {
  readonly algorithms: readonly string[];
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  /** Whether a token without any audience passes although audiences are expected. */
  readonly mayLackAudience?: boolean;
  readonly leeways: Leeways;
}

export async function verifyToken(
  text: string,
  keys: KeySource,
  expected: Expectations,
  nowMilliseconds: number,
): Promise<Claims> {
  const jws = parsed(text);
  await requireSignature(jws, keys, expected.algorithms);
  const claims = claimsOf(jws);
  if (expected.issuer !== "" && claims["iss"] !== expected.issuer) throw new TokenProblem("invalid issuer (iss) claim");
  if (expected.subject !== "" && claims["sub"] !== expected.subject) {
    throw new TokenProblem("invalid subject (sub) claim");
  }
  requireAudience(claims["aud"], expected);
  const problem = timeProblem(momentsOf(claims), expected.leeways, nowMilliseconds / 1000);
  if (problem !== undefined) throw new TokenProblem(problem);
  return claims;
}

export function parsed(text: string): Jws {
  try {
    return parseCompactJws(text);
  } catch (error) {
    if (error instanceof JwsError)
      throw new TokenProblem(`error verifying token signature: malformed token: ${error.message}`);
    throw error;
  }
}

export async function requireSignature(jws: Jws, keys: KeySource, algorithms: readonly string[]): Promise<void> {
  const allowed: readonly string[] = algorithms.length > 0 ? algorithms : algorithmNames;
  if (!allowed.includes(jws.header.alg)) {
    throw new TokenProblem("invalid algorithm (alg) header parameter: token signed with unexpected algorithm");
  }
  try {
    await keys.requireSigned(jws);
  } catch (error) {
    if (error instanceof KeySourceError) throw new TokenProblem(`error verifying token signature: ${error.message}`);
    throw error;
  }
}

export function claimsOf(jws: Jws): Claims {
  try {
    return plainClaims(jsonPayload(jws));
  } catch (error) {
    if (error instanceof JwsError) throw new TokenProblem(`malformed claims: ${error.message}`);
    throw error;
  }
}

function requireAudience(aud: unknown, { audiences, mayLackAudience = false }: Expectations): void {
  if (audiences.length === 0 || (aud === undefined && mayLackAudience)) return;
  if (audiencesOf(aud).some((audience) => audiences.includes(audience))) return;
  throw new TokenProblem("invalid audience (aud) claim: audience claim does not match any expected audience");
}

export function audiencesOf(aud: unknown): readonly string[] {
  const list = Array.isArray(aud) ? aud : aud === undefined || aud === null ? [] : [aud];
  if (!list.every((item): item is string => typeof item === "string")) {
    throw new TokenProblem("invalid audience (aud) claim: expected a string or a list of strings");
  }
  return list;
}

export const momentsOf = (claims: Claims): Moments => ({
  iat: moment(claims, "iat"),
  nbf: moment(claims, "nbf"),
  exp: moment(claims, "exp"),
});

/** Zero counts as not there: programs write it for a moment that they do not have. */
function moment(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || value === null || value === 0) return undefined;
  if (typeof value === "number") return value;
  throw new TokenProblem(`malformed claims: ${name} is not a number`);
}
