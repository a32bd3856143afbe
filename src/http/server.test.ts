import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { RawClient } from "../../test/support/raw-client.ts";
import { ApiError } from "../api/errors.ts";
import type { ListenerOptions } from "./listener-options.ts";
import { type Handle, type HttpReply, type HttpRequest, type Listener, listen } from "./server.ts";

const listeners: Listener[] = [];

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close(0)));
});

const text = (body: string, status = 200): HttpReply => ({ status, headers: { "content-type": "text/plain" }, body });

/** Says back what it was asked. */
const echo: Handle = async (request) => text(`[${request.method} ${request.rawPath} ${await request.body()}]`);

async function start(handle: Handle = echo, options: Partial<ListenerOptions> = {}) {
  const logged: string[] = [];
  const log = {
    warn: (message: string) => logged.push(message),
    error: (message: string, error: unknown) => logged.push(`${message}: ${(error as Error).message}`),
  };
  const listener = await listen({ address: "127.0.0.1:0", tls_disable: true, ...options }, handle, log);
  listeners.push(listener);
  const { port } = listener.address;
  const send = async (...pieces: string[]) => {
    const client = await RawClient.connect({ port });
    await client.send(...pieces);
    return client;
  };
  /** One request on a connection of its own, and all that comes back. */
  const ask = async (head: string, body = "") => {
    const client = await send(`${head}\r\nHost: a\r\nConnection: close\r\n\r\n${body}`);
    return parse(await client.closed());
  };
  return { listener, port, logged, send, ask };
}

function parse(received: string) {
  const [head = "", ...body] = received.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = lines.map((each) => each.split(": ", 2) as [string, string]);
  return { status: Number(line.split(" ")[1]), headers: Object.fromEntries(headers), body: body.join("\r\n\r\n") };
}

const errors = (...messages: string[]) => `${JSON.stringify({ errors: messages })}\n`;

describe("a request", () => {
  it("is handed on with what the client wrote", async () => {
    let seen: Record<string, unknown> = {};
    const { ask } = await start(async (request) => {
      const { method, rawPath, query, localAddress, remoteAddress, secure, clientCertificates, clientVerified } =
        request;
      seen = { method, rawPath, query, localAddress, remoteAddress, secure, clientCertificates, clientVerified };
      seen["remotePort"] = request.remotePort > 0;
      seen["body"] = (await request.body()).toString();
      return text("");
    });
    await ask("POST /v1//a%2Fb/../c?x=%20&y HTTP/1.1\r\nContent-Length: 3", "abc");
    expect(seen).toEqual({
      method: "POST",
      rawPath: "/v1//a%2Fb/../c",
      query: "x=%20&y",
      localAddress: "127.0.0.1",
      remoteAddress: "127.0.0.1",
      remotePort: true,
      secure: false,
      clientCertificates: [],
      clientVerified: false,
      body: "abc",
    });
  });

  it.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "LIST", "SCAN", "LINK", "PROPFIND"])(
    "may have the method %s",
    async (method) => {
      const { ask } = await start();
      const { status, body, headers } = await ask(`${method} /v1/a HTTP/1.1`);
      const said = `[${method} /v1/a ]`;
      expect({ status, body, length: headers["content-length"] }).toEqual({
        status: 200,
        body: method === "HEAD" ? "" : said,
        length: String(said.length),
      });
    },
  );

  it("may name the whole URL", async () => {
    const { ask } = await start(async ({ rawPath, query }) => text(`${rawPath}?${query}`));
    expect((await ask("GET http://a/b?c HTTP/1.1")).body).toBe("/b?c");
  });

  it("shows every value of a header", async () => {
    let request: HttpRequest | undefined;
    const { ask } = await start(async (each) => {
      request = each;
      return text("");
    });
    const many = Array.from({ length: 1200 }, (_, i) => `X-${i}: ${i}`).join("\r\n");
    await ask(`GET / HTTP/1.1\r\nX-Token: a\r\nAuthorization: b\r\n${many}\r\nx-token: c\r\nAUTHORIZATION: d`);
    expect(request?.headerValues("x-token")).toEqual(["a", "c"]);
    expect(request?.headerValues("authorization")).toEqual(["b", "d"]);
    expect(request?.headerValues("x-none")).toEqual([]);
    expect(request?.header("x-token")).toBe("a, c");
    expect(request?.header("x-1199")).toBe("1199");
    expect(request?.header("x-none")).toBeUndefined();
    expect(request?.header("constructor")).toBeUndefined();
    expect(request?.header("__proto__")).toBeUndefined();
    expect(request?.rawHeaders.slice(0, 4)).toEqual(["X-Token", "a", "Authorization", "b"]);
  });
});

