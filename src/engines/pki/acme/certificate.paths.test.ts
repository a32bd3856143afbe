import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clusterPath } from "../../../../test/support/acme-authority.ts";
import { AcmeCaller, csrFor, newKey } from "../../../../test/support/acme-caller.ts";
import { acmeServer, certified, client, dns, prove, stranger } from "../../../../test/support/acme-server.ts";
import { AcmeSolver } from "../../../../test/support/acme-solver.ts";
import { parseCertificate } from "../../../lib/x509/certificate.ts";

const types = (type: string) => `urn:ietf:params:acme:error:${type}`;

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
});
afterAll(() => solver.stop());

async function issued(names = ["a.test"]) {
  const server = await acmeServer({ solver });
  const acme = await client(server);
  return { server, acme, ...(await certified(acme, solver, names)) };
}

describe("revocation", () => {
  test("by the account that ordered, with an empty answer, once", async () => {
    const { acme, der } = await issued();
    expect(await acme.post("revoke-cert", { certificate: der, reason: 4 })).toMatchObject({ status: 200, body: "" });
    const again = await acme.post("revoke-cert", { certificate: der });
    expect(again).toMatchObject({ status: 400, body: { type: types("alreadyRevoked") } });
  });

  test("by the key of the certificate, without an account", async () => {
    const server = await acmeServer({ solver });
    const acme = await client(server);
    const order = await acme.post("new-order", dns("own.test"));
    await prove(acme, order.body.authorizations, solver);
    const key = newKey();
    const done = await acme.post(order.body.finalize, { csr: csrFor({ dns: ["own.test"] }, key) });
    const { body } = await acme.post(done.body.certificate);
    const certificate = Buffer.from(String(body).split("-----")[2]!, "base64").toString("base64url");
    const other = new AcmeCaller(server, clusterPath, "acme", newKey());
    expect(await other.post("revoke-cert", { certificate })).toMatchObject({ status: 403 });
    const holder = new AcmeCaller(server, clusterPath, "acme", key);
    expect(await holder.post("revoke-cert", { certificate, reason: 1 })).toMatchObject({ status: 200 });
  });

  test("by another account only if it holds all of the names", async () => {
    const { server, der } = await issued(["a.test", "b.test"]);
    const other = await client(server);
    const refused = await other.post("revoke-cert", { certificate: der });
    expect(refused).toMatchObject({ status: 403, body: { type: types("unauthorized") } });
    const half = await other.post("new-order", dns("a.test"));
    await prove(other, half.body.authorizations, solver);
    expect(await other.post("revoke-cert", { certificate: der })).toMatchObject({ status: 403 });
    const rest = await other.post("new-order", dns("b.test"));
    await prove(other, rest.body.authorizations, solver);
    await other.post(rest.body.authorizations[0], { status: "deactivated" });
    expect(await other.post("revoke-cert", { certificate: der })).toMatchObject({ status: 403 });
    const last = await other.post("new-order", dns("b.test"));
    await prove(other, last.body.authorizations, solver);
    expect(await other.post("revoke-cert", { certificate: der })).toMatchObject({ status: 200 });
  });

  test.each([
    [{}, "malformed"],
    [{ certificate: "AAAA" }, "malformed"],
    [{ reason: 2 }, "badRevocationReason"],
    [{ reason: 7 }, "badRevocationReason"],
    [{ reason: "1" }, "badRevocationReason"],
  ])("is refused for %j", async (payload, type) => {
    const { acme, der } = await issued();
    const given = "reason" in payload ? { certificate: der, ...payload } : payload;
    expect((await acme.post("revoke-cert", given)).body.type).toBe(types(type));
  });

  test("is refused for a certificate of somebody else", async () => {
    const [{ der }, { acme }] = [await issued(), await issued()];
    expect(await acme.post("revoke-cert", { certificate: der })).toMatchObject({ status: 404 });
  });
});

const nameOf = (der: string) => {
  const { serial, extensions } = parseCertificate(Buffer.from(der, "base64url"));
  const hex = serial.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  const serialBytes = bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return `${Buffer.from(extensions.authorityKeyId!).toString("base64url")}.${serialBytes.toString("base64url")}`;
};

describe("renewal information", () => {
  test("opens a window late in the life of a certificate, and in the past once it is revoked", async () => {
    const { server, acme, der } = await issued();
    const ask = () => stranger(server).get(`renewal-info/${nameOf(der)}`);
    const { notBefore, notAfter } = parseCertificate(Buffer.from(der, "base64url"));
    const first = await ask();
    expect(first).toMatchObject({ status: 200, headers: { "retry-after": "21600" } });
    const { start, end } = first.body.suggestedWindow;
    expect(Date.parse(start)).toBeGreaterThan((notBefore.getTime() + notAfter.getTime()) / 2);
    expect(Date.parse(end)).toBeGreaterThan(Date.parse(start));
    expect(Date.parse(end)).toBeLessThan(notAfter.getTime());
    await acme.post("revoke-cert", { certificate: der });
    expect(Date.parse((await ask()).body.suggestedWindow.end)).toBeLessThan(server.now);
  });

  test.each(["x", "a.b.c", "AAAA.AAAA", "=.=", `${"A".repeat(600)}.AA`])("is not there for %s", async (name) => {
    const answer = await stranger(await acmeServer()).get(`renewal-info/${name}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.type).toBe(types("malformed"));
  });

  test("lets an order replace a certificate, once", async () => {
    const { server, acme, der } = await issued(["a.test"]);
    const replaces = nameOf(der);
    const other = await client(server);
    expect(await other.post("new-order", { ...dns("a.test"), replaces })).toMatchObject({ status: 403 });
    expect(await acme.post("new-order", { ...dns("b.test"), replaces })).toMatchObject({ status: 400 });
    const failed = await acme.post("new-order", { ...dns("a.test"), replaces });
    expect(failed).toMatchObject({ status: 201, body: { replaces } });
    const taken = await acme.post("new-order", { ...dns("a.test"), replaces });
    expect(taken).toMatchObject({ status: 409, body: { type: types("alreadyReplaced") } });
    await acme.post(failed.body.authorizations[0], { status: "deactivated" });
    expect(await acme.post("new-order", { ...dns("a.test"), replaces })).toMatchObject({ status: 201 });
  });
});
