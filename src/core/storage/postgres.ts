/** The store for more than one machine: PostgreSQL, where every node reads and writes. */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { byteString, checkKey, checkPrefix, maxKeyBytes, pageStart } from "./key.ts";
import { Leads, type LeadTimings } from "./lead.ts";
import { type ConnectionOptions, Connections } from "./postgres-connections.ts";
import { isConnectionLost, isRolledBack, unavailable } from "./postgres-error.ts";
import { decodePoint, earlier, encodePoint, type HistoryPoint } from "./postgres-point.ts";
import { Rounds } from "./postgres-round.ts";
import { prepareSchema } from "./postgres-schema.ts";
import {
  type Batch,
  type Changes,
  Conflict,
  type Entry,
  type Leadership,
  type Page,
  type Point,
  type Store,
  StoreUnavailable,
} from "./store.ts";

export interface PostgresOptions extends ConnectionOptions {
  /** What the names of all tables begin with, so that they can share a database with others. */
  readonly tablePrefix?: string;
  /** So many commits, at least, can be asked for with `changes`. */
  readonly history?: number;
  readonly lead?: Partial<LeadTimings>;
}

/** The answer to all who asked what has changed in one round, whatever point each of them knew. */
interface History {
  readonly at: Point;
  readonly now: HistoryPoint;
  /** Undefined when they were too many. */
  readonly keys: readonly string[] | undefined;
}

export class PostgresStore implements Store {
  readonly type = "postgresql";
  readonly maxKeyBytes = maxKeyBytes;
  readonly #connections: Connections;
  readonly #prefix: string;
  readonly #history: number;
  readonly #leads: Leads;
  readonly #gets = new Rounds<string, Entry | undefined>((keys) => this.#fetch(keys), 3);
  readonly #histories = new Rounds<HistoryPoint | undefined, History>((points) => this.#fetchHistory(points), 2);
  readonly #commits = new Set<Promise<void>>();
  #isClosed = false;

  private constructor(connections: Connections, prefix: string, options: PostgresOptions) {
    this.#connections = connections;
    this.#prefix = prefix;
    this.#history = options.history ?? 2048;
    this.#leads = new Leads(this, randomUUID(), options.lead);
  }

  static async open(connectionUrl: string, options: PostgresOptions = {}): Promise<PostgresStore> {
    const prefix = options.tablePrefix ?? "strongroom_";
    if (!/^[a-z_][a-z0-9_]{0,30}$/.test(prefix)) {
      throw new StoreUnavailable(
        `the table prefix ${JSON.stringify(prefix)} is refused: up to 31 of a-z, 0-9 and _, not beginning with a digit`,
      );
    }
    let connections: Connections | undefined;
    try {
      connections = new Connections(connectionUrl, options);
      await connections.withClient((client) => prepareSchema(client, prefix));
      return new PostgresStore(connections, prefix, options);
    } catch (error) {
      await connections?.close();
      throw unavailable(error);
    }
  }

  async get(key: string): Promise<Entry | undefined> {
    this.#checkOpen();
    checkKey(key);
    return this.#gets.ask(key);
  }

