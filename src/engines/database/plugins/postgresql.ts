/** Roles of PostgreSQL, and of databases that speak its protocol. */
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import type { Pool, PoolClient, PoolConfig } from "pg";
import { invalidRequest } from "../../../api/errors.ts";
import { text } from "../../../api/fields.ts";
import { busy, networkFailure, refused, unanswered, unreachable } from "../failure.ts";
import {
  type CredentialChange,
  type Database,
  databasePlugin,
  type EndedUser,
  type NewUser,
  type RenewedUser,
} from "../plugin.ts";
import { dropUser } from "./postgresql-drop.ts";
import { scramVerifier } from "./scram.ts";
import { expirationText, readSqlServer, type SqlServer, sqlSettings } from "./sql-settings.ts";
import { fillStatement, postgresDialect, type StatementValues, statementsIn } from "./sql-text.ts";

const connectMs = 10_000;
const queryMs = 15_000;
const idleMs = 60_000;

export const postgresql = databasePlugin({
  name: "postgresql-database-plugin",
  version: "v1.0.0",
  credentialTypes: ["password", "client_certificate"],
  rootSecret: "password",
  longestUsername: 63,
  settings: {
    ...sqlSettings,
    password_authentication: text("password, or scram-sha-256 to tell the database no password").default("password"),
  },
  usernameTemplate:
    '{{ printf "v-%s-%s-%s-%s" (.DisplayName | truncate 8) (.RoleName | truncate 8) (random 20) (unix_time) | truncate 63 }}',
  fitUsername: (username) => username.replaceAll("\0", "-"),

  async open({ password_authentication, ...settings }, tools): Promise<Database> {
    if (password_authentication !== "password" && password_authentication !== "scram-sha-256") {
      throw invalidRequest(
        `'${password_authentication}' is not a valid password authentication type; password or scram-sha-256`,
      );
    }
    const server = await readSqlServer(settings, tools);
    const { Pool } = await import("pg");
    const pool = new Pool(poolConfig(server));
    // An idle connection that breaks is replaced when it is needed.
    pool.on("error", () => undefined);
    return new Postgresql(pool, server.width, password_authentication === "scram-sha-256");
  },
});

class Postgresql implements Database {
  readonly width: number;
  readonly #pool: Pool;
  readonly #scram: boolean;

  constructor(pool: Pool, width: number, scram: boolean) {
    this.#pool = pool;
    this.width = width;
    this.#scram = scram;
  }

  async verify(): Promise<void> {
    await this.#run(["SELECT 1"]);
  }

  async createUser({ username, credential, statements, rollbackStatements, expires }: NewUser): Promise<undefined> {
    const given = statementsIn(statements, postgresDialect);
    if (given.length === 0) throw refused("empty creation statements");
    const values = { ...named(username), ...(await this.#secretOf(credential)), expiration: expirationText(expires) };
    try {
      await this.#run(given, values);
    } catch (error) {
      const undoing = statementsIn(rollbackStatements, postgresDialect);
      if (undoing.length > 0) await this.#run(undoing, values).catch(() => undefined);
      throw error;
    }
  }

  async renewUser({ username, statements, expires }: RenewedUser): Promise<void> {
    const given = statementsIn(statements, postgresDialect);
    const usual = `ALTER ROLE "{{name}}" VALID UNTIL '{{expiration}}'`;
    await this.#run(given.length > 0 ? given : [usual], { ...named(username), expiration: expirationText(expires) });
  }

  async changeCredential({ username, credential, statements }: CredentialChange): Promise<undefined> {
    const given = statementsIn(statements, postgresDialect);
    const usual = `ALTER ROLE "{{username}}" WITH PASSWORD '{{password}}'`;
    await this.#run(given.length > 0 ? given : [usual], { ...named(username), ...(await this.#secretOf(credential)) });
  }

  async deleteUser({ username, statements }: EndedUser): Promise<void> {
    const given = statementsIn(statements, postgresDialect);
    if (given.length > 0) await this.#run(given, named(username));
    else await this.#with((client) => dropUser(username, client));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** All in one message: the server takes that for one transaction, and one journey is enough. */
  async #run(statements: readonly string[], values: StatementValues = {}): Promise<void> {
    const filled = statements.map((statement) => fillStatement(statement, values, postgresDialect));
    await this.#with((client) => client.query(filled.join("\n;\n")));
  }

  async #with<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw described(error, false);
    });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      const failure = described(error, true);
      client.release(failure.reason !== "refused");
      throw failure;
    }
  }

  async #secretOf(credential: NewUser["credential"]): Promise<StatementValues> {
    if (credential.type !== "password") return {};
    return { password: this.#scram ? await scramVerifier(credential.password) : credential.password };
  }
}

const named = (username: string) => ({ name: username, username });

/** The server's own words with its code; what has no such code never came from it. */
function described(error: unknown, wasSent: boolean) {
  const { code, message } = error as { code?: string; message: string };
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) {
    const words = `${wasSent ? "failed to execute query: " : ""}ERROR: ${message} (SQLSTATE ${code})`;
    if (code.startsWith("53")) return busy(words);
    if (code.startsWith("57P") || code.startsWith("08")) return wasSent ? unanswered(words) : unreachable(words);
    return refused(words);
  }
  if (error instanceof Error && error.name === "ApiError") return error as ReturnType<typeof refused>;
  const words = `cannot reach the database: ${message}`;
  return wasSent ? networkFailure(words, code) : unreachable(words);
}

function poolConfig(server: SqlServer): PoolConfig {
  const { address, width, lifetimeSeconds } = server;
  return {
    host: address.host,
    port: address.port ?? 5432,
    user: address.user,
    password: address.password,
    database: address.database || "postgres",
    max: width,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    idleTimeoutMillis: idleMs,
    allowExitOnIdle: true,
    maxLifetimeSeconds: lifetimeSeconds,
    application_name: address.options.get("application_name") ?? "strongroom",
    ssl: sslFor(server),
  };
}

/** The modes of the usual clients: without a verb to verify, a certificate proves nothing and only hides. */
function sslFor({ address, tls, wantsTls }: SqlServer): PoolConfig["ssl"] {
  const mode = address.options.get("sslmode") ?? (wantsTls ? "verify-full" : "disable");
  switch (mode) {
    case "disable":
    case "allow":
    case "prefer":
      return wantsTls ? tls : false;
    case "require":
      return tls.ca ? tls : { ...tls, rejectUnauthorized: false };
    case "verify-ca":
      return { ...tls, checkServerIdentity: () => undefined };
    case "verify-full":
      return {
        ...tls,
        checkServerIdentity: (host: string, certificate: PeerCertificate) =>
          checkServerIdentity(tls.servername ?? host, certificate),
      };
    default:
      throw invalidRequest(`cannot parse connection url: unknown sslmode ${JSON.stringify(mode)}`);
  }
}
