import { testTreeRevocation } from "../support/tree-revocation.suite.ts";

// The long form is in test/interop.
testTreeRevocation(Number(process.env["STRONGROOM_TREE"] ?? 200));
