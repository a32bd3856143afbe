/** An engine as mounts need it: loaded, and its paths compiled, when the first of them is used. */
import type { AnyEngine, EngineSource } from "../../api/engine.ts";
import { Router } from "../../api/router.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import type { CoreEngine } from "./live-mounts.ts";

export type OfferedEngine = AnyEngine | CoreEngine | EngineSource;

export interface LoadedEngine {
  readonly engine: AnyEngine | CoreEngine;
  readonly router: Router<unknown>;
}

export class ServedEngine {
  readonly #offered: OfferedEngine;
  #loaded: AtHand<LoadedEngine> | undefined;

  constructor(offered: OfferedEngine) {
    this.#offered = offered;
  }

  get kind(): "secrets" | "auth" {
    return this.#offered.kind;
  }

  /** True as well for one that is not loaded yet: it is about to be, since somebody mounted it. */
  get mayHaveJobs(): boolean {
    const engine = this.#offered;
    return "load" in engine || ("jobs" in engine && (engine.jobs?.length ?? 0) > 0);
  }

  load(): AtHand<LoadedEngine> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  #load(): AtHand<LoadedEngine> {
    const offered = this.#offered;
    const engine = "load" in offered ? offered.load() : offered;
    const loaded = withValue(engine, (each) => ({ engine: each, router: new Router<unknown>(each.paths) }));
    if (loaded instanceof Promise) {
      loaded.then(
        (known) => {
          this.#loaded = known;
        },
        () => {
          this.#loaded = undefined;
        },
      );
    }
    return loaded;
  }
}
