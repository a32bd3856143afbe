/** When a worker that died is replaced: at once, unless they die again and again. */

const shortestMs = 100;
const longestMs = 10_000;
/** Who lived as long as this died of something new. */
const longLifeMs = 60_000;

export class ReplacementDelay {
  #next = 0;

  /** Milliseconds to wait, given how long the dead one lived. */
  after(livedMs: number): number {
    const delay = livedMs >= longLifeMs ? 0 : this.#next;
    this.#next = Math.min(longestMs, Math.max(shortestMs, delay * 2));
    return delay;
  }
}
