/** Users of a vector database, over its user management and access control: the server itself makes their keys. */
import { invalidRequest } from "../../../api/errors.ts";
import { text, writeOnly } from "../../../api/fields.ts";
import { isJsonObject } from "../../../lib/json.ts";
import { refused, unanswered } from "../failure.ts";
import {
  type CredentialChange,
  type Database,
  databasePlugin,
  type EndedUser,
  type NewUser,
  type RootSuccession,
} from "../plugin.ts";
import { failureOf, HttpServer } from "./http-server.ts";
import { readTls, tlsSettings } from "./tls-settings.ts";
import { type Grants, readGrants } from "./vector-grants.ts";

export const vectorDatabase = databasePlugin({
  name: "vectordb-database-plugin",
  aliases: ["weaviate-database-plugin"],
  version: "v1.0.0",
  credentialTypes: ["password"],
  rootSecret: "api_key",
  makesSecrets: true,
  longestUsername: 128,
  settings: {
    url: text("URL of the server, such as http://vectors.example.com:8080").default(""),
    api_key: writeOnly(text("Key of the user that manages the others").default("")),
    ...tlsSettings,
  },
  usernameTemplate:
    '{{ printf "v-%s-%s-%s-%s" (.DisplayName | truncate 8) (.RoleName | truncate 8) (random 20) (unix_time) | truncate 63 }}',

  /** The server's user names know few signs; display names know many. */
  fitUsername: (username) => username.replace(/[^A-Za-z0-9@._-]/g, "-"),

  async open({ url, api_key, ...tls }, tools): Promise<Database> {
    if (url === "") throw invalidRequest('"url" must be provided');
    const authorization = api_key === "" ? undefined : `Bearer ${api_key}`;
    return new VectorDatabase(
      new HttpServer({ url, authorization, tls: await readTls(tls, tools), outbound: tools.outbound }),
    );
  },
});

class VectorDatabase implements Database {
  readonly width = 16;
  readonly root: RootSuccession = {
    succeed: (name) => this.#succeed(name),
    remove: (name) => this.deleteUser({ username: name, statements: [] }),
  };
  readonly #server: HttpServer;

  constructor(server: HttpServer) {
    this.#server = server;
  }

  async verify(): Promise<void> {
    const ready = await this.#server.call("GET", "/v1/.well-known/ready");
    if (ready.status >= 300) throw failureOf(ready, "the readiness check");
    // A server is ready for anybody: only a question about ourselves proves the key. Older servers do not know it.
    const own = await this.#server.call("GET", "/v1/users/own-info");
    if (own.status >= 300 && ![400, 404, 405, 501].includes(own.status))
      throw failureOf(own, "the check of the API key");
  }

  async createUser({ username, statements }: NewUser): Promise<string> {
    const grants = readGrants(statements);
    for (const role of grants.customRoles) await this.#createRole(role);
    const secret = await this.#createUser(username);
    try {
      await this.#assign(username, grants);
    } catch (error) {
      await this.deleteUser({ username, statements: [] }).catch(() => undefined);
      throw error;
    }
    return secret;
  }

  async changeCredential({ username }: CredentialChange): Promise<string> {
    const answer = await this.#server.call("POST", `/v1/users/db/${named(username)}/rotate-key`);
    if (answer.status === 404) throw refused(`the server knows no user ${JSON.stringify(username)}`);
    if (answer.status >= 300) throw failureOf(answer, "the rotation of a key");
    return keyIn(answer.json);
  }

  async deleteUser({ username }: EndedUser): Promise<void> {
    const answer = await this.#server.call("DELETE", `/v1/users/db/${named(username)}`);
    if (answer.status >= 300 && answer.status !== 404) throw failureOf(answer, "the deletion of a user");
  }

  async close(): Promise<void> {}

  async #createUser(username: string): Promise<string> {
    const answer = await this.#server.call("POST", `/v1/users/db/${named(username)}`, {});
    if (answer.status >= 300) throw failureOf(answer, "the creation of a user");
    return keyIn(answer.json);
  }

  async #createRole(role: Grants["customRoles"][number]): Promise<void> {
    const answer = await this.#server.call("POST", "/v1/authz/roles", role);
    // A role of an earlier user of the same kind.
    if (answer.status < 300 || answer.status === 409) return;
    // Two that make it at once are told of a fault, although one of them made it.
    if (answer.status >= 500 && (await this.#hasRole(role.name))) return;
    throw failureOf(answer, `the creation of the role ${role.name}`);
  }

  async #hasRole(name: string): Promise<boolean> {
    return (await this.#server.call("GET", `/v1/authz/roles/${named(name)}`)).status === 200;
  }

  async #assign(username: string, { roles }: Grants): Promise<void> {
    if (roles.length === 0) return;
    const body = { roles, userType: "db" };
    const answer = await this.#server.call("POST", `/v1/authz/users/${named(username)}/assign`, body);
    if (answer.status >= 300) throw failureOf(answer, "the assignment of roles");
  }

  /** A second administrator, so that no lost answer can lock us out. */
  async #succeed(name: string): Promise<{ secret: string; predecessor: string }> {
    const own = await this.#server.call("GET", "/v1/users/own-info");
    if (own.status >= 300 || !isJsonObject(own.json)) throw failureOf(own, "the question who owns the API key");
    const predecessor = String(own.json["username"] ?? "");
    const found = await this.#server.call("GET", `/v1/users/db/${named(predecessor)}`);
    const type = isJsonObject(found.json) ? found.json["dbUserType"] : undefined;
    if (found.status >= 300 || (type !== undefined && type !== "db_user")) {
      throw refused(
        `the API key belongs to ${JSON.stringify(predecessor)}, a user of the server's own environment, ` +
          "whose key only the server's operator can change; configure the key of a database user to rotate it",
      );
    }
    const secret = await this.#createUser(name);
    await this.#assign(name, { roles: roleNames(own.json["roles"]), customRoles: [] });
    return { secret, predecessor };
  }
}

const named = (username: string): string => encodeURIComponent(username);

function roleNames(roles: unknown): string[] {
  if (!Array.isArray(roles)) return [];
  return roles.map((role) => (isJsonObject(role) ? String(role["name"]) : String(role)));
}

function keyIn(json: unknown): string {
  const key = isJsonObject(json) ? json["apikey"] : undefined;
  if (typeof key !== "string" || key === "") throw unanswered("the server gave no key for the user");
  return key;
}
