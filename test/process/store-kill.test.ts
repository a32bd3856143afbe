import { sharedLmdb, sharedPostgres } from "../support/shared-stores.ts";
import { testKills } from "../support/store-kill.suite.ts";

// The long form is in test/interop.
const kills = Number(process.env["STRONGROOM_KILLS"] ?? 5);
testKills(sharedLmdb, kills);
testKills(sharedPostgres, kills);
