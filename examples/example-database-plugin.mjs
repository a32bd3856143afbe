/** A plugin of the database engine for a "database" that is one JSON file: users by name, each with a role and a key. */
import { readFile, rename, writeFile } from "node:fs/promises";

export const plugin = ({ fields, invalidRequest, refused, unreachable }) => ({
  name: "example-database-plugin",
  version: "v1.0.0",
  credentialTypes: ["password", "rsa_private_key"],
  settings: {
    file: fields.text("File that holds the users").default(""),
    password: fields.writeOnly(fields.text("Root password; this database asks for none").default("")),
  },
  rootSecret: "password",
  usernameTemplate: '{{ printf "%s-%s-%s" (.DisplayName | truncate 8) (.RoleName | truncate 8) (random 20) }}',
  longestUsername: 64,

  open({ file }) {
    if (file === "") throw invalidRequest('"file" must be provided');

    const read = async () => {
      const text = await readFile(file, "utf8").catch((error) => {
        if (error.code === "ENOENT") return "{}";
        throw unreachable(`the file cannot be read: ${error.code}`);
      });
      return JSON.parse(text);
    };

    // Whole or not at all: a call that dies half-way must not leave half of a user.
    const change = async (edit) => {
      const users = await read();
      edit(users);
      await writeFile(`${file}.new`, JSON.stringify(users));
      await rename(`${file}.new`, file);
    };

    const secretOf = (credential) =>
      credential.type === "rsa_private_key" ? { publicKey: credential.publicKey } : { password: credential.password };

    return {
      width: 1,
      verify: async () => void (await read()),
      async createUser({ username, credential, statements }) {
        const [role] = statements;
        if (role === undefined) throw refused("empty creation statements: name a role");
        await change((users) => (users[username] = { role, ...secretOf(credential) }));
      },
      async changeCredential({ username, credential }) {
        await change((users) => {
          if (!users[username]) throw refused(`there is no user ${JSON.stringify(username)}`);
          users[username] = { role: users[username].role, ...secretOf(credential) };
        });
      },
      async deleteUser({ username }) {
        await change((users) => delete users[username]);
      },
      async close() {},
    };
  },
});
