import { describe, expect, test } from "vitest";
import { corsOff } from "../core/cors/cors-settings.ts";
import type { Exchange } from "../core/pipeline/exchange.ts";
import { httpHandler } from "./handler.ts";
import type { HttpRequest } from "./server.ts";

function asked(rawPath: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): HttpRequest {
  const [path = "", query = ""] = rawPath.split("?");
  return {
    id: "00000000-0000-4000-8000-000000000000",
    method,
    rawPath: path,
    query,
    header: (name) => headers[name],
    headerValues: (name) => (headers[name] === undefined ? [] : [headers[name]]),
    rawHeaders: Object.entries(headers).flat(),
    body: async () => Buffer.alloc(0),
    remoteAddress: "10.0.0.1",
    remotePort: 1,
    localAddress: "10.0.0.2",
    secure: false,
    clientCertificates: [],
    clientVerified: false,
    signal: new AbortController().signal,
  };
}

function started(more: object = {}) {
  const seen: Exchange[] = [];
  const kernel = {
    handle: async (exchange: Exchange) => {
      seen.push(exchange);
      return { a: 1 };
    },
    help: async () => undefined,
    cors: async () => corsOff,
  };
  const onUnexpected = () => {};
  return {
    seen,
    handle: httpHandler({ kernel, now: () => 0, limits: { depth: 10, strings: 10 }, onUnexpected, ...more }),
  };
}

describe("a namespace", () => {
  test.each([
    [{}, undefined, undefined],
    [{ "x-service-namespace": "root" }, undefined, "root"],
    [{ "x-vault-namespace": "root/" }, undefined, "root/"],
    [{ "x-vault-namespace": "" }, undefined, undefined],
    [{ "x-vault-namespace": "/" }, undefined, "/"],
    [{ "x-vault-namespace": "team" }, "team", "team"],
    [{ "x-service-namespace": "/team/web/" }, "team/web", "/team/web/"],
    [{ "x-service-namespace": "caf\u00c3\u00a9" }, "café", "caf\u00c3\u00a9"],
  ])("asked for with %j is %j for the core, and repeated as %j", async (headers, namespace, echoed) => {
    const { handle, seen } = started();
    const reply = await handle(asked("/v1/kv/a", headers as Record<string, string>));
    expect(seen[0]?.received.namespace).toBe(namespace);
    expect(reply.headers["x-service-namespace"]).toBe(echoed);
  });
});

test("a hidden path is answered as if it had no such operation, and never reaches the core", async () => {
  const { handle, seen } = started({ isHidden: (path: string) => path === "sys/rekey/init" });
  for (const path of ["/v1/sys/rekey/init", "/v1/sys/rekey%2finit", "/v1/sys/rekey/init?help=1"]) {
    const { status, body } = await handle(asked(path));
    expect([status, body]).toEqual([405, '{"errors":["1 error occurred:\\n\\t* unsupported operation\\n\\n"]}\n']);
  }
  expect(seen).toEqual([]);
  expect((await handle(asked("/v1/sys/rekey/backup"))).status).toBe(200);
});

test("a request keeps its id, and the listener's open paths go with it", async () => {
  const openPaths = new Set(["sys/metrics"]);
  const { handle, seen } = started({ openPaths });
  const { body } = await handle(asked("/v1/kv/a"));
  expect(JSON.parse(String(body)).request_id).toBe("00000000-0000-4000-8000-000000000000");
  expect(seen[0]?.request.source.openPaths).toBe(openPaths);
});
