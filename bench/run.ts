/** `npm run bench`: what a request costs, beside the least that it could cost, in the same run on the same machine. */
import { existsSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "../test/support/server-process.ts";
import { allServe, until, workersOf } from "../test/support/worker-processes.ts";
import { HelperProcess } from "./helper-process.ts";
import { type Prepared, prepareStore } from "./prepared-server.ts";
import { connections, worksFor } from "./requests.ts";
import { measureAll, type Result, type Rounds, type Scenario } from "./scenario.ts";
import { printStarts } from "./start.ts";
import { decimals, printTable, whole } from "./table.ts";

const isQuick = process.argv.includes("--quick");
const size = isQuick ? { big: 1000, small: 200 } : { big: 100_000, small: 1000 };
const rounds: Rounds = isQuick
  ? { count: 1, milliseconds: 100, warmUp: 50 }
  : { count: 9, milliseconds: 450, warmUp: 1200 };

/** As many as a server has workers if nobody says otherwise, and at least two, for there to be something to compare. */
const cores = Math.min(16, Math.max(2, availableParallelism()));

const bareHttp = "bare node:http";
const bareCommit = "bare LMDB, a commit of one record";

interface Helpers {
  readonly generator: HelperProcess;
  readonly socket: HelperProcess & { readonly port: number };
  readonly http: readonly (HelperProcess & { readonly port: number })[];
  readonly lmdb: HelperProcess;
}

const portOf = ({ url }: ServerProcess) => Number(new URL(url).port);

/** The same requests to a server, and to as many bare ones as it has workers. */
function serverScenarios(helpers: Helpers, server: ServerProcess, workers: number, token: string): Scenario[] {
  const { generator } = helpers;
  const bare = helpers.http.slice(0, workers);
  const pids = [server.pid, ...workersOf(server)];
  return [
    {
      name: bareHttp,
      by: generator,
      pids: bare.map(({ pid }) => pid),
      task: { ports: bare.map(({ port }) => port), connections, method: "GET", path: "/", token },
    },
    ...worksFor([portOf(server)], token, size).map(({ name, isDurable, load }) => ({
      name,
      by: generator,
      pids,
      task: load,
      against: isDurable ? bareCommit : bareHttp,
    })),
  ];
}

function bareScenarios({ generator, socket, lmdb }: Helpers): Scenario[] {
  const get = { ports: [socket.port], connections, method: "GET", path: "/" };
  return [
    { name: "the load generator alone", by: generator, pids: [socket.pid], task: get },
    { name: bareCommit, by: lmdb, pids: [lmdb.pid], task: { inFlight: connections, records: 1 } },
    {
      name: "bare LMDB, a commit of a secret's two records",
      by: lmdb,
      pids: [lmdb.pid],
      against: bareCommit,
      task: { inFlight: connections, records: 2 },
    },
  ];
}

function rowOf({ name, against }: Scenario, results: ReadonlyMap<string, Result>): string[] {
  const result = results.get(name)!;
  const other = against === undefined ? undefined : results.get(against);
  return [
    name,
    whole(result.perSecond),
    decimals(result.p50),
    decimals(result.p99),
    other ? decimals(result.perSecond / other.perSecond) : "",
    decimals(result.cost, 1),
    other && against === bareHttp ? decimals(other.cost / result.cost) : "",
    result.busy > 0 ? `${whole(result.busy * 100)} %` : "",
  ];
}

async function measureServer(helpers: Helpers, { options, token }: Prepared, workers: number): Promise<void> {
  const server = await ServerProcess.start({ ...options, workers, flags: ["-log-level=debug"] });
  if (workers > 1) await until(() => allServe(server, workers));
  const scenarios = [...bareScenarios(helpers), ...serverScenarios(helpers, server, workers, token)];
  const results = await measureAll(scenarios, rounds);
  printTable(
    `${workers === 1 ? "One process" : `${workers} workers behind one port`}, ${connections} connections`,
    ["what", "per second", "p50 ms", "p99 ms", "of bare", "CPU µs each", "of bare per core", "generator"],
    scenarios.map((scenario) => rowOf(scenario, results)),
  );
  await server.stop();
}

async function main(): Promise<void> {
  if (!existsSync(join(import.meta.dirname, "../dist/cli/main.js"))) {
    throw new Error("there is nothing to measure: run `npm run build` first");
  }
  const load = loadavg()[0]!;
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load before we began ${decimals(load)}`);
  if (load > 0.5) console.log("The machine is busy: trust processor time and ratios more than rates.");
  const helpers: Helpers = {
    generator: new HelperProcess("load.ts"),
    socket: await HelperProcess.listening("bare-socket.ts"),
    http: await Promise.all(Array.from({ length: cores }, () => HelperProcess.listening("bare-http.ts"))),
    lmdb: await HelperProcess.listening("bare-lmdb.ts"),
  };
  const prepared = await prepareStore(helpers.generator, size.big, size.small);
  try {
    const counts = [...new Set([1, cores])];
    for (const workers of counts) await measureServer(helpers, prepared, workers);
    for (const workers of counts) await printStarts(prepared, workers, isQuick ? 1 : 5, isQuick ? 0 : 2000);
  } finally {
    await prepared.destroy();
    for (const helper of [helpers.generator, helpers.socket, ...helpers.http, helpers.lmdb]) await helper.end();
  }
}

await main();
