import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clusterPath, testAuthority } from "../../../../test/support/acme-authority.ts";
import { AcmeCaller, csrFor, thumbprintOf } from "../../../../test/support/acme-caller.ts";
import { AcmeSolver } from "../../../../test/support/acme-solver.ts";
import { KernelCaller } from "../../../../test/support/kernel-caller.ts";

/** Orders from their beginning to their end, as a client sees them. */

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
  for (const name of ["a.test", "b.test", "www.web.test"]) solver.addresses.set(name, ["10.0.0.1"]);
});
afterAll(() => solver.stop());

async function started(settings: object = {}): Promise<KernelCaller> {
  const server = await new KernelCaller([testAuthority], undefined, undefined, {
    network: solver.network,
  }).initialize();
  await server.call("write", "sys/mounts/pki", { type: "pki" });
  await server.call("write", "pki/config/acme", { enabled: true, ...settings });
  return server;
}

const client = async (server: KernelCaller, directory = "acme") =>
  new AcmeCaller(server, clusterPath, directory).register();

const dns = (...names: string[]) => ({ identifiers: names.map((value) => ({ type: "dns", value })) });

describe("an order", () => {
  test("goes from pending by http-01 to ready and valid, and gives a certificate with chains", async () => {
    const acme = await client(await started());
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
  });
});
