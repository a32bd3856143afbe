/** Users and passwords of databases: made for a time, or kept and replaced, and never known for long. */
import { engine } from "../../api/engine.ts";
import { connectionPaths } from "./connection.paths.ts";
import { credentialPaths } from "./credentials.paths.ts";
import { recoveryJob, rotationJob } from "./jobs.ts";
import { credentialLease } from "./lease.ts";
import { OpenDatabases } from "./open-databases.ts";
import type { AnyPlugin } from "./plugin.ts";
import { plugins } from "./plugins/index.ts";
import { rolePaths } from "./role.paths.ts";
import { type DatabaseServices, databaseServices } from "./services.ts";
import { staticRolePaths } from "./static-role.paths.ts";

/** Over a list of plugins: those that come with the server, and what its operator adds. */
export const databaseEngine = (known: readonly AnyPlugin[]) =>
  engine<DatabaseServices, OpenDatabases>({
    type: "database",
    kind: "secrets",
    summary: "Users and passwords of databases",
    paths: [...connectionPaths, ...rolePaths, ...credentialPaths, ...staticRolePaths],
    leases: { credential: credentialLease },
    jobs: [rotationJob, recoveryJob],
    plugins: known.flatMap(({ name, aliases = [], version, sha256 }) =>
      [name, ...aliases].map((each) => ({ name: each, version, sha256 })),
    ),
    start: (host) => new OpenDatabases(known, host),
    stop: (databases) => databases.stop(),
    services: databaseServices,
  });

export const database = databaseEngine(plugins);
