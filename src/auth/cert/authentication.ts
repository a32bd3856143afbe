/** Finds out whom a client's certificate makes its holder. */
import { invalidRequest } from "../../api/errors.ts";
import { type Certificate, parseCertificate } from "./certificate.ts";
import { ChainSearch, isCurrent, isForClients, isSame, mostPresented, type Presented } from "./chain.ts";
import { type Entry, meets, type TrustedEntry } from "./entry.ts";
import type { CertServices } from "./services.ts";

export interface Authenticated {
  readonly entry: Entry;
  readonly certificate: Certificate;
}

/** `name` limits the search to one entry, if it is not empty. */
export async function authenticate(
  { entries, crls }: CertServices,
  chain: readonly Uint8Array[],
  name: string,
  now: Date,
): Promise<Authenticated> {
  const presented = readPresented(chain, now);
  const named = name === "" ? await entries.all() : [await entries.find(name)];
  const search = new ChainSearch(presented, now);
  let isTrusted = false;
  for (const { entry, certificates } of singlesFirst(named, presented.leaf)) {
    const found = search.to(certificates);
    if (!found) continue;
    isTrusted = true;
    if (!meets(presented.leaf, entry) || (await crls.isRevoked(found.map(({ serial }) => serial)))) continue;
    return { entry, certificate: presented.leaf };
  }
  throw invalidRequest(
    isTrusted
      ? "no chain matching all constraints could be found for this login certificate"
      : "invalid certificate or no client certificate supplied",
  );
}

/** An entry for just this certificate comes before those of authorities. */
function singlesFirst(found: readonly (TrustedEntry | undefined)[], leaf: Certificate): TrustedEntry[] {
  const entries = found.filter((entry) => entry !== undefined);
  const isSingle = ({ certificates }: TrustedEntry) => certificates.some((certificate) => isSame(certificate, leaf));
  return [...entries.filter(isSingle), ...entries.filter((entry) => !isSingle(entry))];
}

function readPresented(chain: readonly Uint8Array[], now: Date): Presented {
  if (chain.length === 0) throw invalidRequest("client certificate must be supplied");
  const [leaf, ...others] = chain.slice(0, mostPresented).map(readCertificate);
  if (!leaf) throw unverified("it cannot be read");
  const { validFromDate, validToDate } = leaf.x509;
  if (!isCurrent(leaf, now)) {
    throw unverified(`it is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}`);
  }
  if (!isForClients(leaf)) throw unverified("its extended key usage does not include client authentication");
  return { leaf, others: others.filter((other) => other !== undefined) };
}

function readCertificate(der: Uint8Array): Certificate | undefined {
  try {
    return parseCertificate(der);
  } catch {
    return undefined;
  }
}

const unverified = (reason: string) => invalidRequest(`failed to verify client's certificate: ${reason}`);
