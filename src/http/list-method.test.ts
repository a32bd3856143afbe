import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as plainRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect as connectHttp2, createSecureServer, type Http2SecureServer } from "node:http2";
import { request, Agent as SecureAgent } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { makeCertificates } from "../../test/support/certificates.ts";
import { RawClient } from "../../test/support/raw-client.ts";
import { acceptListAndScan } from "./list-method.ts";
import { checkListMethod } from "./list-method-check.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Setup {
  readonly secure: boolean;
  /** A server of node's as it comes, to compare with. */
  readonly untouched?: boolean;
  readonly handler?: Handler;
  readonly options?: { readonly headersTimeout?: number; readonly connectionsCheckingInterval?: number };
}

const certificates = makeCertificates();
const trust = { ca: certificates?.authority.cert };
const servers: (Server | Http2SecureServer)[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  }
});

/** Hears every request with its body, and says it back. */
async function start({ secure, untouched, handler, options = {} }: Setup) {
  const heard: string[] = [];
  const echo: Handler = (message, response) => {
    const at = heard.push(`${message.method} ${message.url} (unfinished)`) - 1;
    let body = "";
    message.setEncoding("latin1").on("data", (text: string) => {
      body += text;
    });
    message.on("end", () => {
      heard[at] = `${message.method} ${message.url} ${body}`;
      response.end(`[${heard[at]}]`);
    });
    message.on("error", () => {});
  };
  const tls = { ...certificates?.server, ...trust, requestCert: true, rejectUnauthorized: false };
  const server = secure
    ? createSecureServer({ ...tls, allowHTTP1: true, http1Options: options } as object)
    : createServer(options);
  server.on("request", handler ?? echo);
  if (!untouched) acceptListAndScan(server);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const tlsClient = { ...trust, ALPNProtocols: ["http/1.1"] };
  return { port, heard, server, connect: () => RawClient.connect({ port, tls: secure ? tlsClient : undefined }) };
}

const host = "Host: a\r\n";

/** What a client sends on one connection, and what a server must hear. */
const conversation: [sent: string, heard: string][] = [
  [`GET /1?q=LIST HTTP/1.1\r\n${host}X-LIST: LIST SCAN LIST \r\n\r\n`, "GET /1?q=LIST "],
  [`LIST /v1/secret HTTP/1.1\r\n${host}\r\n`, "LIST /v1/secret "],
  [`POST /2 HTTP/1.1\r\n${host}Content-Length: 21\r\n\r\nLIST /evil HTTP/1.1LI`, "POST /2 LIST /evil HTTP/1.1LI"],
  [`SCAN /3 HTTP/1.1\r\n${host}\r\n`, "SCAN /3 "],
  [
    `POST /4 HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\nLIST \r\n14;ext="SCAN "\r\n` +
      "LIST /e HTTP/1.1\r\n\r\n\r\n3\r\nLIS\r\n2\r\nT \r\n0\r\nX-T: LIST t\r\n\r\n",
    "POST /4 LIST LIST /e HTTP/1.1\r\n\r\nLIST ",
  ],
  [`LIST /5 HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nSCAN `, "LIST /5 SCAN "],
  [`SCAN /6 HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\nLIST \r\n0\r\n\r\n`, "SCAN /6 LIST "],
  [`LINK /7 HTTP/1.1\r\n${host}\r\n`, "LINK /7 "], // the words that stand in mean themselves when a client says them
  [`COPY /8 HTTP/1.1\r\n${host}\r\n`, "COPY /8 "],
  [`LIST /9 HTTP/1.1\r\n${host}\r\n\r\n`, "LIST /9 "], // a stray line end follows
  [`SCAN /10SCAN HTTP/1.1\r\n${host}\r\n`, "SCAN /10SCAN "],
  [`PUT /11 HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\nUN`, "PUT /11 UN"], // UN and LIST: not a method UNLIST
  [`LIST /12 HTTP/1.1\r\n${host}\r\n`, "LIST /12 "],
  [`PUT /13 HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\nL`, "PUT /13 L"], // ends as a method begins
  [`DELETE /LIST HTTP/1.1\r\n${host}\r\n`, "DELETE /LIST "],
  [`LIST /end HTTP/1.1\r\n${host}\r\n`, "LIST /end "],
];
const spoken = conversation.map(([sent]) => sent).join("");
const expected = conversation.map(([, heard]) => heard);

function cutAt(cuts: readonly number[]): string[] {
  const places = [0, ...[...new Set(cuts)].sort((a, b) => a - b), spoken.length];
  return places.slice(1).map((place, i) => spoken.slice(places[i], place));
}

