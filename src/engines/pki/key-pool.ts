/**
 * Makes keys without holding up the server. RSA keys take their time, so a few of each size that was asked for are made
 * ahead; the others are made when they are asked for.
 */
import type { KeyObject } from "node:crypto";
import { availableParallelism } from "node:os";
import { generateKey, type KeyKind } from "../../lib/x509/key.ts";

const keptReady = 4;

export class KeyPool {
  readonly #stocks = new Map<number, Stock>();

  /** A private key that nobody else has. */
  take(kind: KeyKind): Promise<KeyObject> {
    return kind.type === "rsa" ? this.#stock(kind.bits).take() : generateKey(kind);
  }

  stop(): void {
    for (const stock of this.#stocks.values()) stock.stop();
  }

  #stock(bits: number): Stock {
    const known = this.#stocks.get(bits);
    if (known) return known;
    const made = new Stock(bits);
    this.#stocks.set(bits, made);
    return made;
  }
}

interface Waiter {
  resolve(key: KeyObject): void;
  reject(error: unknown): void;
}

/** Keys of one size. */
class Stock {
  readonly #bits: number;
  readonly #ready: KeyObject[] = [];
  readonly #waiting: Waiter[] = [];
  #underWay = 0;
  #isStopped = false;

  constructor(bits: number) {
    this.#bits = bits;
  }

  take(): Promise<KeyObject> {
    const ready = this.#ready.pop();
    const taken = ready
      ? Promise.resolve(ready)
      : new Promise<KeyObject>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#work();
    return taken;
  }

  stop(): void {
    this.#isStopped = true;
    this.#ready.length = 0;
  }

  /** As many at once as there are cores while somebody waits; one at a time to fill the stock. */
  #work(): void {
    while (this.#underWay < this.#wanted()) {
      this.#underWay += 1;
      generateKey({ type: "rsa", bits: this.#bits })
        .then(
          (key) => this.#made(key),
          (error: unknown) => this.#failed(error),
        )
        .finally(() => this.#work());
    }
  }

  #wanted(): number {
    if (this.#waiting.length > 0) return Math.min(this.#waiting.length, availableParallelism());
    return !this.#isStopped && this.#ready.length < keptReady ? 1 : 0;
  }

  #made(key: KeyObject): void {
    this.#underWay -= 1;
    const waiter = this.#waiting.shift();
    if (waiter) waiter.resolve(key);
    else if (!this.#isStopped) this.#ready.push(key);
  }

  #failed(error: unknown): void {
    this.#underWay -= 1;
    const waiter = this.#waiting.shift();
    if (waiter) waiter.reject(error);
    else this.#isStopped = true;
  }
}
