/** The ceiling of the load generator: a socket that answers every chunk with the same bytes, and reads nothing. */
import { type AddressInfo, createServer } from "node:net";

const body = "x".repeat(500);
const answer = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("data", () => socket.write(answer));
  socket.on("error", () => socket.destroy());
});
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
