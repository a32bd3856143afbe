/** Which addresses a name has that may be connected to; and the connection to exactly those, so that no second look-up can differ. */
import type { Socket } from "node:net";
import { isIP } from "node:net";
import { LookupError, type Resolver } from "../../../../api/network.ts";
import { containedInAny, parseCidr } from "../../../../lib/cidr.ts";
import { Problem } from "../problem.ts";
import type { Proof } from "./proof.ts";

const mostAddresses = 4;
/** One address that does not answer must not use up the time of the others. */
const connectMs = 4000;

export const resolverOf = ({ network, settings }: Pick<Proof, "network" | "settings">): Resolver =>
  network.resolver(settings.dns_resolver === "" ? undefined : settings.dns_resolver);

/** Connects to the first address of a host that answers. */
export async function connectTo(host: string, port: number, proof: Proof): Promise<Socket> {
  const addresses = await allowedAddresses(host, proof);
  let failure = "";
  for (const address of addresses.slice(0, mostAddresses)) {
    try {
      const signal = AbortSignal.any([proof.signal, AbortSignal.timeout(connectMs)]);
      return await proof.network.connect({ address, port, signal });
    } catch (error) {
      const { code = "no answer" } = error as NodeJS.ErrnoException;
      failure = code === "ABORT_ERR" ? "no answer in time" : code;
    }
  }
  throw new Problem("connection", `connecting to ${host} on port ${port} failed: ${failure}`);
}

async function allowedAddresses(host: string, proof: Proof): Promise<readonly string[]> {
  const found = isIP(host) === 0 ? await lookUp(host, proof) : [host];
  if (found.length === 0) throw new Problem("dns", `the name ${host} has no address`);
  const { validation_allowed_cidrs: allowed, validation_denied_cidrs: denied } = proof.settings;
  const [inside, outside] = [allowed.map(parseCidr), denied.map(parseCidr)];
  const good = found.filter(
    (address) => (inside.length === 0 || containedInAny(inside, address)) && !containedInAny(outside, address),
  );
  if (good.length === 0) {
    throw new Problem("connection", `${host} has no address that challenges of this mount may connect to`);
  }
  return good;
}

const lookUp = (host: string, proof: Proof): Promise<readonly string[]> =>
  asking(() => resolverOf(proof).addresses(host, proof.signal));

export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LookupError) throw new Problem("dns", error.message);
    throw error;
  }
}
