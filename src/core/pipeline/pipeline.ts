/** A request passes through stages in order; each may refuse it, or see the answer on its way back. */
import type { Exchange } from "./exchange.ts";

export type Next = () => Promise<unknown>;
export type Stage = (exchange: Exchange, next: Next) => Promise<unknown>;

export function pipeline(stages: readonly Stage[]) {
  return (exchange: Exchange): Promise<unknown> => {
    const run = (index: number): Promise<unknown> => {
      const stage = stages[index];
      return stage ? stage(exchange, () => run(index + 1)) : Promise.resolve(undefined);
    };
    return run(0);
  };
}
