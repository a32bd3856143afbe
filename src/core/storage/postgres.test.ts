import { afterAll, beforeAll, describe } from "vitest";
import { noPostgres, type Postgres, startPostgres } from "../../../test/support/postgres.ts";
import { PostgresStore } from "./postgres.ts";
import { testStore } from "./store.suite.ts";

describe.skipIf(noPostgres !== undefined)("PostgreSQL", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  let stores = 0;
  testStore({
    name: "PostgreSQL",
    async prepare() {
      const tablePrefix = `s${stores++}_`;
      return {
        isShared: true,
        open: (options) => PostgresStore.open(server.url, { ...options, tablePrefix, readers: 4, writers: 4 }),
        destroy: async () => {},
      };
    },
  });
});
