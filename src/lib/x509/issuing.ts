/** Which certificate signed which. */
import type { Certificate } from "./certificate.ts";
import { comparable, isSameName } from "./name.ts";
import { isSignatureOf, type Signed } from "./signed.ts";
import { X509Error } from "./x509-error.ts";

/** By names, key identifiers where both have them, and the signature. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  const wanted = certificate.extensions.authorityKeyId;
  const offered = issuer.extensions.subjectKeyId;
  return (
    isSameName(certificate.issuer.der, issuer.subject.der) &&
    (!wanted || !offered || Buffer.compare(wanted, offered) === 0) &&
    isSignedWithKeyOf(certificate, issuer)
  );
}

/** The signature alone, of anything that is signed; false for keys of unsupported kinds. */
export function isSignedWithKeyOf(signed: Signed, issuer: Certificate): boolean {
  try {
    return isSignatureOf(signed, issuer.publicKey);
  } catch (error) {
    if (error instanceof X509Error) return false;
    throw error;
  }
}

/** Issuer and subject are the same name; the key need not be. */
export const isSelfIssued = ({ issuer, subject }: Certificate): boolean => isSameName(issuer.der, subject.der);

/** Verifies under its own key. */
export const isSelfSigned = (certificate: Certificate): boolean => isIssuedBy(certificate, certificate);

/**
 * The chain of each certificate among `authorities`: itself, then its parents (self-signed ones first), each followed by its own
 * chain, without duplicates. Keys are positions in `authorities`.
 */
export function chainsOf(authorities: readonly Certificate[]): number[][] {
  const parents = parentsOf(authorities);
  return authorities.map((_, start) => {
    const chain: number[] = [];
    const visit = (index: number): void => {
      if (chain.includes(index)) return;
      chain.push(index);
      for (const parent of parents[index]!) visit(parent);
    };
    visit(start);
    return chain;
  });
}

function parentsOf(authorities: readonly Certificate[]): number[][] {
  const bySubject = Map.groupBy(authorities.keys(), (index) => comparable(authorities[index]!.subject));
  const parents = authorities.map((child) =>
    (bySubject.get(comparable(child.issuer)) ?? []).filter((index) => isIssuedBy(child, authorities[index]!)),
  );
  const isRoot = (index: number) => parents[index]!.includes(index);
  return parents.map((list) => [...list.filter(isRoot), ...list.filter((index) => !isRoot(index))]);
}
