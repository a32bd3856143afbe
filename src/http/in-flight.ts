/** The requests that are being worked on or answered: who has taken too long, and when all are done. */
import type { Socket } from "node:net";

interface RequestInFlight {
  /** By the clock `now`. */
  readonly deadline: number;
  expire(): void;
  isAnswering(socket: Socket): boolean;
}

/** A look once a second is exact enough, and spares each request a timer of its own. */
const slowestLook = 1_000;
const fastestLook = 10;

export class InFlight {
  /** Milliseconds, as old as the last look. */
  now = performance.now();
  isDraining = false;
  private readonly requests = new Set<RequestInFlight>();
  private readonly timer: NodeJS.Timeout;
  private whenEmpty: (() => void) | undefined;

  /** `shortest` of the times, in milliseconds, that requests are given. */
  constructor(shortest: number) {
    const interval = Math.min(slowestLook, Math.max(fastestLook, shortest / 4));
    this.timer = setInterval(() => this.look(), interval).unref();
  }

  get size(): number {
    return this.requests.size;
  }

  add(request: RequestInFlight): void {
    this.requests.add(request);
  }

  delete(request: RequestInFlight): void {
    this.requests.delete(request);
    if (this.requests.size === 0) this.whenEmpty?.();
  }

  /** Waits until nothing is in flight, or the time is over. */
  async drain(milliseconds: number): Promise<void> {
    this.isDraining = true;
    if (this.requests.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.whenEmpty = resolve;
    const timer = setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  isAnswering(socket: Socket): boolean {
    for (const request of this.requests) if (request.isAnswering(socket)) return true;
    return false;
  }

  private look(): void {
    this.now = performance.now();
    for (const request of this.requests) if (request.deadline <= this.now) request.expire();
  }
}
