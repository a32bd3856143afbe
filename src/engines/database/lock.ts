/** One holder at a time for work that touches the outside, across all processes: a record in the store, with an end. */
import { setTimeout } from "node:timers/promises";
import { Single } from "../../api/collection.ts";
import { ApiError } from "../../api/errors.ts";
import { randomBase62 } from "../../lib/base62.ts";
import type { DatabaseServices, Transact } from "./services.ts";

interface LockRecord {
  readonly owner: string;
  /** Milliseconds since the epoch, when others may take it from a holder that died. */
  readonly until: number;
}

/** Longer than all calls to a database that are made under one lock. */
const holdMs = 120_000;
const waitMs = 20_000;
const lookEveryMs = 100;

/** Refuses when the lock has gone to somebody else meanwhile; for every transaction under the lock. */
export type Fence = (services: DatabaseServices) => Promise<void>;

const lockIn = ({ storage }: DatabaseServices, name: string) => new Single<LockRecord>(storage, `lock/${name}`);

export async function withLock<T>(transact: Transact, name: string, work: (fence: Fence) => Promise<T>): Promise<T> {
  const owner = await acquire(transact, name);
  const fence: Fence = async (services) => {
    if ((await lockIn(services, name).get())?.owner !== owner) throw lost(name);
  };
  try {
    return await work(fence);
  } finally {
    await transact(async (services) => {
      const lock = lockIn(services, name);
      if ((await lock.get())?.owner === owner) lock.delete();
    }).catch(() => undefined);
  }
}

async function acquire(transact: Transact, name: string): Promise<string> {
  for (let waited = 0; waited <= waitMs; waited += lookEveryMs) {
    const owner = await transact(async (services) => tryAcquire(services, name));
    if (owner !== undefined) return owner;
    await setTimeout(lookEveryMs);
  }
  throw new ApiError(503, `another rotation of ${name} is under way; try again later`);
}

async function tryAcquire(services: DatabaseServices, name: string): Promise<string | undefined> {
  const lock = lockIn(services, name);
  const held = await lock.get();
  const now = services.clock.now();
  if (held && held.until > now) return undefined;
  const owner = randomBase62(16, services.random);
  lock.put({ owner, until: now + holdMs });
  return owner;
}

const lost = (name: string) => new ApiError(503, `the rotation of ${name} was taken over by another process`);
