import { describe, expect, it } from "vitest";
import { Refusal, Unreachable } from "./failure.ts";
import { clientFor, deserted, failureOf, serve } from "./server-fixture.suite.ts";

describe("answers", () => {
  const answering = (status: number, body: string, type = "application/json") =>
    serve((_request, response) => response.writeHead(status, { "content-type": type }).end(body));

  it("keeps numbers as they are written", async () => {
    const client = clientFor(await answering(200, '{"data":{"big":9007199254740993,"ratio":1.50}}'));
    expect(JSON.stringify((await client.get("a")).data)).toBe('{"big":9007199254740993,"ratio":1.50}');
  });

  it("reads an envelope", async () => {
    const body = {
      request_id: "r",
      lease_id: "l",
      renewable: true,
      lease_duration: 5,
      data: { a: 1 },
      warnings: ["w"],
    };
    const { secret } = await clientFor(await answering(200, JSON.stringify(body))).get("a");
    expect(secret).toMatchObject({ ...body, auth: null, wrap_info: null });
  });

  it("takes bare JSON for data", async () => {
    const answer = await clientFor(await answering(200, '{"initialized":true}')).get("sys/init");
    expect(answer.data).toEqual({ initialized: true });
  });

  it("gives bytes that are not JSON", async () => {
    const answer = await clientFor(await answering(200, "-----BEGIN", "application/x-pem-file")).get("pki/ca/pem");
    expect(answer.json).toBeUndefined();
    expect(answer.bytes.toString()).toBe("-----BEGIN");
  });

  it("knows an answer without a body", async () => {
    const client = clientFor(await serve((_request, response) => response.writeHead(204).end()));
    expect((await client.put("a", { b: 1 })).isEmpty).toBe(true);
  });

  it("finds nothing behind a bare 404", async () => {
    expect(await clientFor(await answering(404, '{"errors":[]}')).find("a")).toBeUndefined();
  });

  it("finds what comes with a 404: a deleted version", async () => {
    const answer = await clientFor(await answering(404, '{"data":{"data":null,"metadata":{"version":1}}}')).find("a");
    expect(answer?.data["metadata"]).toEqual({ version: 1 });
  });

  it("refuses a 404 that has something to say", async () => {
    const failure = await failureOf(clientFor(await answering(404, '{"errors":["no handler"]}')).find("a"));
    expect(failure).toMatchObject({ status: 404, messages: ["no handler"] });
  });

  it("says that broken JSON is no answer, without showing it", async () => {
    const failure = await failureOf(clientFor(await answering(200, '{"password":"hunter2')).get("a"));
    expect(failure).toBeInstanceOf(Unreachable);
    expect(failure.message).not.toContain("hunter2");
  });
});

describe("refusals", () => {
  it("say which request was refused, and why, in the layout that people know", async () => {
    const address = await serve((_request, response) =>
      response.writeHead(403, { "content-type": "application/json" }).end('{"errors":["permission denied","twice"]}'),
    );
    const failure = await failureOf(
      clientFor(address, { token: "s.secret", namespace: "team/" }).put("a b/c", { password: "hunter2" }),
    );
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure.message).toBe(
      [
        "Error making API request.",
        "",
        "Namespace: team/",
        `URL: PUT ${address}/v1/a%20b/c`,
        "Code: 403. Errors:",
        "",
        "* permission denied",
        "* twice",
      ].join("\n"),
    );
  });

  it("show the text of a proxy that knows no JSON", async () => {
    const address = await serve((_request, response) => response.writeHead(502).end("Bad Gateway\n"));
    const failure = await failureOf(clientFor(address, { maxRetries: 0 }).get("a"));
    expect(failure).toMatchObject({ status: 502, messages: ["Bad Gateway"] });
  });
});

describe("retries", () => {
  const failing = async (failures: number, status = 503) => {
    let asked = 0;
    const bodies: string[] = [];
    const address = await serve(async (request, response) => {
      asked++;
      let body = "";
      for await (const part of request) body += part;
      bodies.push(body);
      response.writeHead(asked > failures ? 204 : status).end();
    });
    return { address, bodies, asked: () => asked };
  };

  it("sends again, with the body, what a busy server refused", async () => {
    const { address, bodies } = await failing(2);
    await clientFor(address).put("a", { b: 1 });
    expect(bodies).toEqual(['{"b":1}', '{"b":1}', '{"b":1}']);
  });

  it("gives up after as many times as it was told", async () => {
    const { address, asked } = await failing(9);
    expect(await failureOf(clientFor(address, { maxRetries: 1 }).get("a"))).toMatchObject({ status: 503 });
    expect(asked()).toBe(2);
  });

  it("takes a plain no for an answer", async () => {
    const { address, asked } = await failing(9, 403);
    await failureOf(clientFor(address).get("a"));
    expect(asked()).toBe(1);
  });

  it("waits longer each time", async () => {
    const pauses: number[] = [];
    const { address } = await failing(2);
    await clientFor(address, { pause: async (time) => pauses.push(time) }).get("a");
    expect(pauses).toHaveLength(2);
    expect(pauses[1]).toBeGreaterThan(pauses[0]!);
  });

  it("tries again when nobody is there, and says so in the end", async () => {
    let pauses = 0;
    const client = clientFor(await deserted(), { pause: async () => pauses++ });
    expect(await failureOf(client.get("a"))).toMatchObject({ name: "Unreachable", code: "ECONNREFUSED" });
    expect(pauses).toBe(2);
  });
});
