import { describe, expect, it } from "vitest";
import { clientFor, failureOf, serve } from "./server-fixture.suite.ts";

describe("redirects", () => {
  const redirecting = (location: string, status = 307) =>
    serve(async (request, response) => {
      if (request.url?.startsWith("/v1/new")) {
        let body = "";
        for await (const part of request) body += part;
        const { method, url, headers } = request;
        const data = { method, url, body, token: headers["x-service-token"] };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
      } else response.writeHead(status, { location }).end();
    });

  it("follows to another path with method, body and token", async () => {
    const client = clientFor(await redirecting("/v1/new?x=1"), { token: "s.mine" });
    expect((await client.put("old", { b: 1 })).data).toEqual({
      method: "PUT",
      url: "/v1/new?x=1",
      body: '{"b":1}',
      token: "s.mine",
    });
  });

  it.each(["http://evil.example/v1/new", "//evil.example/v1/new", "https://127.0.0.1/v1/new"])(
    "does not carry the token to %s",
    async (location) => {
      const failure = await failureOf(clientFor(await redirecting(location), { token: "s.mine" }).get("old"));
      expect(failure).toMatchObject({ name: "Unreachable", code: "FOREIGN_REDIRECT" });
    },
  );

  it("follows once only", async () => {
    const failure = await failureOf(clientFor(await redirecting("/v1/old")).get("old"));
    expect(failure).toMatchObject({ name: "Refusal", status: 307 });
  });

  it("does not turn a write into a read", async () => {
    const failure = await failureOf(clientFor(await redirecting("/v1/new", 302)).put("old", {}));
    expect(failure).toMatchObject({ name: "Refusal", status: 302 });
  });
});
