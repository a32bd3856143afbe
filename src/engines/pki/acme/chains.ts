/** The ways from an issuer up to roots: the first is what clients get, the others are offered as alternatives. */
import { isSameName } from "../../../lib/x509/name.ts";
import type { Issuer } from "../issuer.ts";

const mostChains = 8;
const longestChain = 10;

/** `twins` have the same name and key as the issuer, and perhaps another signature: cross-signed ones. */
export function chainsFrom(issuer: Issuer, twins: readonly Issuer[], known: readonly Issuer[]): Issuer[][] {
  const begin = [issuer, ...twins.filter(({ id }) => id !== issuer.id)];
  return begin.flatMap((each) => waysUp([each], known)).slice(0, mostChains);
}

function waysUp(way: readonly Issuer[], known: readonly Issuer[]): Issuer[][] {
  const last = way.at(-1)!;
  const parents = known.filter((each) => !way.includes(each) && isParent(each, last));
  if (last.isSelfSigned || parents.length === 0 || way.length >= longestChain) return [[...way]];
  const rootsFirst = parents.toSorted((a, b) => Number(b.isSelfSigned) - Number(a.isSelfSigned));
  return rootsFirst.flatMap((parent) => waysUp([...way, parent], known)).slice(0, mostChains);
}

/** All of these were verified when they came to the mount; what is left to tell is which belong together. */
function isParent({ certificate: parent }: Issuer, { certificate: child }: Issuer): boolean {
  const [wanted, own] = [child.extensions.authorityKeyId, parent.extensions.subjectKeyId];
  if (wanted && own && Buffer.compare(wanted, own) !== 0) return false;
  return isSameName(parent.subject.der, child.issuer.der);
}
