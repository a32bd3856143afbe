/** Remembers what a server acknowledged before it was killed, and compares that with what its successor knows. */
import { EventEmitter, once } from "node:events";
import { expect } from "vitest";
import type { HttpCaller } from "./http-caller.ts";

interface KnownToken {
  readonly id: string;
  readonly accessor: string;
}

/** So many versions of the contended key are kept, and compared. */
const keptVersions = 40;

export class KillLedger {
  /** By their names, per kill. */
  readonly #secrets = new Map<number, Set<string>>();
  readonly #tokens = new Map<number, KnownToken[]>();
  /** What each version of the contended key was acknowledged to hold. */
  readonly #hot = new Map<number, string>();
  readonly #news = new EventEmitter();
  readonly acknowledged = { secrets: 0, tokens: 0 };

  /** A new key with a value that tells where it belongs. */
  async writeSecret(caller: HttpCaller, kill: number, name: string): Promise<void> {
    await caller.demand("POST", `kv/data/${kill}/${name}`, { data: { name, kill } });
    listed(this.#secrets, kill, () => new Set<string>()).add(name);
    this.acknowledged.secrets++;
    this.#news.emit("secret");
  }

  async writeHot(caller: HttpCaller, value: string): Promise<void> {
    const { json } = await caller.demand("POST", "kv/data/hot", { data: { value } });
    const { version } = json.data;
    expect(this.#hot.get(version), `version ${version} was promised twice`).toBeUndefined();
    this.#hot.set(version, value);
  }

  async createToken(caller: HttpCaller, kill: number): Promise<void> {
    const { json } = await caller.demand("POST", "auth/token/create", { policies: ["default"], ttl: "10h" });
    listed(this.#tokens, kill, () => []).push({ id: json.auth.client_token, accessor: json.auth.accessor });
    this.acknowledged.tokens++;
  }

  /** Until so much was acknowledged that a kill can do harm. */
  async untilSome(kill: number): Promise<void> {
    while ((this.#secrets.get(kill)?.size ?? 0) < 20) await once(this.#news, "secret");
  }

  async compare(caller: HttpCaller, kill: number): Promise<void> {
    await this.#compareSecrets(caller, kill);
    await this.#compareHot(caller);
    await this.#compareTokens(caller, kill);
  }

  async #compareSecrets(caller: HttpCaller, kill: number): Promise<void> {
    const { keys } = (await caller.demand("LIST", `kv/metadata/${kill}`)).json.data;
    const promised = this.#secrets.get(kill) ?? new Set();
    expect([...promised].filter((name) => !keys.includes(name))).toEqual([]);
    await inParallel(keys, async (name: string) => {
      const [read, metadata] = [
        await caller.demand("GET", `kv/data/${kill}/${name}`),
        await caller.demand("GET", `kv/metadata/${kill}/${name}`),
      ];
      expect(read.json.data.data, name).toEqual({ name, kill });
      expect(metadata.json.data.current_version, name).toBe(1);
      expect(Object.keys(metadata.json.data.versions), name).toEqual(["1"]);
    });
  }

  async #compareHot(caller: HttpCaller): Promise<void> {
    // On a busy machine the kill may come before the first write to this key was acknowledged.
    if (this.#hot.size === 0) return;
    const { current_version, versions } = (await caller.demand("GET", "kv/metadata/hot")).json.data;
    expect(current_version).toBeGreaterThanOrEqual(Math.max(...this.#hot.keys()));
    await inParallel(Object.keys(versions), async (version: string) => {
      const { data } = (await caller.demand("GET", `kv/data/hot?version=${version}`)).json.data;
      const promised = this.#hot.get(Number(version));
      if (promised !== undefined) expect(data.value, `version ${version}`).toBe(promised);
    });
    if (!this.#isLimited) await caller.demand("POST", "kv/metadata/hot", { max_versions: keptVersions });
    this.#isLimited = true;
  }

  #isLimited = false;

  async #compareTokens(caller: HttpCaller, kill: number): Promise<void> {
    await inParallel(this.#tokens.get(kill) ?? [], async ({ id, accessor }) => {
      const own = await caller.demand("GET", "auth/token/lookup-self", undefined, { token: id });
      const found = await caller.demand("POST", "auth/token/lookup-accessor", { accessor });
      expect(own.json.data.accessor).toBe(accessor);
      expect(found.json.data.creation_time).toBe(own.json.data.creation_time);
    });
  }
}

function listed<Value>(map: Map<number, Value>, key: number, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}
