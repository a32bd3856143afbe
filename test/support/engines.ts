/** Every engine of the server, loaded. */
import type { AnyEngine } from "../../src/api/engine.ts";
import { engines as sources } from "../../src/engine-list.ts";

export const engines: readonly AnyEngine[] = await Promise.all(sources.map((source) => source.load()));
