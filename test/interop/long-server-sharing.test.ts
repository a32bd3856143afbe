import { testServersSharing } from "../support/server-sharing.suite.ts";
import { sharedLmdb, sharedPostgres } from "../support/shared-stores.ts";

testServersSharing(sharedLmdb, 10_000);
testServersSharing(sharedPostgres, 5000);
