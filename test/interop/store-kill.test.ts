import { sharedLmdb, sharedPostgres } from "../support/shared-stores.ts";
import { testKills } from "../support/store-kill.suite.ts";

const kills = Number(process.env["STRONGROOM_KILLS"] ?? 50);
testKills(sharedLmdb, kills);
testKills(sharedPostgres, kills);
