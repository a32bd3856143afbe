/** What certificates, revocation lists and OCSP answers cost, beside the bare signature that each of them needs. */
import { type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { sequence } from "../src/lib/der/writer.ts";
import { subjectAltName } from "../src/lib/x509/alternative-names.ts";
import { basicConstraints } from "../src/lib/x509/basic-constraints.ts";
import { buildCertificate, parseCertificate } from "../src/lib/x509/certificate.ts";
import { buildRequest, isRequestSigned, parseRequest } from "../src/lib/x509/certificate-request.ts";
import { generateKey, type KeyKind, keyIdOf, type PublicKey, publicKeyOf } from "../src/lib/x509/key.ts";
import { authorityKeyId, subjectKeyId } from "../src/lib/x509/key-identifier.ts";
import { extendedKeyUsage, extendedKeyUsages, keyUsage } from "../src/lib/x509/key-usage.ts";
import { encodeSubject } from "../src/lib/x509/name.ts";
import { buildOcspResponse } from "../src/lib/x509/ocsp-response.ts";
import { crlNumber } from "../src/lib/x509/revocation-extensions.ts";
import { buildRevocationList, parseRevocationList } from "../src/lib/x509/revocation-list.ts";
import { randomSerial } from "../src/lib/x509/serial-number.ts";
import { type Signer, signerWith } from "../src/lib/x509/signature.ts";

/** Best of several rounds, in processor time: the machine may have other things to do. */
function measure(name: string, work: () => unknown, rounds: number): void {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6; attempt++) {
    const start = process.cpuUsage();
    for (let round = 0; round < rounds; round++) work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / rounds);
  }
  console.log(
    `  ${name.padEnd(36)} ${best.toFixed(1).padStart(8)} µs   ${Math.round(1e6 / best)
      .toString()
      .padStart(7)} /s`,
  );
}

interface Authority {
  readonly key: KeyObject;
  readonly publicKey: PublicKey;
  readonly name: Uint8Array;
  readonly signer: Signer;
}

async function authorityOf(kind: KeyKind): Promise<Authority> {
  const key = await generateKey(kind);
  const name = encodeSubject({ commonName: "Example Intermediate CA", organization: ["Example"], country: ["DE"] });
  return { key, publicKey: publicKeyOf(key), name, signer: signerWith(key) };
}

const notBefore = new Date("2026-01-01T00:00:00Z");
const notAfter = new Date("2026-02-01T00:00:00Z");
const leaf = publicKeyOf(await generateKey({ type: "ec", bits: 256 }));

/** What does not change from leaf to leaf is encoded once, as an issuer would keep it. */
function leafBuilder({ publicKey, name, signer }: Authority): () => Uint8Array {
  const constant = [
    keyUsage(["DigitalSignature"]),
    extendedKeyUsage([extendedKeyUsages.ServerAuth, extendedKeyUsages.ClientAuth]),
    basicConstraints({ isAuthority: false }),
    authorityKeyId(keyIdOf(publicKey)),
  ];
  return () =>
    buildCertificate(
      {
        serial: randomSerial(randomBytes),
        issuer: name,
        subject: encodeSubject({ commonName: "web.example.com" }),
        notBefore,
        notAfter,
        publicKey: leaf.spki,
        extensions: [...constant, subjectKeyId(keyIdOf(leaf)), subjectAltName({ dnsNames: ["web.example.com"] })],
      },
      signer,
    );
}

async function measureKind(title: string, kind: KeyKind, rounds: number): Promise<void> {
  const authority = await authorityOf(kind);
  const { key, signer, name, publicKey } = authority;
  const build = leafBuilder(authority);
  const der = build();
  const request = buildRequest(
    { subject: name, publicKey: publicKey.spki, extensions: [subjectAltName({ dnsNames: ["web.example.com"] })] },
    signer,
  );
  const { hash } = signer.algorithm;
  const certificate = { der: sequence(), hash: "sha1", issuerNameHash: der, issuerKeyHash: der, serial: 1n } as const;
  const answers = [{ certificate, status: "good", thisUpdate: notBefore, nextUpdate: notAfter }] as const;
  console.log(title);
  measure("bare signature", () => sign(hash ?? null, der, key), rounds);
  measure("certificate, built and signed", build, rounds);
  measure(
    "OCSP answer",
    () => buildOcspResponse({ responder: { name }, producedAt: notBefore, answers }, signer),
    rounds,
  );
  measure("request, read and verified", () => isRequestSigned(parseRequest(request)), rounds);
  measure("certificate, read", () => parseCertificate(der), rounds);
  measure("certificate, read by node", () => new X509Certificate(der), rounds);
}

/** The longest that this thread computes without a pause for others, in processor time. */
class TurnWatch {
  #isStopped = false;
  readonly #longest = this.#run();

  async #run(): Promise<number> {
    let longest = 0;
    while (!this.#isStopped) {
      const start = process.threadCpuUsage();
      await setImmediate();
      const { user, system } = process.threadCpuUsage(start);
      longest = Math.max(longest, (user + system) / 1000);
    }
    return longest;
  }

  stop(): Promise<number> {
    this.#isStopped = true;
    return this.#longest;
  }
}

async function measureLists(): Promise<void> {
  const { name, publicKey, signer } = await authorityOf({ type: "ec", bits: 256 });
  console.log("revocation list of 100,000 entries");
  const entries = Array.from({ length: 100_000 }, (_, index) => ({
    serial: randomSerial(randomBytes),
    revokedAt: new Date(notBefore.getTime() + index * 1000),
    reason: index % 3,
  }));
  const extensions = [authorityKeyId(keyIdOf(publicKey)), crlNumber(7n)];
  for (let attempt = 0; attempt < 4; attempt++) {
    const watch = new TurnWatch();
    const start = performance.now();
    const der = await buildRevocationList(
      { issuer: name, thisUpdate: notBefore, nextUpdate: notAfter, extensions, entries },
      signer,
    );
    const built = performance.now() - start;
    const longest = await watch.stop();
    const again = performance.now();
    const count = [...parseRevocationList(der).entries()].length;
    const read = performance.now() - again;
    console.log(
      `  built in ${built.toFixed(0)} ms, longest turn ${longest.toFixed(1)} ms; ${count} read in ${read.toFixed(0)} ms; ${(der.length / 1e6).toFixed(1)} MB`,
    );
  }
}

await measureKind("EC P-256", { type: "ec", bits: 256 }, 3000);
await measureKind("Ed25519", { type: "ed25519", bits: 0 }, 3000);
await measureKind("RSA 2048", { type: "rsa", bits: 2048 }, 500);
await measureKind("ML-DSA-65", { type: "ml-dsa", bits: 65 }, 300);
await measureLists();
