/**
 * Database users per second beside bare `CREATE ROLE` on the same PostgreSQL, with as many connections and as many requests in
 * flight: `node bench/database.ts`. SCRAM costs the database most of it, so both tell it the same kind of password.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { LmdbStore } from "../src/core/storage/lmdb.ts";
import { database } from "../src/engines/database/engine.ts";
import { KernelCaller } from "../test/support/kernel-caller.ts";
import { noPostgres, startPostgres } from "../test/support/postgres.ts";

const rounds = Number(process.env["ROUNDS"] ?? 3);
const users = Number(process.env["USERS"] ?? 2000);
const inFlight = 500;
const connections = 4;

async function measure(what: string, make: () => Promise<unknown>): Promise<number> {
  let left = users;
  const start = performance.now();
  const lane = async () => {
    while (left-- > 0) await make();
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const rate = users / ((performance.now() - start) / 1000);
  console.log(`${what.padEnd(52)} ${Math.round(rate).toLocaleString("en").padStart(7)}/s`);
  return rate;
}

if (noPostgres !== undefined) {
  console.log(`nothing is measured: ${noPostgres}`);
} else {
  const postgres = await startPostgres({ fsync: true });
  const folder = await mkdtemp(join(tmpdir(), "strongroom-bench-"));
  const pool = new Pool({ connectionString: postgres.url, max: connections });
  const server = await new KernelCaller([database], await LmdbStore.open(join(folder, "store")), {
    now: Date.now(),
  }).initialize();
  const { hostname, port, password } = new URL(postgres.url);
  await server.call("write", "sys/mounts/database", { type: "database" });
  await server.call("write", "database/config/db", {
    plugin_name: "postgresql-database-plugin",
    connection_url: `postgresql://{{username}}:{{password}}@${hostname}:${port}/postgres`,
    username: "postgres",
    password,
    max_open_connections: connections,
    allowed_roles: "*",
  });
  const statement = `CREATE ROLE "{{name}}" LOGIN PASSWORD '{{password}}' VALID UNTIL '{{expiration}}'`;
  await server.call("write", "database/roles/app", {
    db_name: "db",
    creation_statements: statement,
    default_ttl: "1h",
  });
  const bare = async () => {
    const name = `b-${randomBytes(12).toString("hex")}`;
    const secret = randomBytes(10).toString("hex");
    await pool.query(`CREATE ROLE "${name}" LOGIN PASSWORD '${secret}' VALID UNTIL '2040-01-01 00:00:00+0000'`);
  };
  console.log(`${users} users, ${inFlight} requests in flight, ${connections} connections`);
  for (let round = 0; round < rounds; round++) {
    const alone = await measure("bare CREATE ROLE", bare);
    const ours = await measure("users with a lease, through the core, LMDB on disk", () =>
      server.call("read", "database/creds/app"),
    );
    console.log(`${"share of bare".padEnd(52)} ${((100 * ours) / alone).toFixed(0).padStart(7)} %`);
  }
  await server.kernel.stop();
  await pool.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}
