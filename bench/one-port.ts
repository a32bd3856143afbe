/** Three ways for several processes to serve one port: what each costs, and how evenly it deals connections out. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { HelperProcess } from "./helper-process.ts";
import { processorSeconds } from "./process-usage.ts";
import { connections } from "./requests.ts";
import { decimals, median, printTable, whole } from "./table.ts";

const ways = ["dealt out by the supervisor", "one socket for all", "a socket each (reusePort)"] as const;
type Way = (typeof ways)[number];
const workers = 2;
const rounds = process.argv.includes("--quick") ? 1 : 9;
const roundMs = 500;

/** About as much work as a small request of ours, so that workers are busy while connections come. */
function work(): void {
  let sum = 0;
  for (let turn = 0; turn < 30_000; turn++) sum = (sum * 31 + turn) | 0;
  if (sum === 1) throw new Error("never");
}

function serve(): void {
  const body = "x".repeat(500);
  let open = 0;
  const server = createServer((_request, response) => {
    work();
    response.setHeader("content-length", body.length);
    response.end(body);
  });
  server.on("connection", (socket) => {
    open++;
    socket.once("close", () => open--);
  });
  const reuse = process.env["WAY"] === ways[2];
  const port = Number(process.env["PORT"]);
  server.listen({ port, host: "127.0.0.1", ...(reuse && { reusePort: true, exclusive: true }) }, () =>
    process.send!({ port: (server.address() as AddressInfo).port }),
  );
  process.on("message", () => process.send!({ open }));
}

async function openOn(all: readonly Worker[]): Promise<number[]> {
  return Promise.all(
    all.map(async (worker) => {
      const answer = once(worker, "message");
      worker.send("how many");
      return ((await answer) as [{ open: number }])[0].open;
    }),
  );
}

/** Connections of the busiest worker, when so many were opened at once. */
async function dealt(all: readonly Worker[], port: number): Promise<number> {
  const sockets = Array.from({ length: connections }, () => connect(port, "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  while ((await openOn(all)).reduce((a, b) => a + b) < connections);
  const most = Math.max(...(await openOn(all)));
  for (const socket of sockets) socket.destroy();
  while ((await openOn(all)).some((count) => count > 0));
  return most;
}

async function measure(way: Way, generator: HelperProcess): Promise<string[]> {
  cluster.schedulingPolicy = way === ways[0] ? cluster.SCHED_RR : cluster.SCHED_NONE;
  const all: Worker[] = [];
  let port = 0;
  for (let index = 0; index < workers; index++) {
    // With port 0, cluster gives all of them the same one; with a socket each, the first one's is asked for.
    const wanted = way === ways[2] ? port : 0;
    const worker = cluster.fork({ WAY: way, PORT: String(wanted) });
    all.push(worker);
    [{ port }] = (await once(worker, "message")) as [{ port: number }];
  }
  const pids = [process.pid, ...all.map(({ process }) => process.pid!)];
  const kept = { ports: [port], connections, method: "GET", path: "/" };
  await generator.measure({ ...kept, milliseconds: roundMs });
  const most: number[] = [];
  const rates: number[] = [];
  const costs: number[] = [];
  const freshRates: number[] = [];
  const freshCosts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    most.push(await dealt(all, port));
    const before = processorSeconds(pids) ?? Number.NaN;
    const { perSecond, requests } = await generator.measure({ ...kept, milliseconds: roundMs });
    const between = processorSeconds(pids) ?? Number.NaN;
    const fresh = await generator.measure({ ...kept, milliseconds: roundMs, isFresh: true });
    rates.push(perSecond);
    costs.push(((between - before) * 1e6) / requests);
    freshRates.push(fresh.perSecond);
    freshCosts.push((((processorSeconds(pids) ?? Number.NaN) - between) * 1e6) / fresh.requests);
  }
  for (const worker of all) worker.process.kill("SIGKILL");
  return [
    way,
    `${median(most)} (${Math.max(...most)})`,
    whole(median(rates)),
    decimals(Math.min(...costs), 1),
    whole(median(freshRates)),
    decimals(Math.min(...freshCosts), 1),
  ];
}

if (cluster.isWorker) serve();
else {
  const generator = new HelperProcess("load.ts");
  const rows: string[][] = [];
  for (const way of ways) rows.push(await measure(way, generator));
  printTable(
    `${workers} processes on one port, ${connections} connections`,
    ["how", "on the busiest (worst)", "per second", "CPU µs each", "with a new connection each", "CPU µs each"],
    rows,
  );
  await generator.end();
  process.exit();
}
