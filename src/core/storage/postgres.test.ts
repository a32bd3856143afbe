import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCertificates } from "../../../test/support/certificates.ts";
import { noPostgres, type Postgres, startPostgres } from "../../../test/support/postgres.ts";
import { PostgresStore } from "./postgres.ts";
import { testStore } from "./store.suite.ts";
import { type Store, StoreUnavailable } from "./store.ts";
import { batch, text } from "./store-case.suite.ts";

let server: Postgres;
beforeAll(async () => {
  if (noPostgres === undefined) server = await startPostgres();
});
afterAll(() => server?.stop());

const few = { readers: 4, writers: 4 };
let prefixes = 0;
const newPrefix = () => `s${prefixes++}_`;

testStore({
  name: "PostgreSQL",
  missing: noPostgres,
  async prepare() {
    const tablePrefix = newPrefix();
    return {
      isShared: true,
      open: (options) => PostgresStore.open(server.url, { ...few, ...options, tablePrefix }),
      destroy: async () => {},
    };
  },
});

describe("a store in PostgreSQL", () => {
  beforeEach(({ skip }) => skip(noPostgres !== undefined, noPostgres));

  const clients: Client[] = [];
  const connect = async (url = server.url) => {
    const client = new Client({ connectionString: url });
    client.on("error", () => {});
    clients.push(client);
    await client.connect();
    return client;
  };
  const stores: Store[] = [];
  const open = async (tablePrefix: string, history?: number) => {
    const store = await PostgresStore.open(server.url, { ...few, tablePrefix, ...(history && { history }) });
    stores.push(store);
    return store;
  };
  afterAll(async () => {
    for (const client of clients) await client.end();
    for (const store of stores) await store.close();
  });

  /** A commit of another process that takes its time. */
  const slowCommit = async (client: Client, prefix: string, key: string) => {
    await client.query("begin");
    const puts = [[Buffer.from(key)], [Buffer.from("slow")]];
    await client.query(`select ${prefix}commit('{}', '{}', $1, $2, '{}')`, puts);
    return () => client.query("commit");
  };

  it("is made once when many open it at the same time", async () => {
    const prefix = newPrefix();
    const opened = await Promise.all(Array.from({ length: 6 }, () => open(prefix)));
    await opened[0]!.commit(batch({ puts: { a: "1" } }));
    for (const store of opened) expect(await text(store, "a")).toBe("1");
  });

  it("tells of a commit that began before others and ended after them", async () => {
    const prefix = newPrefix();
    const store = await open(prefix);
    const client = await connect();
    let { at } = await store.changes(undefined);
    const finish = await slowCommit(client, prefix, "slow");
    const seen: (readonly string[] | undefined)[] = [];
    for (const key of ["a", "b", "c"]) {
      await store.commit(batch({ puts: { [key]: "x" } }));
      const changes = await store.changes(at);
      seen.push(changes.keys);
      at = changes.at;
    }
    await finish();
    const last = await store.changes(at);
    seen.push(last.keys, (await store.changes(last.at)).keys);
    expect(seen).toEqual([["a"], ["b"], ["c"], ["slow"], []]);
  });

  it("tells each change once, also while somebody else's transaction stays open", async () => {
    const prefix = newPrefix();
    const store = await open(prefix, 8);
    const stranger = await connect();
    await stranger.query("begin; create temporary table held (x int)");
    let { at } = await store.changes(undefined);
    for (let round = 0; round < 100; round++) {
      await store.commit(batch({ puts: { [`k${round}`]: "x" } }));
      const changes = await store.changes(at);
      expect(changes.keys).toEqual([`k${round}`]);
      at = changes.at;
    }
    await stranger.query("rollback");
  });

  it("misses nothing while slow and quick commits race and the log is pruned", async () => {
    const prefix = newPrefix();
    const [store, reader] = [await open(prefix, 32), await open(prefix, 32)];
    const acknowledged = new Set<string>();
    let writing = 5;
    const slow = async (writer: number) => {
      const client = await connect();
      for (let round = 0; round < 12; round++) {
        const key = `slow/${writer}/${round}`;
        const finish = await slowCommit(client, prefix, key);
        await setTimeout((writer * 7 + round * 5) % 23);
        await finish();
        acknowledged.add(key);
      }
      writing--;
    };
    const quick = async (writer: number) => {
      for (let round = 0; round < 60; round++) {
        const key = `quick/${writer}/${round}`;
        await store.commit(batch({ puts: { [key]: "x" } }));
        acknowledged.add(key);
      }
      writing--;
    };
    const follow = async () => {
      let { at } = await reader.changes(undefined);
      const told = new Set(acknowledged);
      for (let isLast = false; !isLast; ) {
        isLast = writing === 0;
        const due = [...acknowledged];
        const { at: now, keys = due } = await reader.changes(at);
        at = now;
        for (const key of keys) told.add(key);
        expect(due.filter((key) => !told.has(key))).toEqual([]);
      }
    };
    await Promise.all([slow(0), slow(1), quick(2), quick(3), quick(4), follow(), follow()]);
  });

  it("keeps its log short", async () => {
    const prefix = newPrefix();
    const store = await open(prefix, 16);
    for (let round = 0; round < 200; round++) await store.commit(batch({ puts: { key: "x" } }));
    const client = await connect();
    const rows = () => client.query(`select count(*)::int as count from ${prefix}change`);
    await expect.poll(async () => (await rows()).rows[0].count).toBeLessThan(48);
  });

  it("refuses a commit that would not see what was done before it had its locks", async () => {
    const prefix = newPrefix();
    await open(prefix);
    const client = await connect();
    await client.query("set default_transaction_isolation = 'repeatable read'");
    const commit = client.query(`select ${prefix}commit('{}', '{}', '{}', '{}', '{}')`);
    await expect(commit).rejects.toThrow("isolation");
  });

  it("is refused when it has another format", async () => {
    const prefix = newPrefix();
    await open(prefix);
    await (await connect()).query(`update ${prefix}state set format = 2`);
    await expect(open(prefix)).rejects.toThrow("have the format 2, and this version of Strongroom reads only 1");
  });

  it.each(["Upper_", "1st_", 'a"; drop table x; --', "", "x".repeat(40)])(
    "is refused with the prefix %j",
    async (prefix) => {
      await expect(open(prefix)).rejects.toThrow("up to 31 of a-z, 0-9 and _");
    },
  );

  const changed = (
    parts: Partial<Record<"port" | "hostname" | "username" | "password" | "pathname" | "search", string>>,
  ) => Object.assign(new URL(server.url), parts).href;
  const refusals: [string, Parameters<typeof changed>[0], string][] = [
    ["nothing answers", { port: "1" }, "PostgreSQL cannot be used: nothing answers at its address"],
    ["its host is unknown", { hostname: "nowhere.invalid" }, "its host name is not known"],
    ["the password is wrong", { password: "hunter2" }, "it refuses this user (password authentication"],
    ["the database does not exist", { pathname: "/none" }, 'database "none" does not exist'],
    ["it has no TLS and must", { search: "sslmode=verify-full" }, "does not support SSL"],
  ];
  it.each(refusals)("says why it cannot be opened when %s", async (_, parts, complaint) => {
    const url = changed(parts);
    const opening = PostgresStore.open(url, { connectTimeout: 2000 });
    await expect(opening).rejects.toThrow(StoreUnavailable);
    await expect(opening).rejects.toThrow(complaint);
    const error = await opening.catch((reason: Error) => reason);
    expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain(new URL(url).password);
  });

  it("says which right is missing, and can do with those that it needs", async () => {
    const owner = await connect();
    await owner.query("create role guest login password 'guest'; revoke create on schema public from public");
    const url = changed({ username: "guest", password: "guest" });
    const tablePrefix = newPrefix();
    const opening = PostgresStore.open(url, { ...few, tablePrefix });
    await expect(opening).rejects.toThrow("this user lacks a right (permission denied for schema public)");
    await (await open(tablePrefix)).commit(batch({ puts: { a: "1" } }));
    await owner.query(`grant select, insert, update, delete on all tables in schema public to guest`);
    await owner.query(`grant usage on all sequences in schema public to guest`);
    const store = await PostgresStore.open(url, { ...few, tablePrefix });
    await store.commit(batch({ puts: { a: "2" } }));
    expect(await text(store, "a")).toBe("2");
    await store.close();
  });

  it("goes on when the server was gone for a while", async () => {
    const store = await open(newPrefix());
    await store.commit(batch({ puts: { a: "1" } }));
    const { at } = await store.changes(undefined);
    await server.crash();
    const change = batch({ puts: { a: "2" } });
    const outcomes = await Promise.allSettled([
      store.get("a"),
      store.list(""),
      store.changes(at),
      store.commit(change),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { name: "StoreUnavailable" } });
    await server.start();
    expect(await text(store, "a")).toBe("1");
    // Its transaction numbers may have begun anew somewhere else: whoever asks must forget what it knew.
    expect((await store.changes(at)).keys).toBeUndefined();
    await store.commit(batch({ puts: { a: "3" } }));
    expect(await text(store, "a")).toBe("3");
  });

  it("does not say that a commit failed when it may have worked", async () => {
    const prefix = newPrefix();
    const store = await open(prefix);
    await store.commit(batch({ puts: { a: "1" } }));
    const blocker = await connect();
    await blocker.query(`begin; update ${prefix}entry set value = 'x'`);
    const outcome = Promise.allSettled([store.commit(batch({ puts: { a: "2" } }))]);
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like $1";
    await expect.poll(async () => (await blocker.query(waiting, [`%${prefix}commit%`])).rowCount).toBe(1);
    await blocker.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like $1 and pid <> pg_backend_pid()",
      [`%${prefix}commit%`],
    );
    expect(await outcome).toMatchObject([{ reason: { name: "StoreUnavailable", isOutcomeUnknown: true } }]);
    await blocker.query("rollback");
    await store.commit(batch({ puts: { a: "3" } }));
  });

  it("speaks TLS as its address says, and takes no writes to a standby", async ({ skip }) => {
    const certificates = makeCertificates();
    if (certificates === undefined) return skip("there is no openssl to make certificates with");
    const other = await startPostgres({ tls: certificates.server });
    try {
      const authority = join(other.data, "authority.pem");
      await writeFile(authority, certificates.authority.cert);
      await expect(PostgresStore.open(`${other.url}?sslmode=verify-full`)).rejects.toThrow(/certificate/);
      const url = `${other.url}?sslmode=verify-full&sslrootcert=${authority}`;
      const store = await PostgresStore.open(url, few);
      await store.commit(batch({ puts: { a: "1" } }));
      const client = await connect(url);
      const { rows } = await client.query(
        "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'strongroom'",
      );
      expect(new Set(rows.map(({ ssl }) => ssl))).toEqual(new Set([true]));
      await other.crash();
      await writeFile(join(other.data, "standby.signal"), "");
      await other.start();
      await expect(store.changes(undefined)).rejects.toThrow("is a standby, which takes no writes");
      await expect(store.commit(batch({ puts: { a: "2" } }))).rejects.toThrow(StoreUnavailable);
      await expect(PostgresStore.open(url, few)).rejects.toThrow("is a standby, which takes no writes");
      await store.close();
    } finally {
      await other.stop();
    }
  });
});