describe("an answer", () => {
  it.each<[string, HttpReply, object]>([
    ["has its length", text("é"), { status: 200, body: "Ã©", headers: { "content-length": "2" } }],
    [
      "may be bytes",
      { ...text(""), body: Buffer.from([0, 255]) },
      { body: "\0\xff", headers: { "content-length": "2" } },
    ],
    ["may be empty", { status: 200, headers: {}, body: undefined }, { body: "", headers: { "content-length": "0" } }],
    ["may have any status", text("gone", 410), { status: 410, body: "gone" }],
  ])("%s", async (_, reply, expected) => {
    const { ask } = await start(async () => reply);
    expect(await ask("GET / HTTP/1.1")).toMatchObject(expected);
  });

  it("with status 204 has neither body nor length", async () => {
    const { ask } = await start(async () => ({ status: 204, headers: { "x-a": "1" }, body: undefined }));
    const { status, headers, body } = await ask("GET / HTTP/1.1");
    expect({ status, length: headers["content-length"], a: headers["x-a"], body }).toEqual({
      status: 204,
      a: "1",
      body: "",
    });
  });

  it("may repeat a header", async () => {
    const { send } = await start(async () => ({ ...text(""), headers: { "x-a": ["1", "2"] } }));
    const client = await send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await client.closed()).toContain("x-a: 1\r\nx-a: 2\r\n");
  });

  it("keeps the connection for the next request", async () => {
    const { send } = await start();
    const client = await send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
    await client.until("[GET /1 ]");
    await client.send("LIST /2 HTTP/1.1\r\nHost: a\r\n\r\n");
    await client.until("[LIST /2 ]");
    client.destroy();
  });

  it("comes in the order of the requests", async () => {
    const { send } = await start(async ({ rawPath }) => {
      await wait(rawPath === "/slow" ? 30 : 0);
      return text(`[${rawPath}]`);
    });
    const client = await send(
      "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect((await client.closed()).match(/\[.*?\]/g)).toEqual(["[/slow]", "[/fast]"]);
  });
});

describe("a handler that fails", () => {
  it.each<[string, Handle, number, string]>([
    ["by rejecting", () => Promise.reject(new Error("secret")), 500, errors("internal error")],
    [
      "by throwing",
      () => {
        throw new Error("secret");
      },
      500,
      errors("internal error"),
    ],
    [
      "with a header that would split the answer",
      async () => ({ ...text(""), headers: { a: "b\r\nc: secret" } }),
      500,
      errors("internal error"),
    ],
  ])("%s is answered without detail, and logged", async (_, handle, status, body) => {
    const { ask, logged } = await start(handle);
    expect(await ask("GET / HTTP/1.1")).toMatchObject({ status, body });
    expect(logged).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ["no answer", undefined],
    ["no status", { ...text(""), status: 0 }],
    ["no body that can be sent", { ...text(""), body: 5 }],
  ])("by giving %s harms nobody else", async (_, reply) => {
    const { send, ask, logged } = await start(async ({ rawPath }) =>
      rawPath === "/ok" ? text("ok") : (reply as HttpReply),
    );
    const client = await send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    await client.closed();
    expect(client.statuses).not.toContain(200);
    expect(logged).toHaveLength(1);
    expect((await ask("GET /ok HTTP/1.1")).body).toBe("ok");
  });

  it("while its body is still coming harms nobody else", async () => {
    const { ask } = await start(
      async (request) => {
        void request.body();
        throw new ApiError(400, "no");
      },
      { max_request_size: 1 },
    );
    expect((await ask("POST / HTTP/1.1\r\nContent-Length: 2", "ab")).status).toBe(400);
  });

  it("with words for the client is answered with them", async () => {
    const { ask, logged } = await start(() => Promise.reject(new ApiError(418, ["short", "stout"])));
    expect(await ask("GET / HTTP/1.1")).toMatchObject({ status: 418, body: errors("short", "stout") });
    expect(logged).toEqual([]);
  });
});

