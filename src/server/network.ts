/** The network as engines see it: look-ups by the system's resolver or a named one, and plain connections. */
import type { CaaRecord } from "node:dns";
import { Resolver as NodeResolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect as connectSocket, isIP, type Socket } from "node:net";
import { type AuthorityRecord, LookupError, type Network, type Resolver, type Target } from "../api/network.ts";

const lookupMs = 5000;
const tries = 2;

/** Codes of a name that does not exist, or has no record of that kind. */
const nothingThere = new Set(["ENOTFOUND", "ENODATA"]);

export const network: Network = {
  resolver: (server) => (server === undefined ? systemResolver : namedResolver(server)),
  connect,
};

/**
 * The machine's own file of hosts, then its DNS. Not the library of the system, which would do the same: it blocks a thread of the
 * few that there are for as long as a stranger's name server takes.
 */
const systemResolver: Resolver = {
  ...recordsOf(undefined),
  async addresses(name, signal) {
    const own = hostAddresses(name, await readFile("/etc/hosts", "utf8").catch(() => ""));
    return own.length > 0 ? own : recordsOf(undefined).addresses(name, signal);
  },
};

const namedResolver = (server: string): Resolver => recordsOf(server);

/** What a file of hosts says of a name. */
export function hostAddresses(name: string, file: string): string[] {
  const wanted = name.toLowerCase();
  return file.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((each) => each.toLowerCase() === wanted) ? [address] : [];
  });
}

function recordsOf(server: string | undefined): Resolver {
  return {
    async addresses(name, signal) {
      const ask = askerOf(server, signal);
      const families = await Promise.all([
        found(name, signal, () => ask.resolve4(name)),
        found(name, signal, () => ask.resolve6(name)),
      ]);
      return families.flat();
    },
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
  // For as long as it lives: an error that nobody listens to would end the process.
  socket.on("error", reject);
  socket.once("connect", () => resolve(socket));
  return promise;
}
