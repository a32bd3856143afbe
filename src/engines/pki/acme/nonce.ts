/**
 * Nonces against replay (RFC 8555, section 6.5). A nonce proves by itself that this mount made it and when, so handing one out
 * writes nothing; using it writes a mark under its name, which is what makes it good for one time only, on all processes.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Random, Storage } from "../../../api/engine.ts";

/** Longer than people wait between two steps of an order; a client with an older one is told a fresh one. */
const nonceSeconds = 600;
/** Marks are kept by the time of their making, so that old ones can be found. */
const bucketSeconds = 60;

const timeBytes = 5;
const randomBytes = 12;
const macBytes = 16;
const nonceBytes = timeBytes + randomBytes + macBytes;
const nonceLength = (nonceBytes * 4) / 3;

const keyName = "acme/nonce-key";
const marks = "acme/nonces/";
const mark = new Uint8Array(0);

export class Nonces {
  readonly #storage: Storage;
  readonly #random: Random;

  constructor(storage: Storage, random: Random) {
    this.#storage = storage;
    this.#random = random;
  }

  /** Called where writing is allowed: when ACME is switched on. */
  async prepare(): Promise<void> {
    if ((await this.#storage.get(keyName)) === undefined) this.#storage.put(keyName, this.#random.bytes(32));
  }

  /** Undefined where ACME was never switched on. */
  async make(now: Date): Promise<string | undefined> {
    const key = await this.#storage.get(keyName);
    if (key === undefined) return undefined;
    const head = Buffer.alloc(timeBytes + randomBytes);
    head.writeUIntBE(Math.floor(now.getTime() / 1000), 0, timeBytes);
    head.set(this.#random.bytes(randomBytes), timeBytes);
    return Buffer.concat([head, macOf(head, key)]).toString("base64url");
  }

  /** Whether it is one of ours and not too old; that it was not used yet shows when it is used. */
  async isGood(nonce: string, now: Date): Promise<boolean> {
    const bytes = readNonce(nonce);
    const key = await this.#storage.get(keyName);
    if (bytes === undefined || key === undefined) return false;
    const head = bytes.subarray(0, timeBytes + randomBytes);
    if (!timingSafeEqual(bytes.subarray(head.length), macOf(head, key))) return false;
    const age = Math.floor(now.getTime() / 1000) - madeAt(bytes);
    return age <= nonceSeconds;
  }

  /** False if somebody was faster: of two transactions that use the same nonce, the store lets one through. */
  async use(nonce: string): Promise<boolean> {
    const bytes = readNonce(nonce)!;
    const key = `${marks}${bucketName(madeAt(bytes))}/${nonce}`;
    if ((await this.#storage.get(key)) !== undefined) return false;
    this.#storage.put(key, mark);
    return true;
  }

  /** Removes marks of nonces that are too old to be used again, up to a number; tells how many there were. */
  async forgetOld(now: Date, limit: number): Promise<number> {
    const oldest = bucketName(Math.floor(now.getTime() / 1000) - nonceSeconds - 2 * bucketSeconds);
    const [bucket] = await this.#storage.list(marks, { limit: 1 });
    if (bucket === undefined || bucket.slice(0, -1) >= oldest) return 0;
    const names = await this.#storage.list(marks + bucket, { limit });
    for (const name of names) this.#storage.delete(marks + bucket + name);
    return names.length;
  }
}

function readNonce(nonce: string): Buffer | undefined {
  if (nonce.length !== nonceLength) return undefined;
  const bytes = Buffer.from(nonce, "base64url");
  return bytes.length === nonceBytes && bytes.toString("base64url") === nonce ? bytes : undefined;
}

const madeAt = (bytes: Buffer): number => bytes.readUIntBE(0, timeBytes);

/** Sorts by time as text. */
const bucketName = (seconds: number): string => String(Math.floor(seconds / bucketSeconds)).padStart(10, "0");

const macOf = (head: Uint8Array, key: Uint8Array): Uint8Array =>
  createHmac("sha256", key).update(head).digest().subarray(0, macBytes);
