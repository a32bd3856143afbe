/** Finds a chain from a client's certificate to one that is trusted, and checks every link of it. RFC 5280, section 6. */
import { type Element, membersOf, objectIdentifierOf } from "../../lib/der/reader.ts";
import { type Certificate, oids } from "./certificate.ts";

const clientAuthentication = "1.3.6.1.5.5.7.3.2";
const anyUsage = "2.5.29.37.0";

/** Certificates that a client may present, the length of a chain, and signatures that one login may cost. */
export const mostPresented = 10;
const longestChain = 8;
const mostSignatures = 40;

/** Extensions whose meaning is obeyed here, or changes nothing here. Name constraints are not among them. */
const understood: ReadonlySet<string> = new Set([
  oids.subjectKeyId,
  oids.keyUsage,
  oids.subjectAltName,
  oids.basicConstraints,
  oids.certificatePolicies,
  oids.authorityKeyId,
  oids.extendedKeyUsage,
]);

export interface Presented {
  readonly leaf: Certificate;
  /** Whatever else the client sent along. */
  readonly others: readonly Certificate[];
}

export class ChainSearch {
  readonly #presented: Presented;
  readonly #now: Date;
  #signatures = 0;

  constructor(presented: Presented, now: Date) {
    this.#presented = presented;
    this.#now = now;
  }

  /** From the client's certificate to one of these; undefined if there is no sound way. */
  to(trusted: readonly Certificate[]): readonly Certificate[] | undefined {
    const { leaf } = this.#presented;
    if (trusted.some((certificate) => isSame(certificate, leaf))) return isUsable(leaf, this.#now) ? [leaf] : undefined;
    return this.#extend([leaf], trusted);
  }

  #extend(chain: readonly Certificate[], trusted: readonly Certificate[]): readonly Certificate[] | undefined {
    const last = chain.at(-1)!;
    if (chain.length >= longestChain || !isUsable(last, this.#now)) return undefined;
    for (const anchor of trusted) {
      if (isUsable(anchor, this.#now) && this.#isIssuer(anchor, chain)) return [...chain, anchor];
    }
    for (const other of this.#presented.others) {
      if (chain.some((link) => isSame(link, other)) || !this.#isIssuer(other, chain)) continue;
      const found = this.#extend([...chain, other], trusted);
      if (found) return found;
    }
    return undefined;
  }

  /** The signature comes last: everything else is cheaper, and clients choose what they present. */
  #isIssuer(issuer: Certificate, chain: readonly Certificate[]): boolean {
    const subject = chain.at(-1)!;
    if (!issuer.isAuthority || !hasRoomFor(chain, issuer)) return false;
    if (!subject.x509.checkIssued(issuer.x509) || !isStrong(subject.signatureAlgorithm)) return false;
    this.#signatures += 1;
    if (this.#signatures > mostSignatures) return false;
    try {
      return subject.x509.verify(issuer.x509.publicKey);
    } catch {
      // A key of a kind that is not known here.
      return false;
    }
  }
}

export const isSame = (a: Certificate, b: Certificate): boolean => Buffer.compare(a.der, b.der) === 0;

export const isCurrent = ({ x509 }: Certificate, now: Date): boolean =>
  x509.validFromDate <= now && now <= x509.validToDate;

/** Also of authorities: one that vouches for servers only cannot vouch for clients. */
export const isForClients = ({ usages }: Certificate): boolean =>
  usages === undefined || usages.includes(clientAuthentication) || usages.includes(anyUsage);

const isUsable = (certificate: Certificate, now: Date): boolean =>
  isCurrent(certificate, now) && isForClients(certificate) && isUnderstood(certificate);

function isUnderstood({ extensions }: Certificate): boolean {
  // Not obeyed, so whoever is bound by them is not believed, critical or not.
  if (extensions.has(oids.nameConstraints)) return false;
  return [...extensions].every(([oid, { isCritical }]) => !isCritical || understood.has(oid));
}

/** Authorities between the issuer and the client count, but for those that only renewed their own keys. */
function hasRoomFor(chain: readonly Certificate[], { pathLength }: Certificate): boolean {
  if (pathLength === undefined) return true;
  return chain.slice(1).filter(({ isSelfIssued }) => !isSelfIssued).length <= pathLength;
}

/** By MD2, MD4, MD5 or SHA-1. */
const weakAlgorithms: ReadonlySet<string> = new Set([
  "1.2.840.113549.1.1.2",
  "1.2.840.113549.1.1.3",
  "1.2.840.113549.1.1.4",
  "1.2.840.113549.1.1.5",
  "1.2.840.10040.4.3",
  "1.2.840.10045.4.1",
  "1.3.14.3.2.29",
]);
const pss = "1.2.840.113549.1.1.10";
/** SHA-256, SHA-384 and SHA-512. */
const strongHashes = ["2.16.840.1.101.3.4.2.1", "2.16.840.1.101.3.4.2.2", "2.16.840.1.101.3.4.2.3"];

function isStrong(algorithm: Element): boolean {
  const [id, parameters] = membersOf(algorithm);
  const oid = objectIdentifierOf(id);
  return oid === pss ? strongHashes.includes(pssHash(parameters)) : !weakAlgorithms.has(oid);
}

/** The hash of RSASSA-PSS is SHA-1 where none is named. */
function pssHash(parameters: Element | undefined): string {
  const named = parameters && membersOf(parameters).find(({ tag }) => tag === 0xa0);
  if (!named) return "";
  const [id] = membersOf(membersOf({ ...named, tag: 0x30 })[0]);
  return objectIdentifierOf(id);
}
