import { testServersSharing } from "../support/server-sharing.suite.ts";
import { sharedLmdb, sharedPostgres } from "../support/shared-stores.ts";

// The long form is in test/interop.
testServersSharing(sharedLmdb, 1000);
testServersSharing(sharedPostgres, 400);
