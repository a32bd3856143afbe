/** Finds out at start-up whether LIST and SCAN work on this version of node, rather than at a client's first list. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { acceptListAndScan } from "./list-method.ts";

const timeLimit = 5_000;

/** Cut where it hurts: inside a method, and with a body that looks like one. */
const conversation = [
  "LI",
  "ST /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nSCAN ",
  "LINK /3 HTTP/1.1\r\nHost: a\r\n\r\nSCAN /4?q=LIST HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
];
const understood = ["LIST /1", "POST /2 SCAN ", "LINK /3", "SCAN /4?q=LIST"];

const checks = new Map<boolean, Promise<void>>();

/** Throws a sentence for the operator. Looks once per process. */
export function checkListMethod(secure: boolean): Promise<void> {
  const check = checks.get(secure) ?? compare(secure);
  checks.set(secure, check);
  return check;
}

async function compare(secure: boolean): Promise<void> {
  const heard = await talk(secure);
  if (JSON.stringify(heard) === JSON.stringify(understood)) return;
  throw new Error(
    `node ${process.version} reads HTTP in another way than this server relies on, so that LIST and SCAN would not work; ` +
      `run it on the version that it comes with (it heard ${JSON.stringify(heard)})`,
  );
}

async function talk(secure: boolean): Promise<string[]> {
  const heard: string[] = [];
  const server = secure ? secureServer() : createServer();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const at = heard.push(`${request.method} ${request.url}`) - 1;
    request.setEncoding("latin1").on("data", (text: string) => {
      heard[at] += ` ${text}`;
    });
    request.on("end", () => response.end());
  });
  acceptListAndScan(server);
  // Exclusive: what a worker process says to itself, no other one must hear.
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen({ port: 0, host: "127.0.0.1", exclusive: true }, resolve),
  );
  const { port } = server.address() as AddressInfo;
  const socket = secure ? connectTls({ ...keyOnly, port, host: "127.0.0.1" }) : connect(port, "127.0.0.1");
  try {
    await say(socket, secure ? "secureConnect" : "connect");
  } finally {
    socket.destroy();
    server.close();
  }
  return heard;
}

function say(socket: Socket, ready: string): Promise<void> {
  return new Promise((resolve) => {
    const pieces = conversation.values();
    const next = () => {
      const { value, done } = pieces.next();
      if (done || socket.destroyed) return;
      socket.write(value, () => setImmediate(next));
    };
    socket.setNoDelay(true).once(ready, next);
    // Whatever goes wrong, what was heard until then tells it.
    socket.on("error", () => {}).on("close", () => resolve());
    socket.setTimeout(timeLimit, () => socket.destroy());
    socket.resume();
  });
}

/** TLS with a shared key in place of certificates, which do not exist yet. */
const keyOnly = {
  ciphers: "PSK-AES128-GCM-SHA256",
  maxVersion: "TLSv1.2" as const,
  pskCallback: () => ({ psk: Buffer.alloc(16, 1), identity: "check" }),
  checkServerIdentity: () => undefined,
};

const secureServer = (): Http2SecureServer =>
  createSecureServer({ ...keyOnly, pskCallback: () => Buffer.alloc(16, 1), allowHTTP1: true });
