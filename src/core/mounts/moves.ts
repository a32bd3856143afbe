/** Remembers which mounts were moved, for those who ask how it went. */
import { Collection } from "../../api/collection.ts";
import type { Random, Storage } from "../../api/engine.ts";
import { randomUuid } from "../../lib/random-name.ts";

export interface Move {
  readonly source_mount: string;
  readonly target_mount: string;
}

export class Moves {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  record(from: string, to: string, storage: Storage): string {
    const id = randomUuid(this.#random);
    stored(storage).put(id, { source_mount: from, target_mount: to });
    return id;
  }

  find(id: string, storage: Storage): Promise<Move | undefined> {
    return stored(storage).get(id);
  }
}

const stored = (storage: Storage) => new Collection<Move>(storage, "core/moves/");
