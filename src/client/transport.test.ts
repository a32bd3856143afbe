import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { type Certificates, makeCertificates } from "../../test/support/certificates.ts";
import { clientFor, failureOf, listening, serve } from "./server-fixture.suite.ts";
import type { TlsSettings } from "./transport.ts";

const hello: RequestListener = (_request, response) => response.writeHead(204).end();

describe("connections", () => {
  it("speaks to a Unix socket", async () => {
    const folder = mkdtempSync(join(tmpdir(), "strongroom-socket-"));
    const address = await listening(createServer(hello), join(folder, "s"));
    expect((await clientFor(address).get("a")).isEmpty).toBe(true);
    rmSync(folder, { recursive: true });
  });

  it("gives up on a server that never answers", async () => {
    const address = await serve(() => undefined);
    expect(await failureOf(clientFor(address, { timeout: 50, maxRetries: 0 }).get("a"))).toMatchObject({
      code: "ETIMEDOUT",
    });
  });
});

const certificates = makeCertificates();

describe.skipIf(certificates === undefined)("TLS", () => {
  const { authority, server, client } = certificates ?? ({} as Certificates);
  const trusting: TlsSettings = {
    authorities: [authority.cert],
    certificate: undefined,
    key: undefined,
    serverName: undefined,
    skipVerify: false,
  };

  const secure = async (options: https.ServerOptions = {}): Promise<string> =>
    `https://${await listening(https.createServer({ ...server, ...options }, nameClient))}`;

  const nameClient: RequestListener = (request, response) => {
    const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? null;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: { name } }));
  };

  const failing = async (address: string, tls?: TlsSettings) =>
    failureOf(clientFor(address, { tls, maxRetries: 0 }).get("a"));

  it("trusts the authority that it is given", async () => {
    expect((await clientFor(await secure(), { tls: trusting }).get("a")).data).toEqual({ name: null });
  });

  it("trusts nobody else", async () => {
    expect(await failing(await secure(), { ...trusting, authorities: [] })).toMatchObject({ name: "Unreachable" });
    expect(await failing(await secure())).toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
  });

  it("trusts everybody when told so", async () => {
    const tls = { ...trusting, authorities: [], skipVerify: true };
    expect((await clientFor(await secure(), { tls }).get("a")).data).toEqual({ name: null });
  });

  it("asks for the name that it is told", async () => {
    const address = await secure();
    expect((await clientFor(address, { tls: { ...trusting, serverName: "localhost" } }).get("a")).data).toBeDefined();
    expect(await failing(address, { ...trusting, serverName: "other.example" })).toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
  });

  it("shows its certificate", async () => {
    const address = await secure({ requestCert: true, ca: authority.cert });
    const tls = { ...trusting, certificate: client.cert, key: client.key };
    expect((await clientFor(address, { tls }).get("a")).data).toEqual({ name: "client" });
  });

  it("fails clearly where plain HTTP is spoken", async () => {
    const plain = await listening(createServer(hello));
    expect(await failing(`https://${plain}`, trusting)).toMatchObject({ name: "Unreachable", code: "EPROTO" });
  });

  it("fails clearly when it speaks plain HTTP where TLS is spoken", async () => {
    const address = (await secure()).replace("https:", "http:");
    expect(await failing(address)).toMatchObject({ name: "Unreachable", code: "ECONNRESET" });
  });
});
