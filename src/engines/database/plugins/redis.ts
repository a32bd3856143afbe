/** Users of the access control lists of Redis and Valkey. */
import { invalidRequest } from "../../../api/errors.ts";
import { choice, duration, flag, integer, text, type Values, writeOnly } from "../../../api/fields.ts";
import { busy, networkFailure, refused, unreachable } from "../failure.ts";
import { type CredentialChange, type Database, databasePlugin, type EndedUser, type NewUser } from "../plugin.ts";
import { readTls, tlsSettings } from "./tls-settings.ts";

const connectMs = 10_000;
const commandMs = 15_000;

const settings = {
  connection_url: text("redis://host:port or rediss://host:port, in place of host and port").default(""),
  host: text("Where the server is").default(""),
  port: integer("Port of the server").default(6379),
  username: text("User that manages the others").default(""),
  password: writeOnly(text("Password of that user").default("")),
  tls: flag("Speak TLS").default(false),
  insecure_tls: flag("The same as insecure").default(false),
  ...tlsSettings,
  persistence_mode: choice(
    ["NONE", "ACLFILE", "REWRITE", "None", "none"],
    "How the server keeps users: NONE in memory only, ACLFILE by ACL SAVE, REWRITE by CONFIG REWRITE",
  ).default("NONE"),
  timeout: duration("Longest wait for an answer; 0 for 15 seconds").default(0),
};

export const redis = databasePlugin({
  name: "redis-database-plugin",
  aliases: ["valkey-database-plugin"],
  version: "v1.0.0",
  credentialTypes: ["password"],
  rootSecret: "password",
  longestUsername: 256,
  settings,
  usernameTemplate:
    '{{ printf "V_%s_%s_%s_%s" (.DisplayName | truncate 64) (.RoleName | truncate 64) (random 20) (unix_time) | uppercase }}',
  /** A space would end the name, and what follows would be taken for rules. */
  fitUsername: (username) => username.replace(/[^!-~]/g, "-"),

  async open(given, tools): Promise<Database> {
    const { createClient } = await import("@redis/client");
    const options = await clientOptions(given, tools);
    return new Redis(createClient as unknown as CreateClient, options, given);
  },
});

/** The little of the client that is used here. */
interface Client {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  on(event: "error", listener: (error: Error) => void): void;
  connect(): Promise<unknown>;
  destroy(): void;
  sendCommand(words: readonly string[]): Promise<unknown>;
}

type CreateClient = (options: object) => Client;

class Redis implements Database {
  readonly width = 16;
  readonly #create: CreateClient;
  readonly #options: object;
  readonly #settings: Values<typeof settings>;
  #client: Promise<Client> | undefined;
  #latest: Client | undefined;

  constructor(create: CreateClient, options: object, given: Values<typeof settings>) {
    this.#create = create;
    this.#options = options;
    this.#settings = given;
  }

  async verify(): Promise<void> {
    await this.#command("ACL", "WHOAMI");
  }

