/** Drops a role with what it was granted; what it owns keeps it alive, since nobody said that data may go. */
import type { PoolClient } from "pg";
import { quotedName } from "./sql-text.ts";

const hasDependents = "2BP01";

export async function dropUser(username: string, client: PoolClient): Promise<void> {
  const role = quotedName(username);
  try {
    await client.query(`DROP ROLE IF EXISTS ${role}`);
  } catch (error) {
    if ((error as { code?: string }).code !== hasDependents) throw error;
    await revokeGrants(username, role, client);
    await client.query(`DROP ROLE IF EXISTS ${role}`);
  }
}

async function revokeGrants(username: string, role: string, client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT DISTINCT n.nspname AS schema FROM pg_namespace n
     WHERE n.nspname = 'public' OR EXISTS (SELECT FROM aclexplode(n.nspacl) a JOIN pg_roles r ON r.oid = a.grantee WHERE r.rolname = $1)
     OR EXISTS (SELECT FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee WHERE c.relnamespace = n.oid AND r.rolname = $1)
     OR EXISTS (SELECT FROM pg_proc p, aclexplode(p.proacl) a JOIN pg_roles r ON r.oid = a.grantee WHERE p.pronamespace = n.oid AND r.rolname = $1)`,
    [username],
  );
  const { rows: databases } = await client.query<{ name: string }>("SELECT current_database() AS name");
  const revocations = rows.flatMap(({ schema }) => {
    const from = `${quotedName(schema)} FROM ${role}`;
    return [
      `REVOKE ALL PRIVILEGES ON ALL TABLES IN SCHEMA ${from}`,
      `REVOKE ALL PRIVILEGES ON ALL SEQUENCES IN SCHEMA ${from}`,
      `REVOKE ALL PRIVILEGES ON ALL FUNCTIONS IN SCHEMA ${from}`,
      `REVOKE ALL PRIVILEGES ON SCHEMA ${from}`,
    ];
  });
  const all = [...revocations, `REVOKE ALL PRIVILEGES ON DATABASE ${quotedName(databases[0]!.name)} FROM ${role}`];
  // One that is not ours to revoke does not keep the others.
  for (const revocation of all) await client.query(revocation).catch(() => undefined);
}