describe("a body", () => {
  const limited = { max_request_size: 10 };
  const post = "POST / HTTP/1.1";

  it.each([
    ["of a declared length", `${post}\r\nContent-Length: 10`, "0123456789", "[POST / 0123456789]"],
    [
      "in chunks",
      `${post}\r\nTransfer-Encoding: chunked`,
      "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n",
      "[POST / 0123456789]",
    ],
    ["of no bytes", `${post}\r\nContent-Length: 0`, "", "[POST / ]"],
    ["that is not there", post, "", "[POST / ]"],
  ])("%s within the limit is taken", async (_, head, body, said) => {
    const { ask } = await start(echo, limited);
    expect(await ask(head, body)).toMatchObject({ status: 200, body: said });
  });

  it.each([
    ["of a declared length", `${post}\r\nContent-Length: 11`, "01234567890"],
    ["of a length beyond all numbers", `${post}\r\nContent-Length: 9999999999999999999`, "0"],
    ["in chunks", `${post}\r\nTransfer-Encoding: chunked`, "5\r\n01234\r\n6\r\n567890\r\n0\r\n\r\n"],
  ])("%s above the limit is refused", async (_, head, body) => {
    const { send } = await start(echo, limited);
    const client = await send(`${head}\r\nHost: a\r\n\r\n${body}`);
    await client.until("errors");
    expect(parse(client.received)).toMatchObject({ status: 413, body: errors("http: request body too large") });
    client.destroy();
  });

  it("above the limit is received to its end, for the next request's sake", async () => {
    const { send } = await start(echo, limited);
    const chunk = `3e8\r\n${"a".repeat(1000)}\r\n`;
    const head = `${post}\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const client = await send(head, ...new Array(20).fill(chunk.repeat(50)), "0\r\n\r\n");
    await client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
    await client.until("[GET /next ]");
    expect(client.statuses).toEqual([413, 200]);
    client.destroy();
  });

  it("is not limited if the operator says so", async () => {
    const { ask } = await start(async (request) => text(`${(await request.body()).length}`), { max_request_size: -1 });
    expect((await ask(`${post}\r\nContent-Length: 2000000`, "a".repeat(2_000_000))).body).toBe("2000000");
  });

  it("that comes in many pieces is put together in order", async () => {
    const { send } = await start();
    const digits = Array.from({ length: 500 }, (_, i) => String(i % 10));
    const client = await send(`${post}\r\nHost: a\r\nConnection: close\r\nContent-Length: 500\r\n\r\n`, ...digits);
    expect(await client.closed()).toContain(`[POST / ${digits.join("")}]`);
  });

  it("is asked for only when it is wanted and not too large", async () => {
    const { send } = await start(echo, limited);
    const wanted = await send(`${post}\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
    await wanted.until("100 Continue");
    await wanted.send("abc");
    await wanted.until("[POST / abc]");
    wanted.destroy();
    const tooLarge = await send(`${post}\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n`);
    await tooLarge.until("errors");
    expect(tooLarge.statuses).toEqual([413]);
    tooLarge.destroy();
  });

  it("with other expectations is refused", async () => {
    const { ask } = await start();
    const { status, body } = await ask("POST / HTTP/1.1\r\nExpect: miracles\r\nContent-Length: 0");
    expect({ status, body }).toEqual({
      status: 417,
      body: errors("the only expectation that can be met is 100-continue"),
    });
  });

  it("that nobody reads does not hinder the next request", async () => {
    const { send } = await start(async ({ rawPath }) => text(`[${rawPath}]`));
    const body = "LIST /evil HTTP/1.1\r\nHost: a\r\n\r\n";
    const client = await send(
      `POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length * 10_000}\r\n\r\n`,
      body.repeat(10_000),
      "SCAN /2 HTTP/1.1\r\nHost: a\r\n\r\n",
    );
    await client.until("[/2]");
    expect(client.received.match(/\[.*?\]/g)).toEqual(["[/1]", "[/2]"]);
    client.destroy();
  });

  it("whose client has gone is a failure of nobody", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { send, logged } = await start(async (request) => {
      await request.body().catch(resolve);
      return text("");
    });
    const client = await send(`${post}\r\nHost: a\r\nContent-Length: 5\r\n\r\nab`);
    client.destroy();
    expect(await promise).toMatchObject({ status: 400 });
    expect(logged).toEqual([]);
  });
});

