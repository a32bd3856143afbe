/**
 * Shamir's secret sharing over GF(2^8): any `threshold` shares give the secret back, fewer say nothing about it.
 * A share is one byte per byte of the secret, then its x-coordinate.
 */
import type { Random } from "../../api/engine.ts";
import { emptyKey, wipe } from "./key-material.ts";

export const mostShares = 255;

/** The shares cannot be points of one polynomial; its words are fit for the caller. */
export class MalformedShares extends Error {
  override readonly name = "MalformedShares";
}

/** Multiplies modulo x^8 + x^4 + x^3 + x + 1 without a table or a branch that depends on the operands. */
function multiply(left: number, right: number): number {
  let product = 0;
  for (let bit = 0; bit < 8; bit += 1) {
    product ^= left & -((right >> bit) & 1);
    left = (left << 1) ^ (0x11b & -(left >> 7));
  }
  return product;
}

/** `value` to the power of 254, which is its inverse (and 0 for 0), by a chain that is the same for every value. */
function invert(value: number): number {
  let power = value;
  let inverse = 1;
  for (let bit = 1; bit < 8; bit += 1) {
    power = multiply(power, power);
    inverse = multiply(inverse, power);
  }
  return inverse;
}

/** Splits `secret` into `shares` shares; a single share is the plain secret, without a coordinate. */
export function splitSecret(secret: Uint8Array, shares: number, threshold: number, random: Random): Buffer[] {
  if (secret.length === 0) throw new RangeError("an empty secret cannot be split");
  if (!Number.isInteger(shares) || shares < 1 || shares > mostShares) {
    throw new RangeError(`the number of shares must be between 1 and ${mostShares}, not ${shares}`);
  }
  if (!Number.isInteger(threshold) || threshold > shares || threshold < Math.min(shares, 2)) {
    throw new RangeError(`the threshold must be between ${Math.min(shares, 2)} and ${shares}, not ${threshold}`);
  }
  if (shares === 1) {
    const only = emptyKey(secret.length);
    only.set(secret);
    return [only];
  }
  // One polynomial for each byte: the secret is its value at 0, and every other coefficient is uniformly random.
  const coefficients = random.bytes(secret.length * (threshold - 1));
  const result = Array.from({ length: shares }, (_, index) => shareAt(index + 1, secret, coefficients, threshold - 1));
  wipe(coefficients);
  return result;
}

function shareAt(x: number, secret: Uint8Array, coefficients: Uint8Array, degree: number): Buffer {
  const share = emptyKey(secret.length + 1);
  for (let index = 0; index < secret.length; index += 1) {
    let y = 0;
    for (let power = 0; power < degree; power += 1) y = multiply(y ^ coefficients[index * degree + power]!, x);
    share[index] = y ^ secret[index]!;
  }
  share[secret.length] = x;
  return share;
}

/** The secret that these shares hide. Too few or wrong ones give noise, so the caller must check what comes back. */
export function combineShares(shares: readonly Uint8Array[]): Buffer {
  const xs = coordinates(shares);
  const secret = emptyKey(shares[0]!.length - 1);
  for (const [position, share] of shares.entries()) {
    const weight = weightAtZero(position, xs);
    for (let index = 0; index < secret.length; index += 1) secret[index]! ^= multiply(share[index]!, weight);
  }
  return secret;
}

/** Lagrange's basis polynomial of one share, at 0. Coordinates are no secret. */
function weightAtZero(position: number, xs: readonly number[]): number {
  const own = xs[position]!;
  return xs.reduce(
    (weight, x, index) => (index === position ? weight : multiply(weight, multiply(x, invert(x ^ own)))),
    1,
  );
}

function coordinates(shares: readonly Uint8Array[]): number[] {
  if (shares.length < 2) throw new MalformedShares("at least two key shares are needed to combine them");
  const length = shares[0]!.length;
  if (length < 2) throw new MalformedShares("a key share is too short");
  if (shares.some((share) => share.length !== length)) {
    throw new MalformedShares("the key shares differ in length, so they do not belong together");
  }
  const xs = shares.map((share) => share[length - 1]!);
  if (xs.includes(0)) throw new MalformedShares("a key share is malformed");
  if (new Set(xs).size !== xs.length) {
    throw new MalformedShares("two different key shares claim the same place, so they do not belong together");
  }
  return xs;
}
