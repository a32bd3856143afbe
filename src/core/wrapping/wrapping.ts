/** Answers kept behind a token that is good for one use: whoever unwraps knows that nobody else has read it. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import type { WrapInfo } from "../../api/reply.ts";
import { storagePrefix } from "../mounts/live-mounts.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import { wrappingPolicyName } from "../policies/policy-name.ts";
import { homeStorage } from "../tokens/home-storage.ts";
import type { Revocation } from "../tokens/revocation.ts";
import { isExpired, type Token } from "../tokens/token.ts";
import { homeOfId } from "../tokens/token-home.ts";
import { rootToken, type Tokens } from "../tokens/tokens.ts";

interface WrappedRecord {
  /** The answer, as JSON text. */
  readonly response: string;
  readonly creation_path: string;
  readonly creation_time: string;
  readonly creation_ttl: number;
}

export class Wrapping {
  readonly #tokens: Tokens;
  readonly #revocation: Revocation;

  constructor(tokens: Tokens, revocation: Revocation) {
    this.#tokens = tokens;
    this.#revocation = revocation;
  }

  async wrap(response: string, seconds: number, path: string, now: Date, storage: Storage): Promise<WrapInfo> {
    const { id, token } = await this.#tokens.issue(
      {
        ...rootToken,
        policies: [wrappingPolicyName],
        path,
        display_name: "response-wrapping",
        num_uses: 1,
        creation_ttl: seconds,
        explicit_max_ttl: seconds,
        expires: now.getTime() + seconds * 1000,
      },
      now,
      storage,
    );
    const record: WrappedRecord = {
      response,
      creation_path: path,
      creation_time: now.toISOString(),
      creation_ttl: seconds,
    };
    storage.put(await placeOf(token, storage), recordBytes(record));
    const { creation_path, creation_time } = record;
    return { token: id, accessor: token.accessor, ttl: seconds, creation_time, creation_path };
  }

  /** What can be told without using the token up. */
  async lookup(id: string, now: Date, storage: Storage) {
    const { creation_path, creation_time, creation_ttl } = (await this.#open(id, now, storage)).record;
    return { creation_path, creation_time, creation_ttl };
  }

  /**
   * The answer, once: the token dies with this transaction. Answers its key, for `Revocation.finish`. Whoever holds the
   * token may open it, whichever namespace they ask in.
   */
  async unwrap(id: string, now: Date, storage: Storage): Promise<{ record: WrappedRecord; key: string }> {
    const { token, record } = await this.#open(id, now, storage);
    this.#revocation.begin(token, homeStorage(token, storage));
    return { record, key: token.key };
  }

  async #open(id: string, now: Date, storage: Storage): Promise<{ token: Token; record: WrappedRecord }> {
    const { whole } = scopeOf(storage);
    const home = id === "" ? undefined : await homeOfId(id, whole);
    const token = home && (await this.#tokens.find(id, storageOf(home, whole)));
    if (!token || isExpired(token, now) || token.policies[0] !== wrappingPolicyName) throw invalidWrapping();
    return { token, record: await this.#read(token, storage) };
  }

  async #read(token: Token, storage: Storage): Promise<WrappedRecord> {
    const home = homeStorage(token, storage);
    const record = (await home.read(await placeOf(token, home), parseRecord)) as WrappedRecord | undefined;
    if (!record) throw invalidWrapping();
    return record;
  }

  /** For the token that calls, whose one use the pipeline has spent already. */
  async ownResponse(token: Token, storage: Storage): Promise<WrappedRecord> {
    if (token.policies[0] !== wrappingPolicyName) throw invalidWrapping();
    return this.#read(token, storage);
  }
}

export const invalidWrapping = () => invalidRequest("wrapping token is not valid or does not exist");

/** In the token's own cubbyhole, where nobody else can look, and which goes when the token goes. */
async function placeOf({ key }: Token, storage: Storage): Promise<string> {
  const cubbyhole = (await readMountTable(storage)).entries.find(({ type }) => type === "cubbyhole");
  if (!cubbyhole) throw new Error("there is no cubbyhole to keep wrapped answers in");
  return `${storagePrefix(cubbyhole)}${key}/response`;
}
