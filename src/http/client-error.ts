/** Answers what node's HTTP/1.1 parser refuses, and what came too slowly, before there is a request to answer. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { transportError } from "./error-reply.ts";
import { dropFurtherInput } from "./list-method.ts";

/** How long a client that is being refused may take to read why. */
const patience = 1_000;

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Undefined for what is not HTTP at all, such as a failed TLS handshake: nothing that we say would be understood. */
export function refusalOf(error: { readonly code?: string }): Refusal | undefined {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, message: "the headers of the request are too large" };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, message: "the chunk extensions of the request are too large" };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, message: "the request did not arrive in time" };
    case "HPE_INVALID_METHOD":
      return { status: 400, message: "the request has a method that is not known" };
    default:
      return error.code?.startsWith("HPE_") ? { status: 400, message: "the request is not valid HTTP" } : undefined;
  }
}

/** Says why and hangs up, but leaves the client the time to hear it: closing at once would take the words back. */
export function refuse(socket: Socket, { status, message }: Refusal): void {
  dropFurtherInput(socket);
  const { headers, body } = transportError(status, message);
  const text = String(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
  const timer = setTimeout(() => socket.destroy(), patience);
  socket.once("close", () => clearTimeout(timer));
}