  async createUser({ username, credential, statements, mayExist }: NewUser): Promise<undefined> {
    const rules = readRules(statements);
    const name = requireWord(username, "user name");
    if (mayExist && (await this.#command("ACL", "GETUSER", name)) !== null) {
      throw refused(`there is a user ${JSON.stringify(name)} already; username_template must make unique names`);
    }
    // RESET, so that nothing of an earlier attempt remains.
    await this.#command("ACL", "SETUSER", name, "RESET", "ON", `>${passwordOf(credential)}`, ...rules);
    await this.#persist();
  }

  async changeCredential({ username, credential }: CredentialChange): Promise<undefined> {
    if ((await this.#command("ACL", "GETUSER", username)) === null) {
      throw refused(`the server knows no user ${JSON.stringify(username)}`);
    }
    await this.#command(
      "ACL",
      "SETUSER",
      requireWord(username, "user name"),
      "RESETPASS",
      `>${passwordOf(credential)}`,
    );
    await this.#persist();
  }

  async deleteUser({ username }: EndedUser): Promise<void> {
    await this.#command("ACL", "DELUSER", username);
    await this.#persist();
  }

  async close(): Promise<void> {
    this.#client = undefined;
    if (this.#latest?.isOpen) this.#latest.destroy();
  }

  async #persist(): Promise<void> {
    const mode = this.#settings.persistence_mode.toUpperCase();
    if (mode === "ACLFILE") await this.#command("ACL", "SAVE");
    if (mode === "REWRITE") await this.#command("CONFIG", "REWRITE");
  }

  async #command(...words: string[]): Promise<unknown> {
    const client = await this.#connected();
    try {
      return await client.sendCommand(words);
    } catch (error) {
      const failure = described(error as Error & { code?: string });
      if (failure.reason !== "refused") void this.close();
      throw failure;
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const client = this.#create(this.#options);
    this.#latest = client;
    const drop = () => {
      // Its command fails too; the next one opens a new connection.
      this.#client = undefined;
      if (client.isOpen) client.destroy();
    };
    client.on("error", drop);
    // The client's own limit ends with the connection, before a word was said over it.
    const timer = setTimeout(drop, connectMs);
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.#client = undefined;
      const { message } = error as Error;
      if (/^(WRONGPASS|NOAUTH|NOPERM|ERR)/.test(message)) throw refused(message);
      throw unreachable(`cannot reach the database: ${message}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

const usualRules = ["~*", "+@read"];

/** A JSON array of rules of access control lists, such as ["~app:*", "+@read"]. */
function readRules(statements: readonly string[]): string[] {
  const given = statements.filter((statement) => statement.trim() !== "");
  if (given.length === 0) return usualRules;
  return given.flatMap(parseRules).map((rule) => requireRule(rule));
}

function parseRules(statement: string): string[] {
  try {
    const rules: unknown = JSON.parse(statement);
    if (Array.isArray(rules) && rules.every((rule) => typeof rule === "string")) return rules;
  } catch {
    // Falls through to the one refusal.
  }
  throw refused('creation_statements must be a JSON array of rules, such as ["~app:*", "+@read"]');
}

/** Passwords are the engine's to give, and whole users are not a rule. */
function requireRule(rule: string): string {
  if (/^[><#!]/.test(rule) || /^(nopass|resetpass|reset|off)$/i.test(rule)) {
    throw refused(`the rule ${JSON.stringify(rule)} in creation_statements is about passwords, which are made here`);
  }
  return rule;
}

function requireWord(text: string, what: string): string {
  if (/[\s\0]/.test(text)) throw refused(`the ${what} holds white space or a NUL, which the server does not take`);
  return text;
}

function passwordOf(credential: NewUser["credential"]): string {
  if (credential.type !== "password") throw refused(`unsupported credential_type: ${JSON.stringify(credential.type)}`);
  return credential.password;
}

/** Answers of the server begin with a word in capitals. */
function described(error: Error & { code?: string }) {
  const { message, code } = error;
  if (/^(LOADING|BUSY|MASTERDOWN|CLUSTERDOWN)/.test(message)) return busy(message);
  if (error.constructor.name.includes("ErrorReply") || /^[A-Z]{3,} /.test(message)) return refused(message);
  return networkFailure(`cannot reach the database: ${message}`, code);
}

async function clientOptions(given: Values<typeof settings>, tools: Parameters<typeof readTls>[1]): Promise<object> {
  const { connection_url, username, password, timeout } = given;
  const url = connection_url === "" ? undefined : readUrl(connection_url);
  const host = url?.hostname ?? given.host;
  if (host === "") throw invalidRequest("host or connection_url must be provided");
  const { ca, cert, key, serverName, insecure } = await readTls(
    { ...given, insecure: given.insecure || given.insecure_tls },
    tools,
  );
  const isSecure = given.tls || url?.protocol === "rediss:" || url?.protocol === "valkeys:";
  const tls = { tls: true, ca, cert, key, servername: serverName ?? host, rejectUnauthorized: !insecure };
  return {
    ...(username !== "" && { username }),
    ...(password !== "" && { password }),
    disableOfflineQueue: true,
    commandOptions: { timeout: timeout > 0 ? timeout * 1000 : commandMs },
    socket: {
      host,
      port: url && url.port !== "" ? Number(url.port) : given.port,
      connectTimeout: connectMs,
      reconnectStrategy: false,
      ...(isSecure && tls),
    },
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^(?:redis|valkey)s?:$/.test(url.protocol) && url.hostname !== "") return url;
  throw invalidRequest("connection_url must be redis://host:port, rediss://, valkey:// or valkeys://");
}
