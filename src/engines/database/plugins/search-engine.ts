/** Users of a search engine's native realm, over its security API. */
import { invalidRequest } from "../../../api/errors.ts";
import { flag, text, writeOnly } from "../../../api/fields.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../../lib/json.ts";
import { refused } from "../failure.ts";
import { type CredentialChange, type Database, databasePlugin, type EndedUser, type NewUser } from "../plugin.ts";
import { failureOf, type HttpAnswer, HttpServer } from "./http-server.ts";
import { readTls, tlsSettings } from "./tls-settings.ts";

export const searchEngine = databasePlugin({
  name: "searchengine-database-plugin",
  aliases: ["elasticsearch-database-plugin"],
  version: "v1.0.0",
  credentialTypes: ["password"],
  rootSecret: "password",
  longestUsername: 507,
  settings: {
    url: text("Full URL of the cluster, with scheme and port").default(""),
    username: text("User that manages the others").default(""),
    password: writeOnly(text("Password of that user").default("")),
    ...tlsSettings,
    use_old_ext: flag("Use the paths of an old major version, /_ext/security/").default(false),
    use_old_xpack: flag("The same for a version whose old paths are /_xpack/security/").default(false),
  },
  usernameTemplate:
    '{{ printf "v-%s-%s-%s-%s" (.DisplayName | truncate 15) (.RoleName | truncate 15) (random 20) (unix_time) | replace "." "-" | truncate 100 }}',

  /** The cluster takes what can be printed in ASCII. */
  fitUsername: (username) => username.replace(/[^!-~]/g, "-"),

  async open({ url, username, password, use_old_ext, use_old_xpack, ...tls }, tools): Promise<Database> {
    for (const [name, value] of Object.entries({ url, username, password })) {
      if (value === "") throw invalidRequest(`${JSON.stringify(name)} must be provided`);
    }
    const authorization = `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
    const server = new HttpServer({ url, authorization, tls: await readTls(tls, tools), outbound: tools.outbound });
    return new SearchEngine(server, use_old_ext ? "/_ext/security" : use_old_xpack ? "/_xpack/security" : "/_security");
  },
});

class SearchEngine implements Database {
  readonly width = 16;
  readonly #server: HttpServer;
  readonly #prefix: string;

  constructor(server: HttpServer, prefix: string) {
    this.#server = server;
    this.#prefix = prefix;
  }

  async verify(): Promise<void> {
    const answer = await this.#server.call("GET", `${this.#prefix}/_authenticate`);
    if (isKnown(answer)) return;
    throw failureOf(answer, "the check of the root user");
  }

  async createUser({ username, credential, statements, mayExist }: NewUser): Promise<undefined> {
    const body = { ...readStatement(statements), ...passwordOf(credential) };
    if (mayExist) await this.#requireUnknown(username);
    await this.#change("PUT", `/user/${named(username)}`, "the creation of a user", body);
  }

  async changeCredential({ username, credential }: CredentialChange): Promise<undefined> {
    await this.#change(
      "POST",
      `/user/${named(username)}/_password`,
      "the change of a password",
      passwordOf(credential),
    );
  }

  async deleteUser({ username }: EndedUser): Promise<void> {
    const answer = await this.#server.call("DELETE", `${this.#prefix}/user/${named(username)}`);
    if (answer.status >= 300 && answer.status !== 404) throw failureOf(answer, "the deletion of a user");
  }

  async close(): Promise<void> {}

  /** The cluster would overwrite it without a word. */
  async #requireUnknown(username: string): Promise<void> {
    const { status, json } = await this.#server.call("GET", `${this.#prefix}/user/${named(username)}`);
    if (status < 300 && isJsonObject(json) && Object.hasOwn(json, username)) {
      throw refused(`there is a user ${JSON.stringify(username)} already; username_template must make unique names`);
    }
  }

  async #change(method: string, path: string, doing: string, body: object): Promise<HttpAnswer> {
    const answer = await this.#server.call(method, this.#prefix + path, body);
    if (answer.status >= 300) throw failureOf(answer, doing);
    return answer;
  }
}

/** Clusters and their kin differ in what they answer to the question; what matters is that they know who asks it. */
function isKnown({ status, json }: HttpAnswer): boolean {
  if (status < 300 || status === 404 || status === 405 || status === 501) return true;
  const error = isJsonObject(json) ? json["error"] : undefined;
  return status === 400 && !(typeof error === "string" && error.startsWith("no handler found"));
}

/** Names may hold slashes and dots, which must not become other paths. */
function named(username: string): string {
  if (username === "" || username === "." || username === "..") throw refused("the user name is empty or only dots");
  return encodeURIComponent(username);
}

function passwordOf(credential: NewUser["credential"]): { password: string } {
  if (credential.type !== "password") throw refused(`unsupported credential_type: ${JSON.stringify(credential.type)}`);
  return { password: credential.password };
}

const statementKeys = ["searchengine_roles", "elasticsearch_roles", "full_name", "email", "metadata"];

/** The one JSON document that says which roles a user gets. */
function readStatement(statements: readonly string[]): JsonObject {
  const [only, ...more] = statements.filter((statement) => statement.trim() !== "");
  if (only === undefined) throw refused("empty creation statements");
  if (more.length > 0) throw refused("only 1 creation statement supported for creation: one JSON document");
  const document = parsed(only);
  const unknown = Object.keys(document).filter((key) => !statementKeys.includes(key));
  if (unknown.length > 0) {
    throw refused(`creation_statements knows no ${unknown.join(", ")}; it may hold ${statementKeys.join(", ")}`);
  }
  const { full_name, email, metadata } = document;
  for (const [key, value] of Object.entries({ full_name, email })) {
    if (value !== undefined && typeof value !== "string")
      throw refused(`${key} in creation_statements must be a string`);
  }
  if (metadata !== undefined && !isJsonObject(metadata))
    throw refused("metadata in creation_statements must be an object");
  return {
    roles: rolesIn(document),
    ...(full_name !== undefined && { full_name }),
    ...(email !== undefined && { email }),
    ...(metadata !== undefined && { metadata }),
  };
}

function rolesIn(document: JsonObject): string[] {
  const roles = document["searchengine_roles"] ?? document["elasticsearch_roles"];
  const isList =
    Array.isArray(roles) && roles.length > 0 && roles.every((role) => typeof role === "string" && role !== "");
  if (!isList) throw refused("creation_statements needs searchengine_roles: a list of names of existing roles");
  return roles as string[];
}

function parsed(statement: string): JsonObject {
  let value: unknown;
  try {
    value = parseJson(statement);
  } catch {
    throw refused("creation_statements is not JSON; it must be one JSON object with searchengine_roles");
  }
  if (!isJsonObject(value)) throw refused("creation_statements must be one JSON object with searchengine_roles");
  return value;
}
