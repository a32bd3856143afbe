/** Every database that connections can name. A new one is one import and one word here. */
import type { AnyPlugin } from "../plugin.ts";
import { mysql, mysqlLegacy } from "./mysql.ts";
import { postgresql } from "./postgresql.ts";
import { redis } from "./redis.ts";
import { searchEngine } from "./search-engine.ts";
import { vectorDatabase } from "./vector-database.ts";

export const plugins: readonly AnyPlugin[] = [searchEngine, vectorDatabase, postgresql, mysql, mysqlLegacy, redis];
