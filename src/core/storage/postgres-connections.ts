/** Connections to PostgreSQL: two pools, so that reads do not wait behind commits. */
import { type ClientBase, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResultRow } from "pg";
import { isConnectionLost, unavailable } from "./postgres-error.ts";
import { StoreUnavailable } from "./store.ts";

export interface ConnectionOptions {
  readonly readers?: number;
  readonly writers?: number;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeout?: number;
  /** Milliseconds to wait for an answer. */
  readonly queryTimeout?: number;
}

export class Connections {
  readonly #readers: Pool;
  readonly #writers: Pool;
  #isClosed = false;

  constructor(url: string, options: ConnectionOptions = {}) {
    const { readers = 6, writers = 10, connectTimeout = 5000, queryTimeout = 30_000 } = options;
    const common: PoolConfig = {
      connectionString: url,
      application_name: "strongroom",
      connectionTimeoutMillis: connectTimeout,
      // The server gives up first, so that the connection stays usable.
      query_timeout: queryTimeout + 2000,
      keepAlive: true,
      idleTimeoutMillis: 60_000,
    };
    this.#readers = pool({ ...common, max: readers }, queryTimeout);
    this.#writers = pool({ ...common, max: writers }, queryTimeout);
  }

  /** Reads may be asked again: a connection that died while it was idle is nobody's business. */
  async read<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#run<Row>(this.#readers, query);
      } catch (error) {
        if (attempt === 3 || !isConnectionLost(error)) throw unavailable(error);
      }
    }
  }

  /** Throws PostgreSQL's own errors, of which some are to be expected. */
  async write<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    return this.#run<Row>(this.#writers, query);
  }

  async withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#readers.connect();
    try {
      return await use(client);
    } finally {
      client.release();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#readers.end(), this.#writers.end()]);
  }

  async #run<Row extends QueryResultRow>(from: Pool, query: QueryConfig): Promise<Row[]> {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
    const client = await from.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    let isBroken = false;
    try {
      return (await client.query<Row>(query)).rows;
    } catch (error) {
      isBroken = isConnectionLost(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
}

function pool(config: PoolConfig, queryTimeout: number): Pool {
  const settings = [
    "set default_transaction_isolation = 'read committed'",
    `set statement_timeout = ${Math.trunc(queryTimeout)}`,
    // Every statement finds its rows by index, also before the server has learned how large the tables are.
    "set enable_seqscan = off",
    "set enable_bitmapscan = off",
    "set plan_cache_mode = force_generic_plan",
    "set client_encoding = 'UTF8'",
  ];
  const onConnect = async (client: ClientBase) => {
    // The query that is under way hears of a broken connection, too; this one is only for Node, which would exit.
    client.on("error", () => {});
    await client.query(settings.join("; "));
    const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
    if (rows[0]?.standby) throw new StoreUnavailable(standby);
  };
  const made = new Pool({ ...config, onConnect });
  // A connection that breaks while nobody uses it is dropped; the next user gets another one.
  made.on("error", () => {});
  return made;
}

/** What it tells may be old, and a server does not become one without dropping its connections. */
const standby = "the PostgreSQL server is a standby, which takes no writes: connect to the primary server";
