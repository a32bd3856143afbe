/** Accounts: a key that asks for certificates under one directory, and what its holder told about itself. */
import { hash } from "node:crypto";
import { Collection } from "../../../api/collection.ts";
import type { Random, Storage } from "../../../api/engine.ts";
import type { PageRequest } from "../../../api/list-fields.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { importJwk, type VerificationKey } from "../../../lib/jws/key.ts";
import { thumbprint } from "../../../lib/jws/thumbprint.ts";
import { isId, newId } from "./id.ts";

type AccountStatus = "valid" | "deactivated" | "revoked";

export interface Account {
  readonly id: string;
  /** Path of its directory: elsewhere it is unknown. */
  readonly directory: string;
  readonly status: AccountStatus;
  readonly contact: readonly string[];
  readonly termsOfServiceAgreed: boolean;
  /** The public members only. */
  readonly jwk: Readonly<JsonObject>;
  readonly thumbprint: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** When its status became what it is. */
  readonly statusSince: number;
  readonly binding?: AccountBinding | undefined;
}

/** The external account that it was bound to when it was made. */
export interface AccountBinding {
  readonly id: string;
  /** As the client sent it, to be shown again. */
  readonly jws: Readonly<JsonObject>;
}

/** By the stored record, which is shared by all requests for as long as it is current. */
const importedKeys = new WeakMap<Account, VerificationKey>();

export function keyOf(account: Account): VerificationKey {
  const known = importedKeys.get(account);
  if (known) return known;
  const key = importJwk(account.jwk);
  importedKeys.set(account, key);
  return key;
}

const publicJwk = ({ key }: VerificationKey): JsonObject => ({ ...key.export({ format: "jwk" }) });

export class Accounts {
  readonly #records: Collection<Account>;
  /** Which account a key has in a directory: no two may share one. */
  readonly #keys: Collection<{ readonly account: string }>;
  readonly #random: Random;

  constructor(storage: Storage, random: Random) {
    this.#records = new Collection(storage, "acme/accounts/");
    this.#keys = new Collection(storage, "acme/keys/");
    this.#random = random;
  }

  async get(id: string): Promise<Account | undefined> {
    return isId(id) ? this.#records.get(id) : undefined;
  }

  async withKey(directory: string, key: VerificationKey): Promise<Account | undefined> {
    const found = await this.#keys.get(keyName(directory, thumbprint(key)));
    return found && this.#records.get(found.account);
  }

  create(
    about: Pick<Account, "directory" | "contact" | "termsOfServiceAgreed" | "binding">,
    key: VerificationKey,
    now: Date,
  ): Account {
    const account: Account = {
      ...about,
      id: newId(now, this.#random),
      status: "valid",
      jwk: publicJwk(key),
      thumbprint: thumbprint(key),
      created: now.getTime(),
      statusSince: now.getTime(),
    };
    this.#keys.put(keyName(account.directory, account.thumbprint), { account: account.id });
    this.#records.put(account.id, account);
    return account;
  }

  put(account: Account): void {
    this.#records.put(account.id, account);
  }

  /** The old key is free again. */
  changeKey(account: Account, key: VerificationKey): Account {
    const changed = { ...account, jwk: publicJwk(key), thumbprint: thumbprint(key) };
    this.#keys.delete(keyName(account.directory, account.thumbprint));
    this.#keys.put(keyName(changed.directory, changed.thumbprint), { account: account.id });
    this.#records.put(account.id, changed);
    return changed;
  }

  delete(account: Account): void {
    this.#keys.delete(keyName(account.directory, account.thumbprint));
    this.#records.delete(account.id);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }
}

/** Paths are hashed, since they may be longer than a key of the store. */
const keyName = (directory: string, print: string): string => `${hash("sha256", directory, "base64url")}/${print}`;
