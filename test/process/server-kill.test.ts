import { testServerKills } from "../support/server-kill.suite.ts";

// The long form is in test/interop.
testServerKills(Number(process.env["STRONGROOM_KILLS"] ?? 4));
