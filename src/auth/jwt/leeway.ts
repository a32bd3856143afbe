/** When a token is in time. Each of its three moments may be off by a leeway, and all by the skew of clocks. */

export interface Leeways {
  /** Seconds; 0 stands for the usual, a negative one for none. */
  readonly expiration_leeway: number;
  readonly not_before_leeway: number;
  readonly clock_skew_leeway: number;
}

export const usualLeeways: Leeways = { expiration_leeway: 150, not_before_leeway: 150, clock_skew_leeway: 60 };

export interface Moments {
  readonly iat: number | undefined;
  readonly nbf: number | undefined;
  readonly exp: number | undefined;
}

const inForce = (given: number, usual: number) => (given === 0 ? usual : Math.max(given, 0));

/** What is wrong with the moments (in seconds) at `now`, or undefined if nothing is. */
export function timeProblem({ iat, nbf, exp }: Moments, leeways: Leeways, now: number): string | undefined {
  const skew = inForce(leeways.clock_skew_leeway, usualLeeways.clock_skew_leeway);
  const late = inForce(leeways.expiration_leeway, usualLeeways.expiration_leeway);
  const early = inForce(leeways.not_before_leeway, usualLeeways.not_before_leeway);
  if (iat === undefined && nbf === undefined && exp === undefined) {
    return "no issued at (iat), not before (nbf), or expiration time (exp) claims in token";
  }
  const end = (exp ?? Math.max(iat ?? 0, nbf ?? 0)) + late;
  // A token that only says when it was issued is good from then on: that moment has no leeway of its own.
  const start = nbf !== undefined ? nbf - early : iat !== undefined ? iat : exp! - early;
  if (now < start - skew) return "invalid not before (nbf) claim: token not yet valid";
  if (now > end + skew) return "invalid expiration time (exp) claim: token is expired";
  if (iat !== undefined && now < iat - skew) return "invalid issued at (iat) claim: token issued in the future";
  return undefined;
}
