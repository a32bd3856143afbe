/** What the tests of the seal stand on: processes that share a small store, and a store that fails on demand. */
import { randomBytes } from "node:crypto";
import { MemoryStore } from "../storage/memory.ts";
import { type Batch, Conflict, type Page, type Store } from "../storage/store.ts";
import type { Seal } from "./seal.ts";
import { SealControl } from "./seal-control.ts";
import { StaticSeal } from "./static-seal.ts";

export const random = { bytes: (count: number) => randomBytes(count) };

/** Every value in the store, in the order of keys. */
export async function allValues(store: Store, prefix = ""): Promise<Uint8Array[]> {
  const values: Uint8Array[] = [];
  for (const name of await store.list(prefix)) {
    if (name.endsWith("/")) values.push(...(await allValues(store, prefix + name)));
    else values.push((await store.get(prefix + name))!.value);
  }
  return values;
}

export const rawValue = async (store: Store, key: string) => Buffer.from((await store.get(key))!.value);

/** What somebody does who has the store, but no key. */
export async function overwrite(store: Store, key: string, value: Uint8Array): Promise<void> {
  await store.commit({ expect: new Map(), puts: new Map([[key, value]]), deletes: new Set() });
}

export async function remove(store: Store, key: string): Promise<void> {
  await store.commit({ expect: new Map(), puts: new Map(), deletes: new Set([key]) });
}

/** How one call goes wrong. Reads can only fail. */
export type Fault =
  | "fails"
  | "fails after it happened"
  | "fails after it happened, and so does the next call"
  | "conflicts";

/** A store of which one call goes wrong, or is the moment of something else. */
export class FaultyStore extends MemoryStore {
  /** Whether that call was reached. */
  hasFailed = false;
  commits = 0;
  #fault: { calls: number; kind: Fault; commitsOnly: boolean; event?: () => void } | undefined;
  #nextFails = false;

  /** The call with this number, counted from 1 and from now on, goes wrong. */
  failAt(call: number, kind: Fault): void {
    this.hasFailed = false;
    this.#fault = { calls: call, kind, commitsOnly: false };
  }

  failNextCommit(kind: Fault): void {
    this.hasFailed = false;
    this.#fault = { calls: 1, kind, commitsOnly: true };
  }

  recover(): void {
    this.#fault = undefined;
    this.#nextFails = false;
  }

  /** Something else that happens during the call with this number. */
  happenAt(call: number, event: () => void): void {
    this.hasFailed = false;
    this.#fault = { calls: call, kind: "fails", commitsOnly: false, event };
  }

  override async get(key: string) {
    if (this.#next() !== undefined) throw new Error("the disk cannot be read");
    return super.get(key);
  }

  override async list(prefix: string, page?: Page) {
    if (this.#next() !== undefined) throw new Error("the disk cannot be read");
    return super.list(prefix, page);
  }

  override async commit(batch: Batch) {
    this.commits += 1;
    const fault = this.#next(true);
    if (fault === "fails") throw new Error("the disk is full");
    if (fault === "conflicts") throw new Conflict([...batch.expect.keys()][0] ?? "");
    await super.commit(batch);
    if (fault === undefined) return;
    this.#nextFails = fault.endsWith("next call");
    throw new Error("the answer was lost");
  }

  #next(isCommit = false): Fault | undefined {
    if (this.#nextFails) {
      this.#nextFails = false;
      return "fails";
    }
    if (this.#fault === undefined || (this.#fault.commitsOnly && !isCommit)) return undefined;
    this.#fault.calls -= 1;
    if (this.#fault.calls > 0) return undefined;
    const { kind, event } = this.#fault;
    this.#fault = undefined;
    this.hasFailed = true;
    event?.();
    return event === undefined ? kind : undefined;
  }
}

export class ManualClock {
  time = Date.parse("2026-03-01T12:00:00Z");
  now() {
    return this.time;
  }
}

export const staticKey = { id: "one", key: randomBytes(32) };
export const newStaticSeal = () => new StaticSeal(random, staticKey);

export const rootToken = "s.abcdefghijklmnopqrstuvwx";

/** One server process on a store that others may share. */
export function newProcess(store: Store, autoSeal?: Seal, clock = new ManualClock()) {
  const reasons: string[] = [];
  const control = new SealControl({
    store,
    autoSeal,
    clock,
    random,
    rootTokens: { tokenLength: rootToken.length, create: async (length) => rootToken.padEnd(length, "x") },
    onSealed: (reason) => reasons.push(reason),
  });
  return Object.assign(control, { reasons });
}

export type Process = ReturnType<typeof newProcess>;

export async function unsealWith(process: Process, keys: readonly string[]): Promise<void> {
  for (const key of keys) await process.unseal({ key });
}

/** A process with three shares, two of which unseal. */
export async function newUnsealed(store: Store = new MemoryStore()) {
  const process = newProcess(store);
  const { keys } = await process.initialize({ secret_shares: 3, secret_threshold: 2 });
  await unsealWith(process, keys.slice(0, 2));
  return { store, process, keys };
}

/** A process that unseals itself, with three shares of a recovery key, two of which are enough. */
export async function newAutoUnsealed(store: Store = new MemoryStore()) {
  const process = newProcess(store, newStaticSeal());
  const { recovery_keys } = await process.initialize({ recovery_shares: 3, recovery_threshold: 2 });
  await process.openAutomatically();
  return { store, process, keys: recovery_keys! };
}

/** Writes and reads as the rest of the server does. */
export async function put({ barrier }: Process, store: Store, key: string, value: string): Promise<void> {
  await overwrite(store, key, barrier.encrypt(key, Buffer.from(value)));
}

export async function read({ barrier }: Process, store: Store, key: string): Promise<string> {
  return Buffer.from(barrier.decrypt(key, (await store.get(key))!.value)).toString();
}
