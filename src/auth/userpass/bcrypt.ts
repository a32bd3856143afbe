/** Checks passwords against bcrypt hashes that were made elsewhere. New hashes are argon2id. */
import { timingSafeEqual } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { Blowfish, keyWords } from "./blowfish.ts";

const form = /^\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;
const alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** "OrpheanBeholderScryDoubt" */
const plain = [0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274];

const leastCost = 4;
/** A check of this cost takes a second or two of one core. */
export const mostCost = 14;
/** Bytes of a password that bcrypt looks at. */
const longestPassword = 72;
/** Rounds between two breaths of the event loop: one or two milliseconds. */
const perTurn = 16;

interface BcryptHash {
  readonly cost: number;
  readonly salt: Uint8Array;
  readonly digest: Uint8Array;
}

/** Undefined for what is not a bcrypt hash, or costs too much to check. */
export function parseBcrypt(text: string): BcryptHash | undefined {
  const [, cost, salt, digest] = form.exec(text) ?? [];
  if (!cost || !salt || !digest || Number(cost) < leastCost || Number(cost) > mostCost) return undefined;
  return { cost: Number(cost), salt: decode(salt, 16), digest: decode(digest, 23) };
}

let turn: Promise<unknown> = Promise.resolve();

/** One at a time, and in slices, since it runs on the thread that serves everybody. */
export function matchesBcrypt(hash: BcryptHash, password: string): Promise<boolean> {
  const check = async () => timingSafeEqual(await digestOf(hash, password), hash.digest);
  const result = turn.then(check);
  turn = result.catch(() => {});
  return result;
}

async function digestOf({ cost, salt }: BcryptHash, password: string): Promise<Uint8Array> {
  const bytes = Buffer.from(`${password}\0`, "utf8").subarray(0, longestPassword);
  const key = keyWords(bytes);
  const saltKey = keyWords(salt);
  const cipher = new Blowfish();
  cipher.expand(key, saltKey.subarray(0, 4));
  for (let round = 0; round < 2 ** cost; round++) {
    if (round % perTurn === 0) await setImmediate();
    cipher.expand(key);
    cipher.expand(saltKey);
  }
  const words = Int32Array.from(plain);
  for (let i = 0; i < words.length; i += 2) {
    const block = words.subarray(i, i + 2);
    for (let times = 0; times < 64; times++) cipher.encrypt(block);
  }
  const digest = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) digest.writeInt32BE(word, index * 4);
  return digest.subarray(0, 23);
}

/** Base64 with an alphabet of its own, and without padding. */
function decode(text: string, length: number): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of text) {
    bits = ((bits << 6) | alphabet.indexOf(character)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 255);
  }
  return Uint8Array.from(bytes.slice(0, length));
}
