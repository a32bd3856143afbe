/** `storage`: where everything is kept, encrypted. */
import { HclError } from "../lib/hcl/error.ts";
import { integer, readText, text } from "./kinds.ts";
import { Ignored, Setting } from "./setting.ts";
import type { StanzaDeclaration, StanzaValues } from "./stanza.ts";

const everyNodeServes = new Ignored("every node serves reads and writes, and needs no lock for that");
const ownTables = new Ignored("the server makes its own tables, named by table_prefix");

const tablePrefix = (description: string) =>
  Setting.of("string", description, (value) => {
    const written = readText(value);
    if (/^[a-z_][a-z0-9_]{0,30}$/.test(written)) return written;
    throw new HclError("must be up to 31 of a-z, 0-9 and _, not beginning with a digit", value.position);
  });

export const storageTypes = {
  lmdb: {
    path: text("Folder for the data. It is made if it is missing, and must be on a local disk").required(),
  },
  postgresql: {
    connection_url: text("Where the database is: `postgres://user:password@host:5432/database?sslmode=verify-full`")
      .required()
      .environment("PG_CONNECTION_URL"),
    table_prefix: tablePrefix("What the names of all tables begin with").default("strongroom_"),
    max_connections: integer("Connections that this server opens at most; its workers divide them, and each needs 2", {
      least: 2,
      most: 1000,
    }).default(16),
    table: ownTables,
    skip_create_table: ownTables,
    max_parallel: new Ignored("set max_connections"),
    max_idle_connections: new Ignored("set max_connections"),
    max_connect_retries: new Ignored(
      "the server stops when it cannot reach its store at start, and tries again later on",
    ),
    ha_enabled: everyNodeServes,
    ha_table: everyNodeServes,
  },
  inmem: {},
};

export type StorageConfig = StanzaValues<typeof storageTypes>;

const folder = 'use storage "lmdb" { path = "…" }, which keeps its data in a local folder';

export const storageStanza: StanzaDeclaration<typeof storageTypes> = {
  name: "storage",
  types: storageTypes,
  refusals: {
    file: folder,
    raft: `${folder}, or storage "postgresql" for more than one machine`,
  },
};
