/** Stores leases with the indexes that find them: by id, by token, and by the time when they end. */
import { hash } from "node:crypto";
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { countLease, discountLease } from "../quotas/lease-quotas.ts";
import type { Cleanup } from "../tokens/revocation.ts";
import type { TokenLease } from "../tokens/token-lease.ts";
import { deleteDue, putDue } from "./due.ts";
import { type Lease, leaseFolder, leaseKey, pathOfLease } from "./lease.ts";

const byToken = "sys/lease/token/";
const byTrouble = "sys/lease/irrevocable/";

/** Ids are paths of any length; an index wants one short segment. */
const nameOf = (id: string) => hash("sha256", id, "base64url");

interface IndexEntry {
  readonly id: string;
}

export class Leases {
  async find(id: string, storage: Storage): Promise<Lease | undefined> {
    const found = await this.#stored(id, storage);
    return found && "secret" in found ? found : undefined;
  }

  /** The key of the token whose lease this is. */
  async tokenBehind(id: string, storage: Storage): Promise<string | undefined> {
    const found = await this.#stored(id, storage);
    return found && !("secret" in found) ? found.token : undefined;
  }

  /** Refuses with a 429 where a quota has no room for it. */
  async add(lease: Lease, storage: Storage): Promise<void> {
    const name = nameOf(lease.id);
    const quota = await countLease(pathOfLease(lease.id), storage);
    storage.put(leaseKey(lease.id), recordBytes(quota === undefined ? lease : { ...lease, quota }));
    putDue(lease.expires, name, { lease: lease.id }, storage);
    if (lease.token !== "") {
      storage.put(`${byToken}${lease.token}/${name}`, recordBytes({ id: lease.id } satisfies IndexEntry));
    }
  }

  /** Stores a changed lease, and moves it in the order of time. */
  replace(before: Lease, after: Lease, storage: Storage): void {
    const name = nameOf(before.id);
    deleteDue(before.expires, name, storage);
    storage.put(leaseKey(after.id), recordBytes(after));
    if (after.irrevocable) storage.put(byTrouble + name, recordBytes({ id: after.id } satisfies IndexEntry));
    else putDue(after.expires, name, { lease: after.id }, storage);
  }

  async remove(lease: Lease, storage: Storage): Promise<void> {
    const name = nameOf(lease.id);
    await discountLease(lease.quota, storage);
    storage.delete(leaseKey(lease.id));
    deleteDue(lease.expires, name, storage);
    if (lease.token !== "") storage.delete(`${byToken}${lease.token}/${name}`);
    if (lease.irrevocable) storage.delete(byTrouble + name);
  }

  /** Names below a path, one level; folders end in a slash. */
  list(prefix: string, storage: Storage, page?: PageRequest): Promise<string[]> {
    return storage.list(leaseFolder + prefix, page);
  }

  /** Leases that nobody could end, in the order of the index; a page begins after the lease with the id `after`. */
  async irrevocable(storage: Storage, { after, limit }: PageRequest = {}): Promise<Lease[]> {
    const names = await storage.list(byTrouble, { after: after === undefined ? undefined : nameOf(after), limit });
    const found = await Promise.all(
      names.map(async (name) => {
        const entry = (await storage.read(byTrouble + name, parseRecord)) as IndexEntry | undefined;
        return entry && this.find(entry.id, storage);
      }),
    );
    return found.filter((lease) => lease !== undefined);
  }

  /** Some ids of all leases whose id begins with a path; to be asked again until there are none. */
  async below(prefix: string, storage: Storage, most: number): Promise<string[]> {
    const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
    const ids: string[] = [];
    for (const name of await this.list(folder, storage, { limit: most })) {
      if (ids.length >= most) break;
      if (name.endsWith("/")) ids.push(...(await this.below(folder + name, storage, most - ids.length)));
      else ids.push(folder + name);
    }
    return ids;
  }

  /** Makes the leases of a dead token due at once; whoever leads ends them. */
  readonly cleanup: Cleanup = async (tokenKey, storage, most) => {
    const names = await storage.list(`${byToken}${tokenKey}/`, { limit: most });
    for (const name of names) {
      const entry = (await storage.read(`${byToken}${tokenKey}/${name}`, parseRecord)) as IndexEntry | undefined;
      const lease = entry && (await this.find(entry.id, storage));
      if (lease && !lease.irrevocable) this.replace(lease, { ...lease, token: "", expires: 0 }, storage);
      storage.delete(`${byToken}${tokenKey}/${name}`);
    }
    return names.length;
  };

  async #stored(id: string, storage: Storage): Promise<Lease | TokenLease | undefined> {
    return id === "" ? undefined : ((await storage.read(leaseKey(id), parseRecord)) as Lease | TokenLease | undefined);
  }
}
