/** The floor: `node:http` with nothing behind it, answering what a small JSON answer of ours weighs. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const body = `${JSON.stringify({ request_id: "0".repeat(36), data: { text: "x".repeat(440) } })}\n`;
const headers = { "content-type": "application/json", "cache-control": "no-store", "content-length": body.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
