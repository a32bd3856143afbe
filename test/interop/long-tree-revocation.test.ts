import { testTreeRevocation } from "../support/tree-revocation.suite.ts";

testTreeRevocation(Number(process.env["STRONGROOM_TREE"] ?? 10_000));