describe("what is not HTTP", () => {
  it.each([
    ["an unknown method", "NOPE / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "the request has a method that is not known"],
    ["a broken line", "GET / HTTP/1.1 x\r\nHost: a\r\n\r\n", 400, "the request is not valid HTTP"],
    [
      "length and chunks",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      "the request is not valid HTTP",
    ],
    [
      "headers that are too large",
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(70_000)}\r\n\r\n`,
      431,
      "the headers of the request are too large",
    ],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "the request has a method that is not known"],
  ])("%s is answered in our form, and the connection closed", async (_, sent, status, message) => {
    const { send } = await start();
    const client = await send(sent);
    const received = parse(await client.closed());
    expect(received).toMatchObject({ status, body: errors(message), headers: { connection: "close" } });
    expect(received.headers["content-length"]).toBe(String(received.body.length));
  });

  it("no host is answered in our form", async () => {
    const { send } = await start();
    const client = await send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    expect(parse(await client.closed())).toMatchObject({ status: 400, body: errors("the request has no Host header") });
  });

  it("a client that goes on sending hears why it was refused", async () => {
    const { send } = await start();
    const client = await send(`GET / HTTP/1.1\r\nX: ${"a".repeat(70_000)}`, ...new Array(50).fill("b".repeat(10_000)));
    await client.until("too large");
    expect(client.statuses).toEqual([431]);
    client.destroy();
  });
});

describe("a client that is slow", () => {
  it.each([
    ["to send its headers", "GET / HTTP/1.1\r\nHo"],
    ["to send anything", ""],
    ["to send its body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"],
  ])("%s is told so, and the connection closed", async (_, sent) => {
    const { send } = await start(echo, { http_read_header_timeout: 0.05, http_read_timeout: 0.1 });
    const client = await send(sent);
    expect(parse(await client.closed())).toMatchObject({
      status: 408,
      body: errors("the request did not arrive in time"),
    });
  });

  it("to send the next request is let go without a word", async () => {
    const { send } = await start(echo, { http_idle_timeout: 0.05 });
    const client = await send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await client.closed();
    expect(client.statuses).toEqual([200]);
  });

  it("to read its answers is cut off", async () => {
    const { port, listener } = await start(async () => text("a".repeat(32_000)), { http_write_timeout: 0.05 });
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {}).pause();
    // More than the buffers of the two ends take.
    for (let i = 0; i < 1000; i++) socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    while (listener.inFlight === 0) await wait(5);
    while (listener.inFlight > 0) await wait(5);
    socket.resume();
    await once(socket, "close");
  });

  it("to finish the body of a request that was answered is cut off without another word", async () => {
    const { send } = await start(async () => text("[enough]"), {
      http_read_timeout: 0.1,
      http_read_header_timeout: 0.1,
    });
    const client = await send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
    await client.closed();
    expect(client.statuses).toEqual([200]);
  });
});

describe("a request that takes too long", () => {
  it("is answered, and told to stop", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { ask } = await start(
      ({ signal }) => {
        signal.addEventListener("abort", () => resolve(signal.reason));
        return new Promise(() => {});
      },
      { max_request_duration: 0.05 },
    );
    const { status, body } = await ask("GET / HTTP/1.1");
    expect({ status, body }).toEqual({
      status: 504,
      body: errors("the request took longer than max_request_duration"),
    });
    expect(await promise).toMatchObject({ status: 504 });
  });

  it("may finish afterwards without harm", async () => {
    const { promise, resolve } = Promise.withResolvers<HttpReply>();
    const { send, logged } = await start(
      ({ rawPath }) => (rawPath === "/late" ? promise : Promise.resolve(text("[next]"))),
      { max_request_duration: 0.05 },
    );
    const client = await send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n");
    await client.until("max_request_duration");
    resolve(text("[late]"));
    await client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
    await client.until("[next]");
    expect(client.received).not.toContain("[late]");
    expect(logged).toEqual([]);
    client.destroy();
  });

  it("is told when its client has gone", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { send } = await start(({ signal }) => {
      signal.addEventListener("abort", () => resolve(signal.reason));
      return new Promise(() => {});
    });
    const client = await send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await wait(20);
    client.destroy();
    expect(await promise).toMatchObject({ status: 400 });
  });
});

describe("closing", () => {
  it("lets a request finish, and closes what is idle", async () => {
    const { promise: started, resolve: begin } = Promise.withResolvers<void>();
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    const { listener, send, port } = await start(async ({ rawPath }) => {
      if (rawPath === "/idle") return text("[idle]");
      begin();
      await work;
      return text("[done]");
    });
    const idle = await send("GET /idle HTTP/1.1\r\nHost: a\r\n\r\n");
    await idle.until("[idle]");
    const busy = await send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await started;
    const closing = listener.close();
    await idle.closed();
    await expect(RawClient.connect({ port })).rejects.toThrow("ECONNREFUSED");
    finish();
    expect(await busy.closed()).toMatch(/connection: close[\s\S]*\[done\]/);
    await closing;
  });

  it("waits for no one longer than it is told to", async () => {
    const { listener, send } = await start(() => new Promise(() => {}));
    const client = await send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    while (listener.inFlight === 0) await wait(1);
    await listener.close(0.02);
    await client.closed();
    expect(client.received).toBe("");
  });
});

describe("a listener", () => {
  it("takes so many connections at once, and more when one ends", async () => {
    const { port, send } = await start(echo, { max_connections: 1 });
    const first = await send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
    await first.until("[GET /1 ]");
    const second = connect(port, "127.0.0.1").on("error", () => {});
    await once(second, "close");
    first.destroy();
    await first.closed();
    await wait(20);
    const third = await send("GET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
    await third.until("[GET /3 ]");
    third.destroy();
  });

  it("says which address it cannot have", async () => {
    const { port } = await start();
    await expect(start(echo, { address: `127.0.0.1:${port}` })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: the address is in use`,
    );
  });
});

describe("X-Forwarded-For", () => {
  const address: Handle = async ({ remoteAddress }) => text(`[${remoteAddress}]`);

  it("from a trusted proxy names the client", async () => {
    const { ask } = await start(address, { x_forwarded_for_authorized_addrs: ["127.0.0.0/8"] });
    expect((await ask("GET / HTTP/1.1\r\nX-Forwarded-For: 203.0.113.9")).body).toBe("[203.0.113.9]");
    expect(await ask("GET / HTTP/1.1")).toMatchObject({ status: 400 });
  });

  it("is not looked at otherwise", async () => {
    const { ask } = await start(address);
    expect((await ask("GET / HTTP/1.1\r\nX-Forwarded-For: 203.0.113.9")).body).toBe("[127.0.0.1]");
  });
});
