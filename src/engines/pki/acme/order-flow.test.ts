import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csrFor, thumbprintOf } from "../../../../test/support/acme-caller.ts";
import { acmeServer, certified, client, dns, prove, twoServers } from "../../../../test/support/acme-server.ts";
import { AcmeSolver } from "../../../../test/support/acme-solver.ts";

/** Orders from their beginning to their end, as a client sees them. */

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
});
afterAll(() => solver.stop());

describe("an order", () => {
  test("goes from pending by http-01 to ready and valid, and gives a certificate with chains", async () => {
    solver.addresses.set("a.test", ["10.0.0.1"]);
    const acme = await client(await acmeServer({ solver }));
    const order = await acme.post("new-order", dns("a.test"));
    expect(order).toMatchObject({ status: 201, body: { status: "pending" } });
    const [authorization] = order.body.authorizations;
    const { body } = await acme.post(authorization);
    expect(body).toMatchObject({ status: "pending", identifier: { type: "dns", value: "a.test" } });
    expect(body.challenges.map(({ type }: { type: string }) => type)).toEqual(["http-01", "dns-01", "tls-alpn-01"]);
    const [challenge] = body.challenges;
    solver.serve(challenge.token, thumbprintOf(acme.key));
    expect(await acme.post(challenge.url, {})).toMatchObject({
      status: 200,
      body: { type: "http-01", status: "valid", validated: expect.any(String) },
      headers: { link: expect.arrayContaining([`<${authorization}>;rel="up"`]) },
    });
    const location = String(order.headers["location"]);
    expect((await acme.post(location)).body.status).toBe("ready");
    const done = await acme.post(order.body.finalize, { csr: csrFor({ dns: ["a.test"] }) });
    expect(done).toMatchObject({ status: 200, body: { status: "valid", certificate: `${location}/cert` } });
    const certificate = await acme.post(done.body.certificate);
    expect(certificate.headers["content-type"]).toBe("application/pem-certificate-chain");
    expect(certificate.headers["link"]).toContain(`<${location}/cert/1>;rel="alternate"`);
    expect(certificate.body.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect((await acme.post(`${location}/cert/1`)).body.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
    expect(await acme.post(`${location}/cert/2`)).toMatchObject({ status: 404 });
  });

  test("takes wildcards by dns-01 alone, and addresses by http-01 alone", async () => {
    const acme = await client(await acmeServer({ solver }));
    const identifiers = [
      { type: "dns", value: "*.Wild.Test" },
      { type: "dns", value: "wild.test" },
      { type: "ip", value: "10.1.2.3" },
      { type: "ip", value: "2001:DB8:0::1" },
    ];
    const order = await acme.post("new-order", { identifiers });
    expect(order.body.identifiers.map(({ value }: { value: string }) => value)).toEqual([
      "*.wild.test",
      "wild.test",
      "10.1.2.3",
      "2001:db8::1",
    ]);
    const shown = await Promise.all(order.body.authorizations.map((url: string) => acme.post(url)));
    expect(shown.map(({ body }) => [body.identifier.value, body.wildcard, body.challenges.length])).toEqual([
      ["wild.test", true, 1],
      ["wild.test", undefined, 3],
      ["10.1.2.3", undefined, 1],
      ["2001:db8::1", undefined, 1],
    ]);
    await prove(acme, order.body.authorizations, solver);
    const csr = csrFor({ dns: ["*.wild.test", "WILD.test"], ips: ["10.1.2.3", "2001:db8::1"] });
    expect((await acme.post(order.body.finalize, { csr })).body.status).toBe("valid");
  });

  test("is asked for again after a lost answer, but signed once", async () => {
    const acme = await client(await acmeServer({ solver }));
    const order = await acme.post("new-order", dns("again.test"));
    await prove(acme, order.body.authorizations, solver);
    const csr = csrFor({ dns: ["again.test"] });
    const first = await acme.post(order.body.finalize, { csr });
    const second = await acme.post(order.body.finalize, { csr });
    expect(second.body).toEqual(first.body);
    expect(await acme.post(order.body.finalize, { csr: csrFor({ dns: ["again.test"] }) })).toMatchObject({
      status: 403,
      body: { type: "urn:ietf:params:acme:error:orderNotReady" },
    });
  });

  test("is finalized once, when two servers are asked at the same moment", async () => {
    const [first, second] = await twoServers(solver);
    const acme = await client(first);
    const order = await acme.post("new-order", dns("once.test"));
    await prove(acme, order.body.authorizations, solver);
    const requests = [first, second, first, second].map((server) =>
      acme.on(server).post(order.body.finalize, { csr: csrFor({ dns: ["once.test"] }) }),
    );
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });

  test("ends after a day", async () => {
    const server = await acmeServer({ solver });
    const acme = await client(server);
    const order = await acme.post("new-order", dns("late.test"));
    await prove(acme, order.body.authorizations, solver);
    server.passSeconds(86_400);
    expect((await acme.post(String(order.headers["location"]))).body.status).toBe("invalid");
    const answer = await acme.post(order.body.finalize, { csr: csrFor({ dns: ["late.test"] }) });
    expect(answer.body.type).toBe("urn:ietf:params:acme:error:orderNotReady");
  });

  test("is void when a name is given up", async () => {
    const acme = await client(await acmeServer({ solver }));
    const order = await acme.post("new-order", dns("one.test", "two.test"));
    await prove(acme, order.body.authorizations, solver);
    const given = await acme.post(order.body.authorizations[1], { status: "deactivated" });
    expect(given.body.status).toBe("deactivated");
    expect((await acme.post(String(order.headers["location"]))).body.status).toBe("invalid");
  });

  test("is listed for its account, in pages, unless it failed", async () => {
    const acme = await client(await acmeServer({ solver }));
    const { url } = await certified(acme, solver, ["listed.test"]);
    const void_ = await acme.post("new-order", dns("void.test"));
    await acme.post(void_.body.authorizations[0], { status: "deactivated" });
    const { body: account } = await acme.post(acme.kid);
    expect((await acme.post(account.orders)).body).toEqual({ orders: [url] });
    expect((await acme.post("orders")).body).toEqual({ orders: [url] });
    for (let index = 0; index < 100; index++) await acme.post("new-order", dns(`n${index}.test`));
    const page = await acme.post(account.orders);
    const next = [page.headers["link"]].flat().find((link) => String(link).endsWith('rel="next"'));
    const rest = await acme.post(/^<([^>]+)>/.exec(String(next))![1]!);
    expect(page.body.orders.length + rest.body.orders.length).toBe(101);
  });

  test("asks for a period, and gets it", async () => {
    const acme = await client(await acmeServer({ solver }));
    const notAfter = "2030-01-03T00:00:00.000Z";
    const { order } = await certified(acme, solver, ["short.test"], { notAfter });
    expect(order.notAfter).toBe(notAfter);
  });
});

describe("new-order refuses", () => {
  const many = Array.from({ length: 101 }, (_, index) => ({ type: "dns", value: `n${index}.test` }));
  test.each([
    ["nothing", {}, "malformed"],
    ["an empty list", { identifiers: [] }, "malformed"],
    ["too many", { identifiers: many }, "malformed"],
    ["no object", { identifiers: ["a.test"] }, "malformed"],
    ["an empty name", dns(""), "malformed"],
    ["an address as a name", dns("10.0.0.1"), "malformed"],
    ["a name as an address", { identifiers: [{ type: "ip", value: "a.test" }] }, "malformed"],
    ["an address with a zone", { identifiers: [{ type: "ip", value: "fe80::1%eth0" }] }, "malformed"],
    ["an underscore", dns("a_b.test"), "malformed"],
    ["a U-label", dns("bücher.test"), "malformed"],
    ["a dot at the end", dns("a.test."), "malformed"],
    ["a wildcard within", dns("a.*.test"), "malformed"],
    ["half a wildcard", dns("a*.test"), "malformed"],
    ["a wildcard of everything", dns("*.test"), "malformed"],
    ["a number at the end", dns("a.123"), "malformed"],
    ["a long label", dns(`${"a".repeat(64)}.test`), "malformed"],
    ["another type", { identifiers: [{ type: "email", value: "a@b" }] }, "unsupportedIdentifier"],
    ["a time that is none", { ...dns("a.test"), notAfter: "tomorrow" }, "malformed"],
    ["a time that has passed", { ...dns("a.test"), notAfter: "2029-01-01T00:00:00Z" }, "malformed"],
    ["a profile", { ...dns("a.test"), profile: "tls" }, "invalidProfile"],
    ["a replacement of nothing", { ...dns("a.test"), replaces: "AA.AA" }, "malformed"],
  ])("%s", async (_, payload, type) => {
    const acme = await client(await acmeServer({ solver }));
    const answer = await acme.post("new-order", payload);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toMatchObject({ type: `urn:ietf:params:acme:error:${type}`, status: answer.status });
  });

  test("names that the role would not sign, each with its reason", async () => {
    const acme = await client(await acmeServer({ solver }), "roles/web/acme");
    const answer = await acme.post("new-order", dns("www.web.test", "a.test", "b.test"));
    expect(answer).toMatchObject({ status: 400, body: { type: "urn:ietf:params:acme:error:rejectedIdentifier" } });
    expect(answer.body.subproblems).toHaveLength(2);
    expect(answer.body.subproblems[0]).toMatchObject({ identifier: { type: "dns", value: "a.test" } });
  });

  test("more than the limit, and says when to come back", async () => {
    const server = await acmeServer({ solver, settings: { order_limit: 2 } });
    const acme = await client(server);
    await acme.post("new-order", dns("a.test"));
    server.passSeconds(600);
    await acme.post("new-order", dns("b.test"));
    const answer = await acme.post("new-order", dns("c.test"));
    expect(answer).toMatchObject({ status: 429, headers: { "retry-after": "3000" } });
    server.passSeconds(3001);
    expect(await acme.post("new-order", dns("c.test"))).toMatchObject({ status: 201 });
  });
});

describe("finalize refuses", () => {
  test.each([
    ["no request", () => ({}), "malformed"],
    ["what is no request", () => ({ csr: "AAAA" }), "badCSR"],
    ["what is no base64url", () => ({ csr: "====" }), "malformed"],
    ["a name too few", () => ({ csr: csrFor({ dns: ["x.test"] }) }), "badCSR"],
    ["a name too many", () => ({ csr: csrFor({ dns: ["x.test", "y.test", "z.test"] }) }), "badCSR"],
    ["a common name too many", () => ({ csr: csrFor({ dns: ["x.test", "y.test"], cn: "z.test" }) }), "badCSR"],
  ])("%s", async (_, payload, type) => {
    const acme = await client(await acmeServer({ solver }));
    const order = await acme.post("new-order", dns("x.test", "y.test"));
    await prove(acme, order.body.authorizations, solver);
    const answer = await acme.post(order.body.finalize, payload());
    expect(answer.body.type).toBe(`urn:ietf:params:acme:error:${type}`);
    const good = await acme.post(order.body.finalize, { csr: csrFor({ dns: ["y.test"], cn: "x.test" }) });
    expect(good.body.status).toBe("valid");
  });

  test("the key of the account, orders that are not ready, and those of others", async () => {
    const server = await acmeServer({ solver });
    const acme = await client(server);
    const order = await acme.post("new-order", dns("x.test"));
    const csr = csrFor({ dns: ["x.test"] });
    expect(await acme.post(order.body.finalize, { csr })).toMatchObject({ status: 403 });
    await prove(acme, order.body.authorizations, solver);
    const own = await acme.post(order.body.finalize, { csr: csrFor({ dns: ["x.test"] }, acme.key) });
    expect(own.body.detail).toContain("the key of the account");
    const other = await client(server);
    for (const url of [order.body.finalize, String(order.headers["location"]), ...order.body.authorizations]) {
      expect(await other.post(url, { csr })).toMatchObject({ status: 403 });
    }
  });

  test("what the authority refuses", async () => {
    const acme = await client(await acmeServer({ solver }));
    const order = await acme.post("new-order", dns("x.test"));
    await prove(acme, order.body.authorizations, solver);
    const csr = csrFor({ dns: ["x.test"] }, generateKeyPairSync("ed25519").privateKey);
    const answer = await acme.post(order.body.finalize, { csr });
    expect(answer.body).toMatchObject({ type: "urn:ietf:params:acme:error:badCSR" });
    expect(answer.body.detail).toContain("keys of this type are not allowed");
  });
});
