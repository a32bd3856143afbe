/** Lets so many calls through at once; the rest wait in order, not too many of them and not for too long. */
import { busy, unanswered } from "./failure.ts";

export interface GateLimits {
  readonly width: number;
  readonly queue: number;
  readonly waitMs: number;
  /** How long one call may take once it is through. */
  readonly callMs: number;
}

interface Waiting {
  enter(): void;
  giveUp(): void;
}

export class Gate {
  readonly #limits: GateLimits;
  readonly #waiting: Waiting[] = [];
  #inside = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    const underway = (async () => work())();
    // A call that hangs gives its answer up in time, but keeps its place until it ends: the database is still at it.
    underway.then(this.#leave, this.#leave);
    return withinTime(underway, this.#limits.callMs);
  }

  #enter(): Promise<void> {
    const { width, queue, waitMs } = this.#limits;
    if (this.#inside < width) {
      this.#inside += 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= queue) {
      throw busy(`${queue} requests wait for the database already; try again later`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => waiting.giveUp(), waitMs);
    const waiting: Waiting = {
      enter: () => {
        clearTimeout(timer);
        resolve();
      },
      giveUp: () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(busy(`no free connection to the database within ${waitMs / 1000} seconds; try again later`));
      },
    };
    this.#waiting.push(waiting);
    return promise;
  }

  readonly #leave = (): void => {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#inside -= 1;
  };
}

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(unanswered(`the database gave no answer within ${milliseconds / 1000} seconds`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
