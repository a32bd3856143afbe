/** A real MariaDB server for tests, from Debian's package. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface LocalServer {
  readonly port: number;
  readonly rootPassword: string;
  /** Ends it at once, as a crash would. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const program = "/usr/sbin/mariadbd";
const tables = "/usr/share/mysql";

/** Why there can be no server here, or undefined when there can be. */
export const noMariadb: string | undefined = existsSync(program)
  ? undefined
  : "the package mariadb-server-core is not installed";

export async function startMariadb(): Promise<LocalServer> {
  const folder = await mkdtemp(join(tmpdir(), "strongroom-mariadb-"));
  await chmod(folder, 0o700);
  const port = await freePort();
  const rootPassword = "root-password-of-the-test";
  const account = process.getuid?.() === 0 ? ["--user=root"] : [];
  const data = join(folder, "data");
  await mkdir(data);
  bootstrap(data, account);
  const script = join(folder, "init.sql");
  const grant = "GRANT ALL PRIVILEGES ON *.* TO 'manager'@'%' WITH GRANT OPTION;";
  await writeFile(script, `CREATE USER IF NOT EXISTS 'manager'@'%' IDENTIFIED BY '${rootPassword}';\n${grant}\n`);
  let server: ChildProcess | undefined;
  const flags = [
    "--no-defaults",
    `--datadir=${data}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${join(folder, "socket")}`,
    `--pid-file=${join(folder, "pid")}`,
    `--init-file=${script}`,
    "--innodb-buffer-pool-size=16M",
    "--innodb-flush-log-at-trx-commit=0",
    "--skip-log-bin",
    ...account,
  ];
  const start = async () => {
    server = await serve(program, flags, /ready for connections/);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill(signal);
    await exit;
  };
  const killOnExit = () => server?.kill("SIGKILL");
  process.on("exit", killOnExit);
  await start();
  return {
    port,
    rootPassword,
    start,
    crash: () => end("SIGKILL"),
    async stop() {
      await end("SIGTERM");
      process.off("exit", killOnExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the installing script of the package does, which asks for programs of another package. */
function bootstrap(data: string, account: readonly string[]): void {
  const files = ["mysql_system_tables", "mysql_performance_tables", "mysql_system_tables_data"];
  const input = [
    "CREATE DATABASE mysql;",
    "USE mysql;",
    "SET @auth_root_socket = NULL;",
    "SET @skip_auth_anonymous = 1;",
    ...files.map((file) => readFileSync(join(tables, `${file}.sql`), "utf8")),
  ].join("\n");
  const flags = ["--no-defaults", "--bootstrap", `--datadir=${data}`, "--innodb-buffer-pool-size=16M", ...account];
  const { status, stderr } = spawnSync(program, flags, { input });
  if (status !== 0) throw new Error(`MariaDB could not be set up: ${stderr}`);
}

/** Resolves when the server says that it is ready. */
export async function serve(program: string, flags: readonly string[], ready: RegExp): Promise<ChildProcess> {
  const server = spawn(program, flags, { stdio: ["ignore", "pipe", "pipe"], cwd: tmpdir() });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`${program} did not start: ${log}`)));
    const listen = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (ready.test(log)) resolve();
    };
    server.stdout!.on("data", listen);
    server.stderr!.on("data", listen);
  });
  return server;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
