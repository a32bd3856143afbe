/** Passwords as they are stored: argon2id with its parameters beside it, or a bcrypt hash that was brought along. */
import { type Argon2Parameters, argon2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Random } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { matchesBcrypt, mostCost, parseBcrypt } from "./bcrypt.ts";

/** What OWASP asks of argon2id at the least: 19 MiB, two passes, one lane. */
const current = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const digestBytes = 32;

const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** Runs in the thread pool. */
const derive = promisify<"argon2id", Argon2Parameters, Buffer>(argon2);

export class Passwords {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  async hash(password: string): Promise<string> {
    const salt = this.#random.bytes(saltBytes);
    const digest = await digestOf(password, salt, current);
    const { memory, passes, parallelism } = current;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(digest)}`;
  }

  /** False, after as much work, when nothing is stored: the time that it takes does not tell who exists. */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const imported = stored === undefined ? undefined : parseBcrypt(stored);
    if (imported) return matchesBcrypt(imported, password);
    const kept = stored === undefined ? undefined : parseArgon2(stored);
    const salt = kept?.salt ?? this.#random.bytes(saltBytes);
    const digest = await digestOf(password, salt, kept?.parameters ?? current);
    return kept !== undefined && timingSafeEqual(digest, kept.digest);
  }
}

/** Whether a stored hash is as strong as those that are made today. */
export function isCurrentHash(stored: string): boolean {
  const { memory, passes, parallelism } = current;
  return stored.startsWith(`$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`);
}

/** A hash that a caller brings along. */
export function requireImportable(hash: string): string {
  if (!parseBcrypt(hash)) {
    throw invalidRequest(
      `'password_hash' is a bcrypt hash such as $2b$10$ and 53 more characters, with a cost of at most ${mostCost}`,
    );
  }
  return hash;
}

function parseArgon2(stored: string) {
  const [, memory, passes, parallelism, salt, digest] = form.exec(stored) ?? [];
  if (!salt || !digest) throw new Error("a stored password hash has an unknown form");
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    digest: Buffer.from(digest, "base64"),
  };
}

const digestOf = (password: string, salt: Uint8Array, parameters: typeof current): Promise<Buffer> =>
  derive("argon2id", { message: Buffer.from(password, "utf8"), nonce: salt, tagLength: digestBytes, ...parameters });

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "");
