/**
 * Counts leases anew after their quotas were changed: each gets to know for which one it counts now. Begun with a durable
 * intent, done page by page, and done again from the beginning after a crash: counting twice changes nothing.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { type Lease, leaseFolder, leaseKey, pathOfLease } from "../leases/lease.ts";
import { isRootNamespace, type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import type { Records } from "../storage/records.ts";
import type { TokenLease } from "../tokens/token-lease.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { discountLease, leaseCount, leaseQuotaFor, setLeaseCount, storedLeaseQuotas } from "./lease-quotas.ts";

const intents = "sys/lease/recounting/";
const perCommit = 64;

interface Intent {
  readonly namespace?: Namespace;
  /** Leases below this path are counted. */
  readonly path: string;
}

/** Part of the commit that changes a quota. */
export function beginRecount(id: string, path: string, storage: Storage): void {
  const { namespace, whole } = scopeOf(storage);
  const intent: Intent = isRootNamespace(namespace) ? { path } : { namespace, path };
  whole.put(intents + id, recordBytes(intent));
}

export class LeaseRecount {
  readonly #records: Records;
  readonly #tokens: Tokens;

  constructor(records: Records, tokens: Tokens) {
    this.#records = records;
    this.#tokens = tokens;
  }

  /** Finishes what was begun, by this process or another; answers how many. */
  async resume(): Promise<number> {
    const ids = await this.#records.transaction((whole) => whole.list(intents));
    for (const id of ids) await this.finish(id);
    return ids.length;
  }

  async finish(id: string): Promise<void> {
    const intent = await this.#records.transaction(
      async (whole) => (await whole.read(intents + id, parseRecord)) as Intent | undefined,
    );
    if (!intent) return;
    await this.#walk(intent.path.slice(0, intent.path.lastIndexOf("/") + 1), intent.namespace ?? rootNamespace);
    await this.#records.transaction(async (whole) => whole.delete(intents + id));
  }

  async #walk(folder: string, namespace: Namespace): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = { after, limit: perCommit };
      const names = await this.#records.transaction((whole) =>
        storageOf(namespace, whole).list(leaseFolder + folder, page),
      );
      for (const name of names) if (name.endsWith("/")) await this.#walk(folder + name, namespace);
      const ids = names.filter((name) => !name.endsWith("/")).map((name) => folder + name);
      if (ids.length > 0) await this.#records.transaction((whole) => this.#assign(ids, storageOf(namespace, whole)));
      after = names.at(-1);
      if (names.length < perCommit) return;
    }
  }

  async #assign(ids: readonly string[], storage: Storage): Promise<void> {
    const rules = (await storedLeaseQuotas(storage)) ?? [];
    for (const id of ids) {
      const wanted = leaseQuotaFor(rules, pathOfLease(id))?.id;
      const stored = (await storage.read(leaseKey(id), parseRecord)) as Lease | TokenLease | undefined;
      if (!stored) continue;
      if ("secret" in stored) {
        if (stored.quota === wanted) continue;
        await move(stored.quota, wanted, storage);
        storage.put(leaseKey(id), recordBytes({ ...stored, quota: wanted } satisfies Lease));
        continue;
      }
      const token = await this.#tokens.byKey(stored.token, storage);
      if (!token || token.quota === wanted) continue;
      await move(token.quota, wanted, storage);
      this.#tokens.replace(token, { ...token, quota: wanted }, storage);
    }
  }
}

async function move(from: string | undefined, to: string | undefined, storage: Storage): Promise<void> {
  await discountLease(from, storage);
  if (to !== undefined) setLeaseCount(to, ((await leaseCount(to, storage)) ?? 0) + 1, storage);
}
