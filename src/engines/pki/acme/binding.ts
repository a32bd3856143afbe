/** External account bindings: keys that an operator's user fetched with a token, each good for one new account (RFC 8555, 7.3.4). */
import { Collection } from "../../../api/collection.ts";
import type { Random, Storage } from "../../../api/engine.ts";
import type { PageRequest } from "../../../api/list-fields.ts";
import { randomUuid } from "../../../lib/random-name.ts";

export interface Binding {
  readonly id: string;
  /** Base64url; the key of the HMAC is what it stands for. */
  readonly key: string;
  readonly key_type: "hs";
  /** Relative to the mount: `roles/web/acme/directory`. It is good for no other. */
  readonly acme_directory: string;
  readonly created_on: string;
}

const keyBytes = 32;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class Bindings {
  readonly #records: Collection<Binding>;
  readonly #random: Random;

  constructor(storage: Storage, random: Random) {
    this.#records = new Collection(storage, "acme/bindings/");
    this.#random = random;
  }

  create(directoryPath: string, now: Date): Binding {
    const binding: Binding = {
      id: randomUuid(this.#random),
      key: Buffer.from(this.#random.bytes(keyBytes)).toString("base64url"),
      key_type: "hs",
      acme_directory: `${directoryPath}/directory`,
      created_on: now.toISOString().replace(/\.\d+Z$/, "+00:00"),
    };
    this.#records.put(binding.id, binding);
    return binding;
  }

  async get(id: string): Promise<Binding | undefined> {
    return uuid.test(id) ? this.#records.get(id) : undefined;
  }

  /** Of two accounts that use it at once, the store lets one through. */
  delete(id: string): void {
    this.#records.delete(id);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }
}
