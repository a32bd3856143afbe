import { createHash, generateKeyPairSync } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { AcmeSolver } from "../../../../../test/support/acme-solver.ts";
import { subjectAltName } from "../../../../lib/x509/alternative-names.ts";
import { buildCertificate } from "../../../../lib/x509/certificate.ts";
import { extension } from "../../../../lib/x509/extension.ts";
import { publicKeyOf } from "../../../../lib/x509/key.ts";
import { encodeSubject } from "../../../../lib/x509/name.ts";
import { pemText } from "../../../../lib/x509/pem.ts";
import { signerWith } from "../../../../lib/x509/signature.ts";
import { usualSettings } from "../settings.ts";
import type { Proof } from "./proof.ts";
import { validateTlsAlpn } from "./tls-alpn-01.ts";

const solver = new AcmeSolver();
solver.addresses.set("a.test", ["10.0.0.1"]);
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const right = createHash("sha256").update("token.print").digest();

interface Shown {
  readonly names?: string[];
  readonly digest?: Buffer;
  readonly isCritical?: boolean;
  readonly isSelfSigned?: boolean;
  readonly protocols?: string[];
  readonly hasExtension?: boolean;
}

let server: Server | undefined;
afterEach(() => server?.close());

async function show(shown: Shown): Promise<void> {
  const { names = ["a.test"], digest = right, isCritical = true, isSelfSigned = true, hasExtension = true } = shown;
  const name = encodeSubject({ commonName: "proof" });
  const identifier = extension("1.3.6.1.5.5.7.1.31", isCritical, Buffer.concat([Buffer.of(4, digest.length), digest]));
  const der = buildCertificate(
    {
      serial: 1n,
      issuer: name,
      subject: name,
      notBefore: new Date("2020-01-01"),
      notAfter: new Date("2040-01-01"),
      publicKey: publicKeyOf(privateKey).spki,
      extensions: [subjectAltName({ dnsNames: names }), ...(hasExtension ? [identifier] : [])],
    },
    signerWith(isSelfSigned ? privateKey : other),
  );
  server = createServer({
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: pemText("CERTIFICATE", der),
    ALPNProtocols: shown.protocols ?? ["acme-tls/1"],
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((ready) => server!.listen(0, "127.0.0.1", ready));
  solver.ports.set(443, (server.address() as AddressInfo).port);
}

const proof = (): Proof => ({
  identifier: { type: "dns", value: "a.test" },
  token: "token",
  thumbprint: "print",
  settings: usualSettings,
  network: solver.network,
  signal: AbortSignal.timeout(2000),
});

test("a certificate for the name with the digest is proof", async () => {
  await show({});
  await validateTlsAlpn(proof());
  await show({ names: ["A.test"] });
  await validateTlsAlpn(proof());
});

test.each<[what: string, shown: Shown, type: string, words: string]>([
  ["another digest", { digest: Buffer.alloc(32) }, "incorrectResponse", "another challenge"],
  ["a short digest", { digest: right.subarray(1) }, "incorrectResponse", "another challenge"],
  ["another name", { names: ["b.test"] }, "incorrectResponse", "other names"],
  ["two names", { names: ["a.test", "b.test"] }, "incorrectResponse", "other names"],
  ["an extension that is not critical", { isCritical: false }, "incorrectResponse", "without a critical"],
  ["no extension", { hasExtension: false }, "incorrectResponse", "without a critical"],
  ["another's signature", { isSelfSigned: false }, "incorrectResponse", "not self-signed"],
  ["another protocol", { protocols: ["h2"] }, "tls", "handshake"],
])("%s is none", async (_, shown, type, words) => {
  await show(shown);
  await expect(validateTlsAlpn(proof())).rejects.toMatchObject({ type, message: expect.stringContaining(words) });
});

test("a server that is not there is said", async () => {
  solver.ports.delete(443);
  await expect(validateTlsAlpn(proof())).rejects.toMatchObject({ type: "connection" });
});
