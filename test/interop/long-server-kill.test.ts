import { testServerKills } from "../support/server-kill.suite.ts";

const kills = Number(process.env["STRONGROOM_KILLS"] ?? 50);
testServerKills(kills);
testServerKills(kills, 2);
