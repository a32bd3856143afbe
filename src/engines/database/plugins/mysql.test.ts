import { createConnection } from "mysql2/promise";
import { noMariadb, startMariadb } from "../../../../test/support/mariadb.ts";
import { describeDatabase } from "./database.suite.ts";

describeDatabase("MariaDB", noMariadb, async () => {
  const server = await startMariadb();
  const { port, rootPassword } = server;
  const connect = (user: string, password: string) => createConnection({ host: "127.0.0.1", port, user, password });
  const asRoot = async (sql: string, values: string[] = []) => {
    const connection = await connect("manager", rootPassword);
    try {
      return (await connection.query(sql, values))[0] as unknown[];
    } finally {
      await connection.end();
    }
  };
  return {
    connection: {
      plugin_name: "mysql-database-plugin",
      connection_url: `{{username}}:{{password}}@tcp(127.0.0.1:${port})/`,
      username: "manager",
      password: rootPassword,
    },
    creation: ["CREATE USER '{{name}}'@'%' IDENTIFIED BY '{{password}}';", "GRANT SELECT ON *.* TO '{{name}}'@'%'"],
    logIn: (user, password) =>
      connect(user, password).then(
        (connection) => connection.end().then(() => true),
        () => false,
      ),
    createUser: async (username, password) =>
      void (await asRoot(`CREATE USER '${username}'@'%' IDENTIFIED BY '${password}'`)),
    grantRoot: async (username) =>
      void (await asRoot(`GRANT ALL PRIVILEGES ON *.* TO '${username}'@'%' WITH GRANT OPTION`)),
    exists: async (username) => (await asRoot("SELECT 1 FROM mysql.user WHERE user = ?", [username])).length === 1,
    crash: () => server.crash(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
});
