import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thumbprintOf } from "../../../../test/support/acme-caller.ts";
import { acmeServer, client, dns, runJobs } from "../../../../test/support/acme-server.ts";
import { AcmeSolver } from "../../../../test/support/acme-solver.ts";

/** Tries of challenges: repeated, given up, and taken up by others. */

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
  solver.addresses.set("a.test", ["10.0.0.1"]);
});
afterAll(() => solver.stop());

async function pending(settings: object = {}) {
  const server = await acmeServer({ solver, settings });
  const acme = await client(server);
  const order = await acme.post("new-order", dns("a.test"));
  const [authorization] = order.body.authorizations;
  const [http] = (await acme.post(authorization)).body.challenges;
  const state = async () => {
    const [one, all] = [await acme.post(http.url), await acme.post(String(order.headers["location"]))];
    return [one.body.status, (await acme.post(authorization)).body.status, all.body.status];
  };
  return { server, acme, order, authorization, http, state };
}

describe("a challenge that fails", () => {
  test("is tried four times, then ends its order, and says why all along", async () => {
    const { server, acme, order, http, state } = await pending();
    const first = await acme.post(http.url, {});
    expect(first).toMatchObject({
      body: { status: "processing", error: { type: "urn:ietf:params:acme:error:incorrectResponse" } },
      headers: { "retry-after": "1" },
    });
    for (const seconds of [1, 3]) {
      server.passSeconds(seconds);
      await runJobs(server, solver);
      expect(await state()).toEqual(["processing", "pending", "pending"]);
    }
    server.passSeconds(6);
    await runJobs(server, solver);
    expect(await state()).toEqual(["invalid", "invalid", "invalid"]);
    expect((await acme.post(String(order.headers["location"]))).body.error).toMatchObject({
      type: "urn:ietf:params:acme:error:incorrectResponse",
      identifier: { type: "dns", value: "a.test" },
    });
    expect(await acme.post(http.url, {})).toMatchObject({ status: 400 });
  });

  test("can still succeed", async () => {
    const { server, acme, http, state } = await pending();
    await acme.post(http.url, {});
    solver.serve(http.token, thumbprintOf(acme.key));
    server.passSeconds(1);
    await runJobs(server, solver);
    expect(await state()).toEqual(["valid", "valid", "ready"]);
    expect((await acme.post(http.url)).body.error).toBeUndefined();
  });

  test("again and again closes the door for its name for a while", async () => {
    const { server, acme, http } = await pending({ failed_validation_limit: 1 });
    await acme.post(http.url, {});
    for (const seconds of [1, 3, 6]) {
      server.passSeconds(seconds);
      await runJobs(server, solver);
    }
    expect(await acme.post("new-order", dns("a.test"))).toMatchObject({
      status: 429,
      body: { type: "urn:ietf:params:acme:error:rateLimited" },
    });
    expect(await acme.post("new-order", dns("b.test"))).toMatchObject({ status: 201 });
  });
});

test("a try that nobody finished is taken up again", async () => {
  const { server, acme, http, state } = await pending();
  const stuck = new AcmeSolver();
  // The first try never ends, as if its process had died.
  const { connect } = solver.network;
  Object.assign(solver.network, { connect: () => new Promise(() => {}) });
  await acme.post(http.url, {});
  Object.assign(solver.network, { connect });
  solver.serve(http.token, thumbprintOf(acme.key));
  await runJobs(server, solver);
  expect(await state()).toEqual(["processing", "pending", "pending"]);
  server.passSeconds(21);
  await runJobs(server, solver);
  expect(await state()).toEqual(["valid", "valid", "ready"]);
  stuck.stop();
});

test("a challenge that is being tried is not tried twice, and one that is done stays", async () => {
  const { acme, http, authorization } = await pending();
  solver.serve(http.token, thumbprintOf(acme.key));
  const answers = await Promise.all([acme.post(http.url, {}), acme.post(http.url, {}), acme.post(http.url, {})]);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await acme.post(http.url, {})).toMatchObject({ status: 200, body: { status: "valid" } });
  const { body } = await acme.post(authorization);
  expect(body.challenges).toHaveLength(1);
  expect(await acme.post(http.url.replace("http-01", "dns-01"), {})).toMatchObject({ status: 400 });
});

test.each(["http-99", "tls-sni-01"])("there is no challenge %s", async (type) => {
  const { acme, http } = await pending();
  expect(await acme.post(http.url.replace("http-01", type), {})).toMatchObject({ status: 404 });
});
