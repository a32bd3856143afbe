import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { outbound } from "./outbound.ts";

const opened: { close(): void; closeAllConnections(): void }[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  opened.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const text = (body: Uint8Array) => Buffer.from(body).toString();

test("sends what it is given and answers what comes back, also a refusal", async () => {
  const url = await serving((request, response) => {
    request.setEncoding("utf8").on("data", (body) => {
      response.writeHead(418, { "X-Said": "no" }).end(`${request.method} ${request.headers["x-asked"]} ${body}`);
    });
  });
  const reply = await outbound.request({ url, method: "PUT", headers: { "X-Asked": "yes" }, body: "päck" });
  expect({ ...reply, body: text(reply.body) }).toMatchObject({
    status: 418,
    headers: { "x-said": "no" },
    body: "PUT yes päck",
  });
});

const failures: [name: string, listener: RequestListener, code: string][] = [
  ["never answers", () => {}, "ETIMEDOUT"],
  ["stops in the middle", (_, response) => void response.writeHead(200).write("half"), "ETIMEDOUT"],
  ["says too much", (_, response) => void response.end("x".repeat(2000)), "TOO_LARGE"],
  ["hangs up", (request) => void request.socket.destroy(), "ECONNRESET"],
  [
    "sends elsewhere",
    (_, response) => void response.writeHead(302, { location: "http://localhost:1/" }).end(),
    "FOREIGN_REDIRECT",
  ],
];

test.each(failures)("a server that %s is an error", async (_, listener, code) => {
  const url = await serving(listener);
  const call = outbound.request({ url, timeoutMs: 300, maxBytes: 1000, redirects: 3 });
  await expect(call).rejects.toMatchObject({ name: "OutboundError", code });
});

test("follows as many redirects on the same host as it may", async () => {
  const url = await serving((request, response) => {
    const hops = Number(request.url?.slice(1));
    if (hops === 0) response.end("there");
    else response.writeHead(307, { location: `/${hops - 1}` }).end();
  });
  expect(text((await outbound.request({ url: `${url}/2`, redirects: 2 })).body)).toBe("there");
  expect((await outbound.request({ url: `${url}/2`, redirects: 1 })).status).toBe(307);
});

test("takes no other kind of address, and says when nobody is there", async () => {
  await expect(outbound.request({ url: "file:///etc/passwd" })).rejects.toMatchObject({ code: "ERR_INVALID_URL" });
  await expect(outbound.request({ url: "http://127.0.0.1:1/" })).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
