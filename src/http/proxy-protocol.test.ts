import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { makeCertificates } from "../../test/support/certificates.ts";
import { RawClient } from "../../test/support/raw-client.ts";
import type { ListenerOptions } from "./listener-options.ts";
import { type Handle, type Listener, listen } from "./server.ts";

const listeners: Listener[] = [];

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close(0)));
});

const endpoints: Handle = async ({ method, remoteAddress, remotePort, localAddress }) => ({
  status: 200,
  headers: {},
  body: `[${method} ${remoteAddress}${remotePort === 4711 ? " 4711" : ""} ${localAddress}]`,
});

async function start(options: Partial<ListenerOptions>) {
  const warnings: string[] = [];
  const log = { warn: (message: string) => warnings.push(message), error: () => {} };
  const listener = await listen({ address: "127.0.0.1:0", tls_disable: true, ...options }, endpoints, log);
  listeners.push(listener);
  return { port: listener.address.port, warnings };
}

const announcement = "PROXY TCP4 203.0.113.9 10.0.0.1 4711 8200\r\n";
const request = "LIST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const announced = "[LIST 203.0.113.9 4711 10.0.0.1]";
const direct = "[LIST 127.0.0.1 127.0.0.1]";

const always = { proxy_protocol_behavior: "use_always" };
const trusting = { proxy_protocol_behavior: "allow_authorized", proxy_protocol_authorized_addrs: ["127.0.0.0/8"] };
const distrusting = { proxy_protocol_behavior: "allow_authorized", proxy_protocol_authorized_addrs: ["10.0.0.0/8"] };
const denying = { proxy_protocol_behavior: "deny_unauthorized", proxy_protocol_authorized_addrs: ["10.0.0.0/8"] };

describe("the PROXY protocol", () => {
  it.each<[string, Partial<ListenerOptions>, string[], string]>([
    ["names the client", always, [announcement + request], announced],
    ["may come byte by byte", always, [...announcement, ...request], announced],
    ["may come in a packet of its own", always, [announcement, request], announced],
    ["may be missing", always, [request], direct],
    ["may name nobody", always, ["PROXY UNKNOWN\r\n", request], direct],
    ["is believed from a trusted balancer", trusting, [announcement, request], announced],
    ["is read, but not believed, from anybody else", distrusting, [announcement, request], direct],
    ["is a part of what a client says where it is not configured", {}, [announcement, request], "400 Bad Request"],
  ])("%s", async (_, options, pieces, expected) => {
    const { port } = await start(options);
    const client = await RawClient.connect({ port });
    await client.send(...pieces);
    expect(await client.closed()).toContain(expected);
  });

  it.each<[string, Partial<ListenerOptions>, string, string[]]>([
    ["with a broken header", always, "PROXY TCP9\r\n", ["a PROXY header of version 1"]],
    ["from someone who must not come", denying, announcement + request, []],
    ["that sends no header in time", { ...always, http_read_header_timeout: 0.05 }, "PROX", []],
  ])("closes a connection %s", async (_, options, sent, warned) => {
    const { port, warnings } = await start(options);
    const client = await RawClient.connect({ port });
    await client.send(sent);
    expect(await client.closed()).toBe("");
    expect(warnings).toEqual(warned.map((text) => expect.stringContaining(text)));
  });

  it("closes a connection that ends before its header does", async () => {
    const { port } = await start(always);
    const client = await RawClient.connect({ port });
    await client.send("PROXY TCP4");
    client.socket.end();
    expect(await client.closed()).toBe("");
  });

  it("does not keep a listener open that closes", async () => {
    const { port } = await start(always);
    const client = await RawClient.connect({ port });
    await client.send("PROXY ");
    await listeners.pop()?.close();
    expect(await client.closed()).toBe("");
  });

  it("keeps the connection, with its endpoints, for the next request", async () => {
    const { port } = await start(always);
    const client = await RawClient.connect({ port });
    await client.send(announcement, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await client.until("[GET 203.0.113.9 4711 10.0.0.1]");
    await client.send(request);
    expect(await client.closed()).toContain(announced);
  });

  const certificates = makeCertificates();
  it.skipIf(!certificates).each([
    ["in one packet", [announcement]],
    ["in two packets", [announcement.slice(0, 9), announcement.slice(9)]],
  ])("comes before TLS, %s", async (_, pieces) => {
    const folder = mkdtempSync(join(tmpdir(), "listener-"));
    const [tls_cert_file, tls_key_file] = [join(folder, "cert"), join(folder, "key")];
    writeFileSync(tls_cert_file, certificates!.server.cert);
    writeFileSync(tls_key_file, certificates!.server.key);
    const { port } = await start({ ...always, tls_disable: false, tls_cert_file, tls_key_file });
    rmSync(folder, { recursive: true });

    const socket = connect(port, "127.0.0.1").setNoDelay(true);
    for (const piece of pieces) {
      await new Promise((resolve) => socket.write(piece, resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const secure = connectTls({ socket, ca: certificates!.authority.cert, servername: "localhost" });
    secure.write(request);
    expect((await secure.setEncoding("latin1").toArray()).join("")).toContain(announced);
  });
});
