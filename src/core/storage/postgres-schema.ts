/** The tables and functions of a store in PostgreSQL. Keys are bytes there: their order is byte order in any locale. */
import type { ClientBase } from "pg";
import { StoreUnavailable } from "./store.ts";

/** Raised whenever data or functions of this version could be misused by the one before. */
const format = 1;

/** `xid8`, `pg_current_snapshot` and their friends. */
const oldestServer = 130000;

/** Creates what is missing, one process at a time, and refuses what this version does not know. */
export async function prepareSchema(client: ClientBase, prefix: string): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as version");
  if (rows[0].version < oldestServer) {
    throw new StoreUnavailable("the PostgreSQL server is too old: version 13 or later is needed");
  }
  if (await isCurrent(client, prefix)) return;
  // Before the transaction, not in it: one that has begun does not hear of tables that others made meanwhile.
  const lock = [`strongroom schema ${prefix}`];
  await client.query("select pg_advisory_lock(hashtextextended($1, 0))", lock);
  try {
    // As one query, it is one transaction.
    if (!(await isCurrent(client, prefix))) await client.query(schema(prefix));
  } finally {
    await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", lock).catch(() => {});
  }
}

async function isCurrent(client: ClientBase, prefix: string): Promise<boolean> {
  const { rows: tables } = await client.query("select to_regclass($1) as state", [`${prefix}state`]);
  if (tables[0].state === null) return false;
  const { rows } = await client.query<{ format: number }>(`select format from ${prefix}state`);
  if (rows[0]?.format === format) return true;
  throw new StoreUnavailable(
    `the data in PostgreSQL have the format ${rows[0]?.format ?? "unknown"}, and this version of Strongroom reads only ` +
      `${format}: use the version that wrote them`,
  );
}

function schema(prefix: string): string {
  return [tables, commit, list, prune].join("\n").replaceAll("$prefix$", prefix);
}

/**
 * `change` holds the keys of each commit by the number of its transaction. `state` tells how often it was pruned, at
 * which commit, and what was visible at that moment; `era` is the start of the server, whose transaction numbers mean nothing to another one.
 */
const tables = `
  create table $prefix$entry (key bytea primary key, value bytea not null, version bigint not null)
    with (fillfactor = 80);
  create table $prefix$change (xid xid8 primary key, keys bytea[] not null);
  create sequence $prefix$position;
  create table $prefix$state (
    format integer not null,
    generation bigint not null,
    position bigint not null,
    snapshot pg_snapshot not null,
    era timestamptz not null
  );
  insert into $prefix$state values (${format}, 1, 0, pg_current_snapshot(), pg_postmaster_start_time());
`;

/**
 * One change, whole or not at all: the first key whose expectation is wrong, or the number of the commit. Each key that
 * is named is locked until the end, whether it exists or not, in an order that is the same for all: so nobody can change
 * what was expected before this one is through, and nobody waits in a circle. What comes after the locks sees all that
 * their holders before us have done, which is so in transactions that are read committed, and only there.
 * A change of many keys locks all of them at once, since PostgreSQL has room for some thousand locks only.
 */
const commit = `
  create function $prefix$commit(
    expected_keys bytea[], expected_versions bigint[],
    put_keys bytea[], put_values bytea[], deleted_keys bytea[],
    out conflict bytea, out number bigint
  ) language plpgsql as $$
  declare
    seed constant bigint := hashtextextended('$prefix$', 0);
    found_version bigint;
  begin
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception 'strongroom: the isolation of this session was changed behind its back';
    end if;
    if cardinality(expected_keys) + cardinality(put_keys) + cardinality(deleted_keys) > 200 then
      perform pg_advisory_xact_lock(seed);
    else
      perform pg_advisory_xact_lock_shared(seed);
      perform case when writes then pg_advisory_xact_lock(lock) else pg_advisory_xact_lock_shared(lock) end
        from (
          select hashtextextended(encode(key, 'base64'), seed) as lock, bool_or(is_written) as writes
            from (
              select key, false as is_written from unnest(expected_keys) as key
              union all
              select key, true as is_written from unnest(put_keys || deleted_keys) as key
            ) as named
            group by lock
            order by lock
        ) as ordered;
    end if;
    for i in 1 .. cardinality(expected_keys) loop
      select version into found_version from $prefix$entry where key = expected_keys[i];
      if found_version is distinct from expected_versions[i] then
        conflict := expected_keys[i];
        return;
      end if;
    end loop;
    if cardinality(put_keys) + cardinality(deleted_keys) = 0 then
      return;
    end if;
    number := nextval('$prefix$position');
    delete from $prefix$entry where key = any (deleted_keys);
    insert into $prefix$entry (key, value, version)
      select key, value, number from unnest(put_keys, put_values) as put (key, value)
      on conflict (key) do update set value = excluded.value, version = excluded.version;
    insert into $prefix$change values (pg_current_xact_id(), deleted_keys || put_keys);
  end $$;
`;

/** Names from a key on, jumping over the inside of folders. */
const list = `
  create function $prefix$list(prefix bytea, start bytea, most integer) returns bytea[] language plpgsql stable as $$
  declare
    names bytea[] := '{}';
    key_found bytea;
    next bytea := start;
    slash integer;
  begin
    <<folders>> loop
      for key_found in select key from $prefix$entry where key >= next order by key limit most loop
        exit folders when substring(key_found for length(prefix)) <> prefix;
        key_found := substring(key_found from length(prefix) + 1);
        most := most - 1;
        slash := position('\\x2f'::bytea in key_found);
        if slash > 0 then
          names := array_append(names, substring(key_found for slash));
          next := prefix || substring(key_found for slash - 1) || '\\x30'::bytea;
          continue folders;
        end if;
        names := array_append(names, key_found);
      end loop;
      exit;
    end loop;
    return names;
  end $$;
`;

/**
 * Forgets the changes that were there already when the last pruning was done. So a reader whose point in history is from
 * this generation or the one before misses nothing, whatever transactions were under way. One that comes late, when the
 * next is due already, must not make that one forget what has just happened: between two are so many commits at least.
 */
const prune = `
  create function $prefix$prune(history bigint) returns void language plpgsql as $$
  declare
    last record;
    reached bigint;
  begin
    select last_value into reached from $prefix$position;
    select * into last from $prefix$state for update skip locked;
    if not found or reached - last.position < history then
      return;
    end if;
    if last.era = pg_postmaster_start_time() then
      delete from $prefix$change
        where xid < pg_snapshot_xmax(last.snapshot) and pg_visible_in_snapshot(xid, last.snapshot);
    else
      delete from $prefix$change;
    end if;
    update $prefix$state set
      generation = generation + case when last.era = pg_postmaster_start_time() then 1 else 2 end,
      position = reached,
      snapshot = pg_current_snapshot(),
      era = pg_postmaster_start_time();
  end $$;
`;
