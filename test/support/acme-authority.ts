/** An engine with ACME and just enough of an authority around it: two issuers, roles by name, certificates that are kept. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { Collection } from "../../src/api/collection.ts";
import { type AnyEngine, engine, type Storage } from "../../src/api/engine.ts";
import { invalidRequest } from "../../src/api/errors.ts";
import { acmeServices, type WithAcme } from "../../src/engines/pki/acme/acme.ts";
import type { Authority, AuthorityRole, Wish } from "../../src/engines/pki/acme/authority.ts";
import { acmeJobs } from "../../src/engines/pki/acme/jobs.ts";
import { acmePaths } from "../../src/engines/pki/acme/paths.ts";
import { subjectAltName } from "../../src/lib/x509/alternative-names.ts";
import { buildCertificate } from "../../src/lib/x509/certificate.ts";
import { authorityKeyId } from "../../src/lib/x509/key-identifier.ts";
import { encodeSubject } from "../../src/lib/x509/name.ts";
import { pemText } from "../../src/lib/x509/pem.ts";
import { randomSerial, serialText } from "../../src/lib/x509/serial-number.ts";
import { signerWith } from "../../src/lib/x509/signature.ts";

export const clusterPath = "https://ca.test/v1/pki";

interface Kept {
  readonly der: string;
  readonly revokedAt?: number;
}

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const issuerName = encodeSubject({ commonName: "test authority" });
const keyId = Buffer.from("test-authority-key-id");

/** Names below `web.test` for the role `web`; whatever is asked for `any`; nothing that ACME could use for `transient`. */
const roles: Readonly<Record<string, AuthorityRole>> = {
  web: { noStore: false, issuerRef: "second" },
  any: { noStore: false, issuerRef: "default" },
  transient: { noStore: true, issuerRef: "default" },
};

const issuers: Readonly<Record<string, string>> = { default: "first", first: "first", second: "second" };

export function authorityIn(storage: Storage): Authority {
  const certificates = new Collection<Kept>(storage, "certificate/");
  return {
    clusterPath: async () => ((await storage.get("no-cluster-path")) ? "" : clusterPath),
    role: async (name) => roles[name],
    async issuer(ref) {
      const id = issuers[ref];
      return ref === "keyless" ? { id: ref, canIssue: false } : id === undefined ? undefined : { id, canIssue: true };
    },
    refusal: async (role, { value }) =>
      role === "web" && !value.endsWith("web.test") ? `the role does not allow ${value}` : undefined,
    async issue(wish) {
      if (wish.request.publicKey.kind.type === "ed25519") throw invalidRequest("keys of this type are not allowed");
      const { serial, der } = sign(wish, privateKey);
      certificates.put(serial, { der: Buffer.from(der).toString("base64") });
      const leaf = `${pemText("CERTIFICATE", der)}\n`;
      return { serial, notAfter: endOf(wish), chains: [leaf + leaf, leaf] };
    },
    async certificate(serial) {
      const kept = await certificates.get(serial);
      return kept && { der: Buffer.from(kept.der, "base64"), revokedAt: kept.revokedAt };
    },
    async revoke(serial, _reason, now) {
      certificates.put(serial, { ...(await certificates.get(serial))!, revokedAt: now.getTime() });
    },
  };
}

const endOf = ({ now, maxSeconds, notAfter }: Wish) => notAfter ?? new Date(now.getTime() + maxSeconds * 1000);

function sign(wish: Wish, key: KeyObject): { serial: string; der: Uint8Array } {
  const serial = randomSerial((size) => crypto.getRandomValues(new Uint8Array(size)));
  const values = (type: string) => wish.identifiers.filter((each) => each.type === type).map(({ value }) => value);
  const names = { dnsNames: values("dns"), ips: values("ip") };
  const der = buildCertificate(
    {
      serial,
      issuer: issuerName,
      subject: encodeSubject({}),
      notBefore: wish.now,
      notAfter: endOf(wish),
      publicKey: wish.request.publicKey.spki,
      extensions: [subjectAltName(names, true), authorityKeyId(keyId)],
    },
    signerWith(createPrivateKey(key.export({ type: "pkcs8", format: "pem" }))),
  );
  return { serial: serialText(serial), der };
}

export const testAuthority: AnyEngine = engine<WithAcme>({
  type: "pki",
  kind: "secrets",
  summary: "ACME without the rest",
  paths: acmePaths,
  jobs: acmeJobs,
  services: ({ storage, host }) => ({ acme: acmeServices(storage, host, authorityIn(storage)) }),
});
