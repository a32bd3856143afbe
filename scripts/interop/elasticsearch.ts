/** Installs and runs Elasticsearch, the search engine, with its security: an old major version and a new one. */
import { execFile, spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { appendFile, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";
import { end, freePorts, untilReady } from "./local-server.ts";

const run = promisify(execFile);
const repository = "https://repo1.maven.org/maven2/org/elasticsearch/distribution";
const pluginSource = join(import.meta.dirname, "analysis-plugin.java");

const releases = {
  "6": { version: "6.8.23", path: "zip/elasticsearch", heap: "384m" },
  "8": { version: "8.19.21", path: "integ-test-zip/elasticsearch", heap: "512m" },
} as const;

export type Major = keyof typeof releases;

export interface Elasticsearch {
  readonly url: string;
  readonly password: string;
  stop(): Promise<void>;
}

async function installElasticsearch(major: Major): Promise<string> {
  const { version, path } = releases[major];
  for (const program of ["java", "javac", "unzip"]) {
    await run("which", [program]).catch(() => {
      throw new ToolUnavailable(`Elasticsearch needs ${program}, which is not installed`);
    });
  }
  const ingredients = [version, path, readFileSync(pluginSource, "utf8")];
  const folder = await cachedTool(`elasticsearch-${major}`, ingredients, async (folder) => {
    const archive = join(folder, "archive.zip");
    await download(`${repository}/${path}/${version}/elasticsearch-${version}.zip`, archive);
    await run("unzip", ["-q", archive, "-d", folder]);
    await rm(archive);
    if (major === "8") await addPlugin(join(folder, `elasticsearch-${version}`), version);
  });
  return join(folder, `elasticsearch-${version}`);
}

async function download(url: string, file: string): Promise<void> {
  const response = await fetch(url).catch((error: Error) => {
    throw new ToolUnavailable(`Elasticsearch could not be downloaded: ${error.message}`);
  });
  if (!response.ok) throw new ToolUnavailable(`Elasticsearch could not be downloaded: status ${response.status}`);
  await writeFile(file, response.body!);
}

/** The small distribution cannot make its index of users without it. */
async function addPlugin(home: string, version: string): Promise<void> {
  const target = join(home, "plugins/small-analysis");
  const classes = join(home, "classes");
  const source = join(classes, "strongroom/SmallAnalysis.java");
  await mkdir(join(classes, "strongroom"), { recursive: true });
  await mkdir(target, { recursive: true });
  await copyFile(pluginSource, source);
  const jars = readdirSync(join(home, "lib")).filter((name) => name.endsWith(".jar"));
  const classPath = jars.map((name) => join(home, "lib", name)).join(":");
  await run("javac", ["-nowarn", "-cp", classPath, "-d", classes, source]);
  await run("jar", ["cf", join(target, "small-analysis.jar"), "-C", classes, "."]);
  const properties = {
    name: "small-analysis",
    description: "What the index of users needs",
    version,
    "elasticsearch.version": version,
    "java.version": "17",
    classname: "strongroom.SmallAnalysis",
  };
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(target, "plugin-descriptor.properties"), lines.join(""));
}

export async function startElasticsearch(major: Major): Promise<Elasticsearch> {
  const installed = await installElasticsearch(major);
  // It writes into its own folders, and refuses root.
  const folder = await mkdtemp(join(tmpdir(), "strongroom-elasticsearch-"));
  const home = join(folder, "home");
  cpSync(installed, home, { recursive: true });
  const [http, transport] = await freePorts(2);
  const settings = [
    "network.host: 127.0.0.1",
    `http.port: ${http}`,
    `transport.port: ${transport}`,
    "discovery.type: single-node",
    "xpack.security.enabled: true",
    ...(major === "6"
      ? ["xpack.ml.enabled: false"]
      : [
          "xpack.security.enrollment.enabled: false",
          "xpack.security.http.ssl.enabled: false",
          "xpack.security.transport.ssl.enabled: false",
        ]),
  ];
  await appendFile(join(home, "config/elasticsearch.yml"), `\n${settings.join("\n")}\n`);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await run("chown", ["-R", "nobody:", folder]);
  const java = (await run("sh", ["-c", "dirname $(dirname $(readlink -f $(which java)))"])).stdout.trim();
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    JAVA_HOME: java,
    ES_JAVA_HOME: java,
    ES_JAVA_OPTS: `-Xms${releases[major].heap} -Xmx${releases[major].heap}`,
  };
  const as = isRoot ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : ["env"];
  const password = "bootstrap-password";
  const command = (line: string) => run(as[0]!, [...as.slice(1), "sh", "-c", line], { env, cwd: home });
  await command("bin/elasticsearch-keystore create");
  await command(`printf %s ${password} | bin/elasticsearch-keystore add -x -f bootstrap.password`);
  const server = spawn(as[0]!, [...as.slice(1), join(home, "bin/elasticsearch")], {
    env,
    cwd: home,
    stdio: "ignore",
    // A group of its own, since the program that is started starts another.
    detached: true,
  });
  const url = `http://127.0.0.1:${http}`;
  const authorization = `Basic ${Buffer.from(`elastic:${password}`).toString("base64")}`;
  await untilReady(server, async () => {
    const { status } = await fetch(`${url}/_security/role/x`, { headers: { authorization } });
    return status === 404;
  });
  return {
    url,
    password,
    async stop() {
      end(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
