/** Every database that connections can name. A new one is one import and one word here. */
import type { AnyPlugin } from "../plugin.ts";
import { searchEngine } from "./search-engine.ts";
import { vectorDatabase } from "./vector-database.ts";

export const plugins: readonly AnyPlugin[] = [searchEngine, vectorDatabase];
