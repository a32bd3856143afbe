/** A core with ACME switched on, and its clients. */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Host, Tick } from "../../src/api/engine.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import type { Store } from "../../src/core/storage/store.ts";
import { StorageView } from "../../src/core/storage/view.ts";
import { acmeServices, type WithAcme } from "../../src/engines/pki/acme/acme.ts";
import { acmeJobs } from "../../src/engines/pki/acme/jobs.ts";
import { outbound } from "../../src/server/outbound.ts";
import { authorityIn, clusterPath, testAuthority } from "./acme-authority.ts";
import { AcmeCaller, csrFor, thumbprintOf } from "./acme-caller.ts";
import type { AcmeSolver } from "./acme-solver.ts";
import { KernelCaller } from "./kernel-caller.ts";

export interface AcmeServerOptions {
  readonly settings?: object;
  readonly solver?: AcmeSolver;
  readonly isPublicAcmeDisabled?: boolean;
  readonly store?: Store;
  readonly clock?: { now: number };
}

export async function acmeServer({
  settings = {},
  solver,
  isPublicAcmeDisabled,
  store = new MemoryStore(),
  clock = { now: Date.UTC(2030, 0, 1) },
}: AcmeServerOptions = {}): Promise<KernelCaller> {
  const parts = { network: solver?.network, isPublicAcmeDisabled };
  const server = await new KernelCaller([testAuthority], store, clock, parts).initialize();
  await server.call("write", "sys/mounts/pki", { type: "pki" });
  await server.call("write", "pki/config/acme", { enabled: true, ...settings });
  return server;
}

/** Another process on the same store. */
async function secondServer(
  first: KernelCaller,
  options: Required<Pick<AcmeServerOptions, "store" | "clock" | "solver">>,
) {
  const second = new KernelCaller([testAuthority], options.store, options.clock, { network: options.solver.network });
  await second.call("write", "sys/unseal", { key: first.keys[0] }, "");
  second.rootToken = first.rootToken;
  return second;
}

/** Two processes on one store. */
export async function twoServers(solver: AcmeSolver, settings: object = {}): Promise<[KernelCaller, KernelCaller]> {
  const [store, clock] = [new MemoryStore(), { now: Date.UTC(2030, 0, 1) }];
  const first = await acmeServer({ store, clock, solver, settings });
  return [first, await secondServer(first, { store, clock, solver })];
}

export const stranger = (server: KernelCaller, directory = "acme"): AcmeCaller =>
  new AcmeCaller(server, clusterPath, directory);

export const client = (server: KernelCaller, directory = "acme", payload?: object): Promise<AcmeCaller> =>
  stranger(server, directory).register(payload);

export const dns = (...names: string[]) => ({ identifiers: names.map((value) => ({ type: "dns", value })) });

/** Proves every name of an order. */
export async function prove(acme: AcmeCaller, authorizations: readonly string[], solver: AcmeSolver): Promise<void> {
  for (const url of authorizations) {
    const { body } = await acme.post(url);
    const [challenge] = body.challenges;
    const name = body.identifier.value;
    if (challenge.type === "http-01") {
      solver.addresses.set(name, ["10.0.0.1"]);
      solver.serve(challenge.token, thumbprintOf(acme.key));
    } else {
      const digest = createHash("sha256")
        .update(`${challenge.token}.${thumbprintOf(acme.key)}`)
        .digest("base64url");
      solver.texts.set(`_acme-challenge.${name}`, [digest]);
    }
    await acme.post(challenge.url, {});
  }
}

/** The order when its certificate is there. */
export async function certified(acme: AcmeCaller, solver: AcmeSolver, names: readonly string[], extra: object = {}) {
  const order = await acme.post("new-order", { ...dns(...names), ...extra });
  if (order.status !== 201) throw new Error(JSON.stringify(order.body));
  await prove(acme, order.body.authorizations, solver);
  const done = await acme.post(order.body.finalize, { csr: csrFor({ dns: names }) });
  if (done.body.status !== "valid") throw new Error(JSON.stringify(done.body));
  const { body: chain } = await acme.post(done.body.certificate);
  const der = Buffer.from(String(chain).split("-----")[2]!, "base64").toString("base64url");
  return { url: String(order.headers["location"]), order: done.body, chain: String(chain), der };
}

/** The tick of a job that runs now on the mount of this server. */
export function tickOf(server: KernelCaller, solver?: AcmeSolver, underWay: Promise<unknown>[] = []): Tick<WithAcme> {
  const host = hostOf(server, solver);
  const transaction = <T>(work: (services: WithAcme) => Promise<T>): Promise<T> => {
    const done = server.kernel.records.transaction(async (storage) => {
      for (const mount of await storage.list("logical/")) {
        const view = new StorageView(storage, `logical/${mount}`);
        if ((await view.get("acme/config")) === undefined) continue;
        return work({ acme: acmeServices(view, host, authorityIn(view)) });
      }
      throw new Error("there is no mount with ACME");
    });
    underWay.push(done.catch(() => {}));
    return done;
  };
  return { now: new Date(server.now), signal: new AbortController().signal, transaction };
}

function hostOf(server: KernelCaller, solver: AcmeSolver | undefined): Host {
  const quiet = () => {};
  return {
    mount: { path: "pki/", type: "pki", accessor: "", options: {}, defaultLeaseSeconds: 0, maxLeaseSeconds: 0 },
    namespace: { id: "root", path: "" },
    clock: { now: () => server.now },
    random: { bytes: (count: number) => randomBytes(count) },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    metrics: { gauge: quiet, count: quiet },
    outbound,
    network: solver?.network,
  };
}

/** Runs what runs beside requests, now, and waits until the tries that it began are over. */
export async function runJobs(server: KernelCaller, solver?: AcmeSolver): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  const tick = tickOf(server, solver, underWay);
  for (const job of acmeJobs) if ("work" in job) await job.work(tick);
  // The core runs its jobs too, and may have been faster.
  for (let look = 0; look < 20 && (await isTrying(tick.transaction, server.now)); look++) await setTimeout(20);
  for (let waited = -1; waited < underWay.length; await setTimeout(20)) {
    waited = underWay.length;
    await Promise.all(underWay);
  }
}

/** Entries that are in somebody's hands are due in twenty seconds, and others sooner. */
const isTrying = (transaction: Tick<WithAcme>["transaction"], now: number): Promise<boolean> =>
  transaction(async ({ acme }) => {
    const all = await acme.validations.due(new Date(now + 120_000), 100);
    const soon = await acme.validations.due(new Date(now + 10_000), 100);
    return all.length > soon.length;
  });
