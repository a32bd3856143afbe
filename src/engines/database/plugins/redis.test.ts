import { createClient } from "@redis/client";
import { noRedis, startRedis } from "../../../../test/support/redis.ts";
import { describeDatabase } from "./database.suite.ts";

describeDatabase("Redis", noRedis, async () => {
  const server = await startRedis();
  const { port, rootPassword } = server;
  const connected = async (username: string, password: string) => {
    const client = createClient({ username, password, socket: { host: "127.0.0.1", port, reconnectStrategy: false } });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const asRoot = async (...words: string[]) => {
    const client = await connected("manager", rootPassword);
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  };
  return {
    connection: {
      plugin_name: "redis-database-plugin",
      host: "127.0.0.1",
      port,
      username: "manager",
      password: rootPassword,
      persistence_mode: "ACLFILE",
    },
    creation: ['["~app:*", "+@read"]'],
    logIn: (username, password) =>
      connected(username, password).then(
        (client) => {
          client.destroy();
          return true;
        },
        () => false,
      ),
    async createUser(username, password) {
      await asRoot("ACL", "SETUSER", username, "ON", `>${password}`, "+@read");
      await asRoot("ACL", "SAVE");
    },
    async grantRoot(username) {
      await asRoot("ACL", "SETUSER", username, "+@all", "~*", "&*");
      await asRoot("ACL", "SAVE");
    },
    exists: async (username) => (await asRoot("ACL", "GETUSER", username)) !== null,
    crash: () => server.crash(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
});
