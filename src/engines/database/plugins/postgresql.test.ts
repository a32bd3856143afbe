import { Client } from "pg";
import { noPostgres, startPostgres } from "../../../../test/support/postgres.ts";
import { describeDatabase } from "./database.suite.ts";

describeDatabase("PostgreSQL", noPostgres, async () => {
  const server = await startPostgres();
  const url = new URL(server.url);
  const asRoot = async (sql: string, values: unknown[] = []) => {
    const client = new Client(server.url);
    await client.connect();
    try {
      return (await client.query(sql, values)).rowCount;
    } finally {
      await client.end();
    }
  };
  return {
    connection: {
      plugin_name: "postgresql-database-plugin",
      connection_url: `postgresql://{{username}}:{{password}}@${url.host}/postgres?sslmode=disable`,
      username: "postgres",
      password: url.password,
    },
    creation: [
      `CREATE ROLE "{{name}}" WITH LOGIN PASSWORD '{{password}}' VALID UNTIL '{{expiration}}'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO "{{name}}";`,
    ],
    async logIn(user, password) {
      const client = new Client({ host: url.hostname, port: Number(url.port), user, password, database: "postgres" });
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    },
    createUser: async (username, password) =>
      void (await asRoot(`CREATE ROLE "${username}" LOGIN PASSWORD '${password}'`)),
    grantRoot: async (username) => void (await asRoot(`ALTER ROLE "${username}" SUPERUSER`)),
    exists: async (username) => (await asRoot("SELECT 1 FROM pg_roles WHERE rolname = $1", [username])) === 1,
    crash: () => server.crash(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
});
