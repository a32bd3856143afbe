/**
 * Makes a new root token when enough holders of key shares agree. It leaves encrypted with a one-time password that
 * only who started it knows. Progress is kept in this process alone, and is gone when it is sealed or ends.
 */

import type { Random } from "../../api/engine.ts";
import { invalidRequest, sealed } from "../../api/errors.ts";
import { authorityQuorum, requireAuthority } from "./authority.ts";
import type { Foundation } from "./foundation.ts";
import { wipe } from "./key-material.ts";
import { parseShare } from "./key-share.ts";
import { operationId } from "./operation-id.ts";
import type { ShareRequest } from "./rekey-replies.ts";
import { refusePgp } from "./seal-config.ts";
import { ShareCollector } from "./share-collector.ts";
import { Turnstile } from "./turnstile.ts";

export interface RootTokens {
  readonly tokenLength: number;
  /** Makes and stores a root token of this length, once the shares are checked. */
  create(length: number): Promise<string>;
}

/** Clients of servers whose tokens are longer bring a longer password; the token is then made as long. */
const maxPasswordBytes = 64;

export interface GenerateRootRequest {
  readonly otp?: string | undefined;
  readonly pgp_key?: string | undefined;
}

export interface GenerateRootStatus {
  readonly nonce: string;
  readonly started: boolean;
  readonly progress: number;
  readonly required: number;
  readonly complete: boolean;
  readonly encoded_token: string;
  /** The older name of `encoded_token`. */
  readonly encoded_root_token: string;
  readonly pgp_fingerprint: string;
  readonly otp: string;
  readonly otp_length: number;
}

interface Attempt {
  readonly nonce: string;
  readonly otp: string;
  readonly shares: ShareCollector;
}

export class GenerateRoot {
  readonly #foundation: Foundation;
  readonly #tokens: RootTokens;
  readonly #turnstile = new Turnstile();
  #attempt: Attempt | undefined;

  constructor(foundation: Foundation, tokens: RootTokens) {
    this.#foundation = foundation;
    this.#tokens = tokens;
  }

  async status(): Promise<GenerateRootStatus> {
    this.#requireUnsealed();
    const { threshold } = await authorityQuorum(this.#foundation);
    return this.#statusOf(this.#attempt, threshold);
  }

  /** Answers the one-time password only if it was made here. */
  start({ otp = "", pgp_key }: GenerateRootRequest): Promise<GenerateRootStatus> {
    return this.#turnstile.run(async () => {
      this.#requireUnsealed();
      refusePgp({ pgp_key });
      const { random } = this.#foundation;
      const { tokenLength } = this.#tokens;
      const bytes = Buffer.byteLength(otp);
      if (otp !== "" && (bytes < tokenLength || bytes > maxPasswordBytes)) {
        const allowed = `${tokenLength} bytes, or more up to ${maxPasswordBytes}`;
        throw invalidRequest(`OTP string is wrong length: it must have ${allowed}, not ${bytes}`);
      }
      if (this.#attempt !== undefined) throw invalidRequest("root generation already in progress");
      const { threshold } = await authorityQuorum(this.#foundation);
      if (threshold === 0) {
        throw invalidRequest("this server has no recovery key whose shares could authorize a root token");
      }
      const secret = otp === "" ? newPassword(tokenLength, random) : otp;
      this.#attempt = { nonce: operationId(random), otp: secret, shares: new ShareCollector() };
      return { ...this.#statusOf(this.#attempt, threshold), otp: otp === "" ? secret : "" };
    });
  }

  update({ key = "", nonce = "" }: ShareRequest): Promise<GenerateRootStatus> {
    return this.#turnstile.run(async () => {
      this.#requireUnsealed();
      const attempt = this.#attempt;
      if (attempt === undefined) throw invalidRequest("no root generation in progress");
      if (nonce !== attempt.nonce) {
        throw invalidRequest("incorrect nonce supplied; it must be the one of the root generation in progress");
      }
      const quorum = await authorityQuorum(this.#foundation);
      const isNew = attempt.shares.add(parseShare(key, quorum));
      // When there are enough already, the store failed before they were checked: then any of them tries once more.
      if (!isNew && attempt.shares.count < quorum.threshold) {
        throw invalidRequest("given key has already been provided during this generation operation");
      }
      const status = this.#statusOf(attempt, quorum.threshold);
      if (attempt.shares.count < quorum.threshold) return status;
      const encoded = await this.#finish(attempt);
      return { ...status, complete: true, encoded_token: encoded, encoded_root_token: encoded };
    });
  }

  /** With a nonce only the attempt of that nonce; without, whichever there is. */
  cancel(nonce?: string): Promise<void> {
    return this.#turnstile.run(async () => {
      if (this.#attempt === undefined) return;
      if (nonce !== undefined && nonce !== this.#attempt.nonce) {
        throw invalidRequest("incorrect nonce supplied; it must be the one of the root generation in progress");
      }
      this.#attempt.shares.clear();
      this.#attempt = undefined;
    });
  }

  async #finish({ otp, shares }: Attempt): Promise<string> {
    wipe(await requireAuthority(this.#foundation, shares, "root generation"));
    // Forgotten before the token is made: whatever comes of it, these shares have bought one token at most.
    shares.clear();
    const encoded = encodeToken(await this.#tokens.create(Buffer.byteLength(otp)), otp);
    this.#attempt = undefined;
    return encoded;
  }

  #statusOf(attempt: Attempt | undefined, required: number): GenerateRootStatus {
    return {
      nonce: attempt?.nonce ?? "",
      started: attempt !== undefined,
      progress: attempt?.shares.count ?? 0,
      required,
      complete: false,
      encoded_token: "",
      encoded_root_token: "",
      pgp_fingerprint: "",
      otp: "",
      otp_length: this.#tokens.tokenLength,
    };
  }

  #requireUnsealed(): void {
    if (this.#foundation.barrier.isSealed) throw sealed();
  }
}

/** Token and one-time password, combined bit by bit, as base64 without padding. */
export function encodeToken(token: string, otp: string): string {
  const [left, right] = [Buffer.from(token), Buffer.from(otp)];
  if (left.length !== right.length) throw new Error("the root token and the one-time password differ in length");
  return exclusiveOr(left, right).toString("base64").replaceAll("=", "");
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function decodeToken({ encoded_token = "", otp = "" }: { encoded_token?: string; otp?: string }): string {
  if (encoded_token === "") throw invalidRequest("missing encoded_token");
  if (otp === "") throw invalidRequest("missing otp");
  if (!base64.test(encoded_token)) throw invalidRequest("encoded_token must be base64");
  const [left, right] = [Buffer.from(encoded_token, "base64"), Buffer.from(otp)];
  if (left.length !== right.length) {
    throw invalidRequest("encoded_token and otp do not belong together: they differ in length");
  }
  return exclusiveOr(left, right).toString();
}

function exclusiveOr(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ right[index]!));
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Draws again where a byte would make some characters likelier than others. */
function newPassword(length: number, random: Random): string {
  const limit = 256 - (256 % alphabet.length);
  let password = "";
  while (password.length < length) {
    const [byte] = random.bytes(1);
    if (byte! < limit) password += alphabet[byte! % alphabet.length];
  }
  return password;
}
