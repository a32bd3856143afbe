import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AcmeAnswer, type AcmeCaller, csrFor, thumbprintOf } from "../support/acme-caller.ts";
import { client, dns, runJobs, twoServers } from "../support/acme-server.ts";
import { AcmeSolver } from "../support/acme-solver.ts";
import type { KernelCaller } from "../support/kernel-caller.ts";

/**
 * Several accounts do right and wrong things in any order, on two servers that share a store. Whatever they do: no order goes
 * back or skips a step, no certificate comes without proof by its own account, no nonce counts twice, no order gives two.
 */

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
  for (const name of ["a.test", "b.test"]) solver.addresses.set(name, ["10.0.0.1"]);
});
afterAll(() => solver.stop());

const next: Readonly<Record<string, readonly string[]>> = {
  // Somebody else may have seen it ready.
  pending: ["pending", "ready", "valid", "invalid"],
  ready: ["ready", "valid", "invalid"],
  valid: ["valid"],
  invalid: ["invalid"],
};

interface Known {
  readonly owner: number;
  readonly names: readonly string[];
  readonly url: string;
  readonly finalize: string;
  readonly authorizations: readonly string[];
  /** Authorizations that the web server has shown the proof for. */
  readonly served: Set<string>;
  status: string;
  certificate: string | undefined;
}

class World {
  readonly servers: KernelCaller[] = [];
  readonly accounts: AcmeCaller[] = [];
  readonly orders: Known[] = [];
  readonly nonces = new Set<string>();

  static async make(): Promise<World> {
    const world = new World();
    const [first, second] = await twoServers(solver, { order_limit: 0, failed_validation_limit: 0 });
    world.servers.push(first, second);
    world.accounts.push(await client(first), await client(first), await client(first));
    solver.files.clear();
    return world;
  }

  as(account: number, server: number): AcmeCaller {
    return this.accounts[account]!.on(this.servers[server]!);
  }

  order(index: number): Known | undefined {
    return this.orders[index % Math.max(1, this.orders.length)];
  }

  /** Whatever a server says of an order must follow from what was said before. */
  see(order: Known, { status, body }: AcmeAnswer): void {
    if (status !== 200) return;
    expect(next[order.status]).toContain(body.status);
    order.status = body.status;
    if (body.status !== "valid") return;
    expect(order.served.size, "proof of every name").toBe(order.authorizations.length);
    order.certificate ??= body.certificate;
    expect(body.certificate).toBe(order.certificate);
  }
}

type Step = (world: World) => Promise<void>;

const account = fc.nat({ max: 2 });
/** The account whose order it is, most of the time. */
const signer = fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, account);
const server = fc.nat({ max: 1 });
const index = fc.nat({ max: 2 });
const names = fc.constantFrom(["a.test"], ["a.test", "b.test"], ["b.test", "a.test"]);

const newOrder = fc.tuple(account, server, names).map(
  ([owner, on, wanted]): Step =>
    async (world) => {
      const answer = await world.as(owner, on).post("new-order", dns(...wanted));
      expect(answer.status).toBe(201);
      const { finalize, authorizations, status } = answer.body;
      const url = String(answer.headers["location"]);
      world.orders.push({
        owner,
        names: wanted,
        url,
        finalize,
        authorizations,
        served: new Set(),
        status,
        certificate: undefined,
      });
    },
);

/** By the owner, or by somebody who has no right to. */
const answerChallenge = fc.tuple(index, signer, server, fc.nat({ max: 1 }), fc.nat({ max: 3 })).map(
  ([at, anybody, on, which, luck]): Step =>
    async (world) => {
      const order = world.order(at);
      const url = order?.authorizations[which % order.authorizations.length];
      if (!order || !url) return;
      const { body } = await world.as(order.owner, on).post(url);
      const http = body.challenges.find(({ type }: { type: string }) => type === "http-01");
      if (!http) return;
      if (luck > 0) {
        solver.serve(http.token, thumbprintOf(world.accounts[order.owner]!.key));
        order.served.add(url);
      }
      const who = anybody ?? order.owner;
      const answer = await world.as(who, on).post(http.url, {});
      if (who !== order.owner) expect(answer.status).toBe(403);
    },
);