  async list(prefix: string, page: Page = {}): Promise<string[]> {
    this.#checkOpen();
    checkPrefix(prefix);
    const after = page.after === undefined ? undefined : byteString(page.after);
    const start = Buffer.from(pageStart(byteString(prefix), after), "latin1");
    const most = Math.min(page.limit ?? mostNames, mostNames);
    const rows = await this.#connections.read<{ names: Buffer[] }>({
      name: `${this.#prefix}list`,
      text: `select ${this.#prefix}list($1, $2, $3) as names`,
      values: [Buffer.from(prefix), start, most],
    });
    return rows[0]!.names.map((name) => name.toString());
  }

  async changes(since: Point | undefined): Promise<Changes> {
    this.#checkOpen();
    const from = since === undefined ? undefined : decodePoint(since);
    const { at, now, keys } = await this.#histories.ask(from);
    if (since === undefined) return { at, keys: [] };
    const isReached = from && from.era === now.era && from.generation >= now.generation - 1 && from.next <= now.next;
    return { at, keys: isReached ? keys : undefined };
  }

  async commit(batch: Batch): Promise<void> {
    this.#checkOpen();
    const committing = this.#commit(batch);
    this.#commits.add(committing);
    await committing.finally(() => this.#commits.delete(committing));
  }

  async lead(name: string, work: (leadership: Leadership) => Promise<void>, until: AbortSignal): Promise<void> {
    this.#checkOpen();
    await this.#leads.lead(name, work, until);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#leads.close();
    this.#isClosed = true;
    await Promise.allSettled(this.#commits);
    await this.#connections.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
  }

  async #commit({ expect, puts, deletes }: Batch): Promise<void> {
    for (const keys of [expect.keys(), puts.keys(), deletes]) for (const key of keys) checkKey(key);
    const [expected, written] = [[...expect], [...puts]];
    const query = {
      name: `${this.#prefix}commit`,
      text: `select conflict, number from ${this.#prefix}commit($1, $2, $3, $4, $5)`,
      values: [
        expected.map(([key]) => Buffer.from(key)),
        expected.map(([, version]) => version ?? null),
        written.map(([key]) => Buffer.from(key)),
        written.map(([, value]) => value),
        [...deletes].map((key) => Buffer.from(key)),
      ],
    };
    const { conflict, number } = await this.#retried(query);
    if (conflict !== null) throw new Conflict(conflict.toString());
    if (number !== null && Number(number) % this.#history === 0) this.#prune();
  }

  /** Commits do not get in one another's way, but what else runs on the server may get in theirs. */
  async #retried(query: { name: string; text: string; values: unknown[] }) {
    for (let attempt = 1; ; attempt++) {
      try {
        const rows = await this.#connections.write<{ conflict: Buffer | null; number: string | null }>(query);
        return rows[0]!;
      } catch (error) {
        if (!isRolledBack(error) || attempt === mostAttempts) {
          throw unavailable(error, { isOutcomeUnknown: isConnectionLost(error) });
        }
        await setTimeout(attempt);
      }
    }
  }

  /** Nobody waits for it, and when it fails the next one will do the work. */
  #prune(): void {
    const prune = { text: `select ${this.#prefix}prune($1)`, values: [this.#history] };
    this.#connections.read(prune).catch(() => {});
  }

  async #fetch(keys: string[]): Promise<(Entry | undefined)[]> {
    const rows = await this.#connections.read<{ key: Buffer; value: Buffer; version: string }>({
      name: `${this.#prefix}get`,
      text: `select key, value, version from ${this.#prefix}entry where key = any ($1::bytea[])`,
      values: [keys.map((key) => Buffer.from(key))],
    });
    const found = new Map(rows.map(({ key, value, version }) => [key.toString(), { value, version: Number(version) }]));
    return keys.map((key) => found.get(key));
  }

  async #fetchHistory(points: (HistoryPoint | undefined)[]): Promise<History[]> {
    const known = points.filter((point) => point !== undefined);
    const from = known.reduce<HistoryPoint | undefined>((one, other) => (one ? earlier(one, other) : other), undefined);
    const rows = await this.#connections.read<HistoryRow>({
      name: `${this.#prefix}changes`,
      text: historyQuery.replaceAll("$prefix$", this.#prefix),
      values: [String(from?.next ?? farthest), from?.underWay.map(String) ?? [], 2 * this.#history],
    });
    const { era, generation, snapshot, commits, keys } = rows[0]!;
    const at = encodePoint(era, generation, snapshot);
    const isWhole = Number(commits) < 2 * this.#history;
    const history: History = { at, now: decodePoint(at)!, keys: isWhole ? keys.map(String) : undefined };
    return points.map(() => history);
  }
}

interface HistoryRow {
  readonly era: string;
  readonly generation: string;
  readonly snapshot: string;
  readonly commits: string;
  readonly keys: Buffer[];
}

/** What this statement sees, and of that the changes of all transactions that an earlier one could not see. */
const historyQuery = `
  with fresh as materialized (
    (select keys from $prefix$change where xid >= $1::xid8 limit $3)
    union all
    (select keys from $prefix$change where xid = any ($2::xid8[]))
  )
  select
    extract(epoch from pg_postmaster_start_time())::text as era,
    (select generation from $prefix$state) as generation,
    pg_current_snapshot()::text as snapshot,
    (select count(*) from fresh) as commits,
    array(select distinct key from fresh, unnest(fresh.keys) as key) as keys
`;

/** No transaction has this number. */
const farthest = 2n ** 63n;
const mostNames = 2 ** 31 - 1;
const mostAttempts = 10;