async function converse(connect: () => Promise<RawClient>, cuts: readonly number[]) {
  const client = await connect();
  await client.send(...cutAt(cuts));
  await client.until("[LIST /end ]");
  client.destroy();
  const answers = [...client.received.matchAll(/\[([A-Z]+ \S+ [^\]]*)\]/g)].map(([, answer]) => answer);
  expect(answers, `cut at ${cuts}`).toEqual(expected);
}

const transports = [{ transport: "TCP", secure: false }, ...(certificates ? [{ transport: "TLS", secure: true }] : [])];

describe.each(transports)("over $transport", ({ secure }) => {
  describe("a conversation of sixteen requests is heard the same", () => {
    it.each([
      ["in one write", [[]]],
      ["one byte at a time", [Array.from({ length: spoken.length - 1 }, (_, i) => i + 1)]],
      ["cut in two at every place", Array.from({ length: spoken.length - 1 }, (_, i) => [i + 1])],
    ])("%s", async (_, allCuts) => {
      const { connect } = await start({ secure });
      const together = 16;
      const step = secure && allCuts.length > 1 ? 7 : 1; // a handshake for each takes its time
      const chosen = allCuts.filter((_, i) => i % step === 0);
      for (let i = 0; i < chosen.length; i += together) {
        await Promise.all(chosen.slice(i, i + together).map((cuts) => converse(connect, cuts)));
      }
    });

    it("cut at random places", async () => {
      const { connect } = await start({ secure });
      const cuts = fc.array(fc.integer({ min: 1, max: spoken.length - 1 }), { minLength: 2, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(cuts, (places) => converse(connect, places)),
        { numRuns: secure ? 20 : 100 },
      );
    });
  });

  it("a kept connection is used again and again", async () => {
    const { port, server } = await start({ secure });
    let connections = 0;
    server.on("connection", () => connections++);
    const send = secure ? request : plainRequest;
    const agent = new (secure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1, ...trust });
    for (let i = 0; i < 60; i++) {
      const method = ["LIST", "GET", "SCAN", "POST"][i % 4]!;
      const outgoing = send({ agent, port, host: "127.0.0.1", method, path: `/${i}` });
      outgoing.end(method === "POST" ? "LIST " : undefined);
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      const text = (await response.setEncoding("latin1").toArray()).join("");
      expect(text).toBe(`[${method} /${i} ${method === "POST" ? "LIST " : ""}]`);
    }
    expect(connections).toBe(1);
    agent.destroy();
  });

  it("Expect: 100-continue is answered before the body comes", async () => {
    const { connect } = await start({ secure });
    const client = await connect();
    const expecting = `${host}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`;
    await client.send(`LIST /x HTTP/1.1\r\n${expecting}`);
    await client.until("100 Continue");
    await client.send("LIST ");
    await client.until("[LIST /x LIST ]");
    await client.send(`POST /y HTTP/1.1\r\n${expecting}`);
    await client.until((received) => received.split("100 Continue").length === 3);
    await client.send(`SCAN SCAN /z HTTP/1.1\r\n${host}\r\n`);
    await client.until("[SCAN /z ]");
    expect(client.received).toContain("[POST /y SCAN ]");
    client.destroy();
  });

  it("a request to upgrade is a request like any other, and the next one too", async () => {
    const { connect, heard } = await start({ secure });
    const client = await connect();
    const upgrade = `${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    await client.send(`LIST /u HTTP/1.1\r\n${upgrade}SCAN /v HTTP/1.1\r\n${host}\r\n`);
    await client.until("[SCAN /v ]");
    expect(heard).toEqual(["LIST /u ", "SCAN /v "]);
    client.destroy();
  });

  describe("what plain node would say to LINK is said to LIST", () => {
    const get = `/p HTTP/1.1\r\n${host}`;
    const evil = `LIST /evil HTTP/1.1\r\n${host}\r\n`;
    const ok = `LIST /ok HTTP/1.1\r\n${host}\r\n`;
    const chunked = "Transfer-Encoding: chunked\r\n";
    it.each([
      ["length and chunks", `POST ${get}Content-Length: 6\r\n${chunked}\r\n0\r\n\r\n${evil}`],
      ["chunks that are not last", `POST ${get}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${evil}`],
      ["two lengths", `POST ${get}Content-Length: 0\r\nContent-Length: 30\r\n\r\n${evil}`],
      ["a length with a sign", `POST ${get}Content-Length: +5\r\n\r\n${evil}`],
      ["a space before the colon", `POST ${get}Content-Length : 5\r\n\r\n${evil}`],
      ["bare line feeds", `POST /p HTTP/1.1\nHost: a\nContent-Length: 5\n\nLIST ${evil}`],
      ["a bad chunk size", `POST ${get}${chunked}\r\n5x\r\nLIST \r\n0\r\n\r\n${evil}`],
      ["a chunk without end", `POST ${get}${chunked}\r\n5\r\nhello${evil}0\r\n\r\n`],
      ["a folded header", `POST ${get}Transfer-Encoding:\r\n chunked\r\n\r\n5\r\nLIST \r\n0\r\n\r\n${ok}`],
      ["more after the last request", `POST ${get}Connection: close\r\nContent-Length: 2\r\n\r\nhi${evil}`],
      ["HTTP/1.0, then more", `GET /p HTTP/1.0\r\n\r\n${evil}`],
      ["a GET with a body", `GET ${get}Content-Length: 26\r\n\r\nLIST /evil HTTP/1.1\r\nHo: a${ok}`],
      ["no host", "LIST /p HTTP/1.1\r\n\r\n"],
      ["two spaces", `LIST  ${get}\r\n`],
      ["no version", `LIST /p\r\n${host}\r\n`],
      ["an unknown version", `LIST /p HTTP/9.9\r\n${host}\r\n`],
      ["empty lines first", `\r\n\r\nLIST ${get}\r\n`],
      ["zeros between requests", `LIST ${get}\r\n\0\0${evil}`],
      ["the preface of HTTP/2", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${evil}`],
      ["an absolute target", `LIST http://a${get}\r\n`],
      ["a trailer that looks like a request", `POST ${get}${chunked}\r\n0\r\nLIST /evil HTTP/1.1\r\n\r\n${ok}`],
      ["CONNECT", `CONNECT a:1 HTTP/1.1\r\n${host}\r\n${evil}`],
      ["a header that is too long", `LIST ${get}X: ${"LIST ".repeat(6000)}\r\n\r\n`],
      ["a target that is too long", `LIST /${"a".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
      ["a body that ends too soon", `LIST ${get}Content-Length: 9\r\n\r\nLIST `],
      ["a head that ends too soon", `LIST /p HTTP/1.1\r\nHo`],
    ])("%s", async (_, sent) => {
      const ours = await outcome({ secure }, sent);
      const nodes = await outcome({ secure, untouched: true }, sent.replaceAll(/LIST (?= ?(\/|http:))/g, "LINK "));
      expect(ours.statuses).toEqual(nodes.statuses);
      expect(ours.heard.map(withoutWord)).toEqual(nodes.heard.map(withoutWord));
    });

    const withoutWord = (text: string) => text.replaceAll(/LIST|LINK/g, "");
  });

  /** Says all, hangs up, and waits for the server to do so too. */
  async function outcome(setup: Setup, sent: string) {
    const { connect, heard } = await start(setup);
    const client = await connect();
    await client.send(sent);
    client.socket.end();
    await client.closed();
    return { statuses: client.statuses, heard };
  }

  it.each(["LISTX", "LIS", "list", "XLIST", "UNLIST", "LIST\t", "GELIST", "POSCAN", "L", "LISS", "SCANS", "S"])(
    "%j is no method",
    async (method) => {
      const { connect, heard } = await start({ secure });
      const client = await connect();
      await client.send(`${method} /p HTTP/1.1\r\n${host}\r\n`);
      await client.closed();
      expect({ statuses: client.statuses, heard }).toEqual({ statuses: [400], heard: [] });
    },
  );

  it.each(["L", "LIS", "LIST", "SCA"])("a client that hangs up after %j gets what plain node says", async (start) => {
    expect((await outcome({ secure }, start)).statuses).toEqual([400]);
    expect((await outcome({ secure, untouched: true }, start)).statuses).toEqual([400]);
  });

  it("a client that stops after LIS runs into the header timeout", async () => {
    const { connect } = await start({ secure, options: { headersTimeout: 100, connectionsCheckingInterval: 20 } });
    const client = await connect();
    await client.send("LIS");
    await client.closed();
    expect(client.statuses).toEqual([408]);
  });

  it("requests wait while their client does not read, and none is lost", async () => {
    const pairs = 800;
    const big = Buffer.alloc(32 * 1024, 97);
    const heard: string[] = [];
    const handler: Handler = (message, response) => {
      heard.push(message.method!);
      if (message.method === "LIST") response.end(big);
      else message.resume().on("end", () => response.end(big));
    };
    const { connect } = await start({ secure, handler });
    const client = await connect();
    client.socket.pause();
    const pair = `LIST / HTTP/1.1\r\n${host}\r\nPOST / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nSCAN `;
    const sending = client.send(pair.repeat(pairs - 1), pair.replace("5\r\n", "5\r\nConnection: close\r\n"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard.length).toBeLessThan(2 * pairs);
    let bytes = 0;
    client.socket.removeAllListeners("data").on("data", (text: string) => {
      bytes += text.length;
    });
    client.socket.resume();
    await Promise.all([sending, client.closed()]);
    expect(heard).toEqual(Array.from({ length: 2 * pairs }, (_, i) => (i % 2 === 0 ? "LIST" : "POST")));
    expect(bytes).toBeGreaterThan(2 * pairs * big.length);
  });

  it("a body made of methods costs no more pieces than any other, and the next request is found", async () => {
    const words = 200_000;
    let pieces = 0;
    let size = 0;
    const handler: Handler = (message, response) => {
      // Nobody reads for a while: the socket is stopped and started in the middle of the body.
      setTimeout(() => {
        message.on("data", (bytes: Buffer) => {
          pieces++;
          size += bytes.length;
        });
      }, 20);
      message.on("end", () => response.end(`[${message.method}]`));
    };
    const { connect } = await start({ secure, handler });
    const client = await connect();
    const head = `POST / HTTP/1.1\r\n${host}Content-Length: ${words * 5}\r\n\r\n`;
    await client.send(`${head}${"LIST ".repeat(words)}SCAN / HTTP/1.1\r\n${host}\r\n`);
    await client.until("[SCAN]");
    expect(size).toBe(words * 5);
    expect(pieces).toBeLessThan(words / 100);
    client.destroy();
  });

  it("a chunked body made of methods is cut into few pieces too", async () => {
    const words = 200_000;
    let pieces = 0;
    const handler: Handler = (message, response) => {
      message.on("data", () => pieces++).on("end", () => response.end(`[${message.method}]`));
    };
    const { connect } = await start({ secure, handler });
    const client = await connect();
    const head = `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
    await client.send(`${head}${(words * 5).toString(16)}\r\n${"LIST ".repeat(words)}\r\n0\r\n\r\n`);
    await client.until("[POST]");
    expect(pieces).toBeLessThan(words / 20);
    await client.send(`LIST / HTTP/1.1\r\n${host}\r\n`);
    await client.until("[LIST]");
    client.destroy();
  });

  it("an idle connection that has listed is closed with the server", async () => {
    const { connect, server } = await start({ secure });
    const client = await connect();
    await client.send(`LIST /x HTTP/1.1\r\n${host}\r\n`);
    await client.until("[LIST /x ]");
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    await client.closed();
  });

  it("parsers that served such a connection serve others as before", async () => {
    const ours = await start({ secure });
    const plain = await start({ secure, untouched: true });
    for (let i = 0; i < 10; i++) {
      const client = await ours.connect();
      await client.send(`LIST /x HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
      expect(await client.closed()).toContain("[LIST /x ]");
      const other = await plain.connect();
      await other.send(`POST /x HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\nL`);
      await other.until("[POST /x L]");
      await other.send(`LIST /x HTTP/1.1\r\n${host}\r\n`);
      await other.closed();
      expect(other.statuses).toEqual([200, 400]);
    }
  });

  it("the self-test at start-up passes", async () => {
    await checkListMethod(secure);
  });
});

it("the client's address is still known", async () => {
  const handler: Handler = ({ socket }, response) => {
    response.end(`[${socket.remoteAddress} ${socket.remotePort}]`);
  };
  const { connect } = await start({ secure: false, handler });
  const client = await connect();
  await client.send(`LIST / HTTP/1.1\r\n${host}\r\n`);
  await client.until(`[127.0.0.1 ${client.socket.localPort}]`);
  client.destroy();
});

describe.skipIf(!certificates)("with certificates", () => {
  it("the client's address and certificate are still known", async () => {
    const handler: Handler = (message, response) => {
      const socket = message.socket as TLSSocket;
      response.end(`[${message.method} ${socket.remoteAddress} ${socket.getPeerX509Certificate()?.subject}]`);
    };
    const { port } = await start({ secure: true, handler });
    const { client } = certificates!;
    const raw = await RawClient.connect({ port, tls: { ...trust, ...client, ALPNProtocols: ["http/1.1"] } });
    await raw.send(`LIST / HTTP/1.1\r\n${host}\r\n`);
    await raw.until("[LIST 127.0.0.1 CN=client]");
    raw.destroy();
  });

  it("HTTP/2 on the same port takes LIST and SCAN as they are", async () => {
    const { port, heard } = await start({ secure: true });
    const session = connectHttp2(`https://localhost:${port}`, trust);
    for (const method of ["LIST", "SCAN"]) {
      const stream = session.request({ ":method": method, ":path": "/" });
      await stream.end().toArray();
    }
    session.close();
    expect(heard).toEqual(["LIST / ", "SCAN / "]);
  });
});
