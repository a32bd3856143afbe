/** Small servers for the client's tests, closed after each test. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { Client, type ClientSettings } from "./client.ts";

const running: { close(): unknown; closeAllConnections(): void }[] = [];
const clients: Client[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

export async function listening(server: Server, at: string | number = 0): Promise<string> {
  running.push(server);
  await new Promise<void>((resolve) => {
    if (typeof at === "string") server.listen(at, resolve);
    else server.listen(at, "127.0.0.1", resolve);
  });
  return typeof at === "string" ? `unix://${at}` : `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const serve = async (listener: RequestListener): Promise<string> =>
  `http://${await listening(createServer(listener))}`;

export function clientFor(address: string, settings: Partial<ClientSettings> = {}): Client {
  const client = new Client({ address, pause: async () => undefined, ...settings });
  clients.push(client);
  return client;
}

export const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error("it worked"),
    (error) => error,
  );

/** An address where nobody listens any more. */
export async function deserted(): Promise<string> {
  const address = await serve(() => undefined);
  const server = running.pop() as Server;
  await new Promise((resolve) => server.close(resolve));
  return address;
}
