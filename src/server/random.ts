/** The system's random bytes, many drawn at once: a call for each token and nonce would cost more than what it is for. */
import { randomFillSync } from "node:crypto";
import type { Random } from "../api/engine.ts";

const poolBytes = 4096;
/** Larger wishes are rare, and would empty the pool. */
const mostFromPool = 256;

class PooledRandom implements Random {
  readonly #pool = Buffer.allocUnsafeSlow(poolBytes);
  #used = poolBytes;

  bytes(count: number): Uint8Array {
    if (count > mostFromPool) return randomFillSync(Buffer.allocUnsafeSlow(count));
    if (this.#used + count > poolBytes) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const given = Buffer.allocUnsafeSlow(count);
    this.#pool.copy(given, 0, this.#used, this.#used + count);
    // What was given out becomes somebody's key or token, and must not lie here as well.
    this.#pool.fill(0, this.#used, this.#used + count);
    this.#used += count;
    return given;
  }
}

export const random: Random = new PooledRandom();
