/** Starts real server processes on free ports, waits until they serve, and ends them in good and bad ways. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpCaller } from "./http-caller.ts";

const root = join(import.meta.dirname, "../..");

export interface ServerOptions {
  /** What a configuration file says; without it, `flags` alone count. */
  readonly config?: object | string | undefined;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** How many processes serve; one, unless that is what is tested. */
  readonly workers?: number;
  /** Command and arguments that the server's command line is handed to. */
  readonly under?: readonly string[];
  /** The program, relative to the checkout: the sources, unless what is built is to be run. */
  readonly program?: string;
  /** For the runtime itself. */
  readonly runtimeFlags?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export class ServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  /** Everything that it wrote, to both streams. */
  output = "";
  readonly ended: Promise<Exit>;

  private constructor(options: ServerOptions) {
    this.#folder = mkdtempSync(join(tmpdir(), "strongroom-server-"));
    const [command, ...args] = commandLine(options, this.#folder);
    this.#child = spawn(command!, args, { env: environment(options), stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    running.add(this.#child);
    this.ended = this.#end();
  }

  /** Resolves once the server listens; rejects with what it said if it ends before. */
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    const ended = server.ended.then(({ code, signal }) => {
      throw new Error(`the server ended with ${code ?? signal} before it was ready:\n${server.output}`);
    });
    while (!server.output.includes("server started!")) {
      await Promise.race([once(server.#child.stdout!, "data"), ended]);
    }
    // Nobody waits for it any more, and its rejection is no news.
    ended.catch(() => {});
    return server;
  }

  /** For servers that are expected to end by themselves. */
  static async run(options: ServerOptions): Promise<Exit & { readonly output: string }> {
    const server = new ServerProcess(options);
    const exit = await server.ended;
    return { ...exit, output: server.output };
  }

  get isRunning(): boolean {
    return running.has(this.#child);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Of each listener, in the order of the configuration. */
  get urls(): string[] {
    return [...this.output.matchAll(/^ *Listener \d+: (\S+)/gm)].map(([, url]) => url!);
  }

  get url(): string {
    return this.urls[0]!;
  }

  caller(token?: string): HttpCaller {
    return new HttpCaller(this.url, token);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As an operator would end it. */
  stop(): Promise<Exit> {
    this.signal("SIGTERM");
    return this.ended;
  }

  /** Without any chance to tidy up. */
  kill(): Promise<Exit> {
    this.signal("SIGKILL");
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #end(): Promise<Exit> {
    // Not "exit": what it wrote last is still to be read then.
    const [code, signal] = await once(this.#child, "close");
    running.delete(this.#child);
    rmSync(this.#folder, { recursive: true, force: true });
    return { code, signal };
  }
}

/** A development server in memory, ready and unsealed, with the root token `root`. */
export const developmentServer = (options: ServerOptions = {}): Promise<ServerProcess> => {
  const flags = ["-dev", "-dev-root-token-id=root", "-dev-listen-address=127.0.0.1:0", ...(options.flags ?? [])];
  return ServerProcess.start({ ...options, flags });
};

export const plainListener = { tcp: { address: "127.0.0.1:0", tls_disable: true } };

/** Servers that unseal themselves and share one store; they find their key in the environment. */
export function selfUnsealing(storage: object, listener: object = plainListener): ServerOptions {
  return {
    config: {
      storage,
      listener,
      seal: { static: { current_key_id: "test", current_key: "env://STRONGROOM_TEST_SEAL_KEY" } },
    },
    environment: { STRONGROOM_TEST_SEAL_KEY: randomBytes(32).toString("hex") },
  };
}

function commandLine(options: ServerOptions, folder: string): readonly string[] {
  const { config, flags = [], under = [], runtimeFlags = [], program = "src/cli/main.ts" } = options;
  const given = config === undefined ? [] : [`-config=${configFile(config, folder)}`];
  return [...under, process.execPath, ...runtimeFlags, join(root, program), "server", ...given, ...flags];
}

function configFile(config: object | string, folder: string): string {
  const file = join(folder, typeof config === "string" ? "server.hcl" : "server.json");
  writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config));
  return file;
}

/** The machine's own settings for servers and clients must not reach a test. */
function environment({ environment: extra = {}, workers = 1 }: ServerOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(STRONGROOM_|BAO_|VAULT_|VITEST|NODE_)/.test(name),
  );
  return { ...Object.fromEntries(inherited), NODE_NO_WARNINGS: "1", STRONGROOM_WORKERS: String(workers), ...extra };
}
