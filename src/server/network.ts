/** The network as engines see it: look-ups by the system's resolver or a named one, and plain connections. */
import type { CaaRecord } from "node:dns";
import { lookup, Resolver as NodeResolver } from "node:dns/promises";
import { connect as connectSocket, type Socket } from "node:net";
import { type AuthorityRecord, LookupError, type Network, type Resolver, type Target } from "../api/network.ts";

const lookupMs = 5000;
const tries = 2;

/** Codes of a name that does not exist, or has no record of that kind. */
const nothingThere = new Set(["ENOTFOUND", "ENODATA"]);

export const network: Network = {
  resolver: (server) => (server === undefined ? systemResolver : namedResolver(server)),
  connect,
};

/** Names of hosts as every program on this machine finds them, its own file of hosts included. */
const systemResolver: Resolver = {
  ...recordsOf(undefined),
  addresses: (name, signal) =>
    found(name, signal, async () => (await lookup(name, { all: true })).map(({ address }) => address)),
};

const namedResolver = (server: string): Resolver => ({
  ...recordsOf(server),
  async addresses(name, signal) {
    const ask = askerOf(server, signal);
    const families = await Promise.all([
      found(name, signal, () => ask.resolve4(name)),
      found(name, signal, () => ask.resolve6(name)),
    ]);
    return families.flat();
  },
});

function recordsOf(server: string | undefined): Pick<Resolver, "texts" | "authorities"> {
  return {
    texts: (name, signal) =>
      found(name, signal, async () => (await askerOf(server, signal).resolveTxt(name)).map((parts) => parts.join(""))),
    authorities: (name, signal) =>
      found(name, signal, async () => (await askerOf(server, signal).resolveCaa(name)).map(authorityRecord)),
  };
}

function askerOf(server: string | undefined, signal: AbortSignal): NodeResolver {
  const resolver = new NodeResolver({ timeout: lookupMs, tries });
  if (server !== undefined) resolver.setServers([server]);
  signal.addEventListener("abort", () => resolver.cancel(), { once: true });
  return resolver;
}

/** Node gives the tag as the name of the member that holds the value. */
function authorityRecord({ critical, ...rest }: CaaRecord): AuthorityRecord {
  const [tag = "", value = ""] = Object.entries(rest).find(([name]) => name !== "type") ?? [];
  return { isCritical: (critical & 128) !== 0, tag: tag.toLowerCase(), value: String(value) };
}

async function found<T>(name: string, signal: AbortSignal, ask: () => Promise<T[]>): Promise<T[]> {
  try {
    signal.throwIfAborted();
    return await ask();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (nothingThere.has(code)) return [];
    throw new LookupError(`looking up ${name} failed: ${signal.aborted ? "no answer in time" : code || "no answer"}`);
  }
}

function connect({ address, port, signal }: Target): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectSocket({ host: address, port, signal });
  socket.once("error", reject);
  socket.once("connect", () => {
    socket.off("error", reject);
    resolve(socket);
  });
  return promise;
}
