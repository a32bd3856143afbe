/** Users of MySQL and MariaDB. */
import type { Pool, PoolOptions } from "mysql2/promise";
import { busy, networkFailure, refused, unreachable } from "../failure.ts";
import {
  type CredentialChange,
  type Database,
  type DatabasePlugin,
  databasePlugin,
  type EndedUser,
  type NewUser,
  type RenewedUser,
} from "../plugin.ts";
import { expirationText, readSqlServer, type SqlServer, sqlSettings } from "./sql-settings.ts";
import { fillStatement, mysqlDialect, type StatementValues, statementsIn } from "./sql-text.ts";

const connectMs = 10_000;
const queryMs = 15_000;

const shared = {
  version: "v1.0.0",
  credentialTypes: ["password", "client_certificate"],
  rootSecret: "password",
  settings: sqlSettings,
  /** The server keeps names in the first plane of Unicode only, and would make one name of many. */
  fitUsername: (username) => username.replace(/[\u{10000}-\u{10ffff}\0]/gu, "-"),

  async open(settings, tools): Promise<Database> {
    const server = await readSqlServer(settings, tools);
    const { createPool } = await import("mysql2/promise");
    return new Mysql(createPool(poolOptions(server)), server.width);
  },
} as const satisfies Partial<DatabasePlugin<typeof sqlSettings>>;

export const mysql = databasePlugin({
  ...shared,
  name: "mysql-database-plugin",
  aliases: ["mariadb-database-plugin", "mysql-aurora-database-plugin", "mysql-rds-database-plugin"],
  longestUsername: 80,
  usernameTemplate:
    '{{ printf "v-%s-%s-%s-%s" (.DisplayName | truncate 10) (.RoleName | truncate 10) (random 20) (unix_time) | truncate 32 }}',
});

/** Servers of old take only 16 characters. */
export const mysqlLegacy = databasePlugin({
  ...shared,
  name: "mysql-legacy-database-plugin",
  longestUsername: 16,
  usernameTemplate: '{{ printf "v-%s-%s" (.RoleName | truncate 4) (random 20) | truncate 16 }}',
});

class Mysql implements Database {
  readonly width: number;
  readonly #pool: Pool;

  constructor(pool: Pool, width: number) {
    this.#pool = pool;
    this.width = width;
  }

  async verify(): Promise<void> {
    await this.#run(["SELECT 1"]);
  }

  async createUser({ username, credential, statements, rollbackStatements, expires }: NewUser): Promise<undefined> {
    const given = statementsIn(statements, mysqlDialect);
    if (given.length === 0) throw refused("empty creation statements");
    const values = { ...named(username), ...secretOf(credential), expiration: expirationText(expires) };
    try {
      await this.#run(given, values);
    } catch (error) {
      // Statements about users are no part of a transaction: the first ones hold when a later one fails.
      await this.deleteUser({ username, statements: rollbackStatements }).catch(() => undefined);
      throw error;
    }
  }

  async renewUser({ username, statements, expires }: RenewedUser): Promise<void> {
    const given = statementsIn(statements, mysqlDialect);
    await this.#run(given, { ...named(username), expiration: expirationText(expires) });
  }

  async changeCredential({ username, credential, statements }: CredentialChange): Promise<undefined> {
    const given = statementsIn(statements, mysqlDialect);
    const usual = "ALTER USER '{{username}}'@'%' IDENTIFIED BY '{{password}}'";
    await this.#run(given.length > 0 ? given : [usual], { ...named(username), ...secretOf(credential) });
  }

  async deleteUser({ username, statements }: EndedUser): Promise<void> {
    const given = statementsIn(statements, mysqlDialect);
    await this.#run(given.length > 0 ? given : ["DROP USER IF EXISTS '{{name}}'@'%'"], named(username));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #run(statements: readonly string[], values: StatementValues = {}): Promise<void> {
    if (statements.length === 0) return;
    const filled = statements.map((statement) => fillStatement(statement, values, mysqlDialect));
    const connection = await this.#pool.getConnection().catch((error: unknown) => {
      throw described(error, false);
    });
    try {
      for (const sql of filled) await connection.query({ sql, timeout: queryMs });
      connection.release();
    } catch (error) {
      const failure = described(error, true);
      if (failure.reason === "refused") connection.release();
      else connection.destroy();
      throw failure;
    }
  }
}

const named = (username: string) => ({ name: username, username });

const secretOf = (credential: NewUser["credential"]): StatementValues =>
  credential.type === "password" ? { password: credential.password } : {};

/** An error of the server has a number and a state; others are of the network. */
function described(error: unknown, wasSent: boolean) {
  const { code, errno, sqlState, sqlMessage, message } = error as {
    code?: string;
    errno?: number;
    sqlState?: string;
    sqlMessage?: string;
    message: string;
  };
  if (sqlState !== undefined && errno !== undefined) {
    // What it could not read, the server quotes to its end, with passwords and all.
    const said = (sqlMessage ?? message).replace(/ near '.*$/s, "");
    const words = `${wasSent ? "failed to execute query: " : ""}Error ${errno} (${sqlState}): ${said}`;
    return code === "ER_CON_COUNT_ERROR" ? busy(words) : refused(words);
  }
  const words = `cannot reach the database: ${message}`;
  return wasSent ? networkFailure(words, code) : unreachable(words);
}

function poolOptions({ address, tls, wantsTls, width, idle }: SqlServer): PoolOptions {
  const mode = address.options.get("tls") ?? (wantsTls ? "true" : "false");
  const place = address.host.startsWith("/")
    ? { socketPath: address.host }
    : { host: address.host, port: address.port ?? 3306 };
  return {
    ...place,
    user: address.user,
    password: address.password,
    ...(address.database !== "" && { database: address.database }),
    connectionLimit: width,
    maxIdle: idle,
    idleTimeout: 60_000,
    connectTimeout: connectMs,
    charset: "utf8mb4",
    ...(mode !== "false" && {
      ssl: { ...tls, ...(mode === "skip-verify" && { rejectUnauthorized: false }) } as NonNullable<PoolOptions["ssl"]>,
    }),
  };
}