const read = fc.tuple(index, signer, server).map(
  ([at, anybody, on]): Step =>
    async (world) => {
      const order = world.order(at);
      if (!order) return;
      const who = anybody ?? order.owner;
      const answer = await world.as(who, on).post(order.url);
      if (who === order.owner) world.see(order, answer);
      else expect(answer.status).toBe(403);
    },
);

/** On both servers at once, perhaps with a request for other names. */
const finalize = fc.tuple(index, signer, fc.nat({ max: 3 })).map(
  ([at, anybody, luck]): Step =>
    async (world) => {
      const order = world.order(at);
      if (!order) return;
      const who = anybody ?? order.owner;
      const csr = csrFor({ dns: luck > 0 ? [...order.names] : ["c.test"] });
      const answers = await Promise.all([0, 1].map((on) => world.as(who, on).post(order.finalize, { csr })));
      for (const answer of answers) {
        if (who !== order.owner) expect(answer.status).toBe(403);
        else world.see(order, answer);
      }
    },
);

const giveUp = fc.tuple(index, server, fc.nat({ max: 1 })).map(
  ([at, on, which]): Step =>
    async (world) => {
      const order = world.order(at);
      const url = order?.authorizations[which % order.authorizations.length];
      if (order && url) await world.as(order.owner, on).post(url, { status: "deactivated" });
    },
);

const replay = fc.tuple(account, server).map(
  ([who, on]): Step =>
    async (world) => {
      const [here, there] = [world.as(who, on), world.as(who, 1 - on)];
      const nonce = await here.nonce();
      const answers = await Promise.all([here, there, here].map((each) => each.post(each.kid, undefined, { nonce })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    },
);

const wait = fc.tuple(server, fc.constantFrom(1, 5, 70, 90_000)).map(
  ([on, seconds]): Step =>
    async (world) => {
      world.servers[on]!.passSeconds(seconds);
      await runJobs(world.servers[on]!, solver);
    },
);

const steps = fc.array(
  fc.oneof(
    { arbitrary: newOrder, weight: 2 },
    { arbitrary: answerChallenge, weight: 6 },
    { arbitrary: read, weight: 4 },
    { arbitrary: finalize, weight: 5 },
    { arbitrary: giveUp, weight: 1 },
    { arbitrary: replay, weight: 1 },
    { arbitrary: wait, weight: 1 },
  ),
  { minLength: 5, maxLength: 40, size: "max" },
);

test("no order takes a way that it must not", { timeout: 120_000 }, async () => {
  let issued = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const world = await World.make();
      for (const step of all) await step(world);
      issued += await certificates(world);
      await Promise.all(world.servers.map(({ kernel }) => kernel.stop()));
    }),
    { numRuns: 30 },
  );
  // Else the steps above are too clumsy to tell anything.
  expect(issued).toBeGreaterThan(0);
});

/** As many certificates as orders that are done: none was signed twice. */
async function certificates({ servers, orders }: World): Promise<number> {
  const { data } = await servers[0]!.call("list", "pki/acme/mgmt/orders");
  const serials = data.keys.map((id: string) => data.key_info[id].serial_number).filter((each: string) => each !== "");
  const kept = await servers[0]!.kernel.records.transaction(async (storage) => {
    const mounts = await storage.list("logical/");
    return (await Promise.all(mounts.map((mount) => storage.list(`logical/${mount}certificate/`)))).flat();
  });
  expect(kept.toSorted()).toEqual(serials.toSorted());
  expect(serials.length).toBeGreaterThanOrEqual(orders.filter(({ status }) => status === "valid").length);
  return serials.length;
}
