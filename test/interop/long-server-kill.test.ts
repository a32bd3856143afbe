import { testServerKills } from "../support/server-kill.suite.ts";

testServerKills(Number(process.env["STRONGROOM_KILLS"] ?? 50));
