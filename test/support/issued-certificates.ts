/** Certificates and revocation lists of any kind for tests, made by openssl. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Issued {
  readonly pem: string;
  readonly der: Uint8Array;
  readonly key: string;
}

export interface Wishes {
  /** As openssl writes it: `/CN=web/OU=ops`; `/` for an empty one. */
  readonly subject: string;
  /** As openssl writes them: `basicConstraints=critical,CA:true`. */
  readonly extensions?: readonly string[];
  /** Signs itself if there is none. */
  readonly issuer?: Issued;
  /** Instead of a new key. */
  readonly key?: string;
  readonly serial?: number;
  readonly digest?: string;
  /** Further words for openssl, such as how to sign. */
  readonly options?: readonly string[];
  /** Of a new key, as openssl writes it. */
  readonly keyKind?: readonly string[];
}

/** Undefined where there is openssl, else why tests with certificates are skipped. */
export const noOpenssl = ((): string | undefined => {
  try {
    execFileSync("openssl", ["version"], { stdio: "pipe" });
    return undefined;
  } catch {
    return "there is no openssl";
  }
})();

export const authority = ["basicConstraints=critical,CA:true"];
export const forClients = ["extendedKeyUsage=clientAuth"];

const ellipticKey = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
export const rsaKey = ["rsa:2048"];

export function issue(wishes: Wishes): Issued {
  const { subject, extensions = [], issuer, key, serial, digest = "sha256", options = [], keyKind } = wishes;
  return inFolder((file) => {
    // Without openssl's own configuration, which makes everything an authority.
    writeFileSync(file("cnf"), "[req]\ndistinguished_name=dn\n[dn]\n");
    const keyFile = file("key");
    if (key) writeFileSync(keyFile, key);
    const newKey = ["-newkey", ...(keyKind ?? ellipticKey), "-nodes", "-keyout", keyFile];
    const signer = issuer ? writeSigner(file("issuer"), issuer) : [];
    openssl([
      ...[
        "req",
        "-x509",
        "-utf8",
        "-config",
        file("cnf"),
        "-days",
        "30",
        `-${digest}`,
        "-subj",
        subject,
        "-out",
        file("cert"),
      ],
      ...(key ? ["-new", "-key", keyFile] : newKey),
      ...(serial ? ["-set_serial", String(serial)] : []),
      ...signer,
      ...extensions.flatMap((extension) => ["-addext", extension]),
      ...options,
    ]);
    const pem = readFileSync(file("cert"), "utf8");
    return { pem, der: derOf(pem), key: readFileSync(keyFile, "utf8") };
  });
}

/** A revocation list of an authority, in PEM, with these serial numbers. */
export function revoke(issuer: Issued, serials: readonly number[]): string {
  return inFolder((file) => {
    const line = (serial: number) =>
      `R\t491231235959Z\t240101000000Z\t${serial.toString(16).toUpperCase().padStart(8, "0")}\tunknown\t/CN=${serial}\n`;
    writeFileSync(file("index"), serials.map(line).join(""));
    writeFileSync(file("cnf"), `[ca]\ndefault_ca=own\n[own]\ndatabase=${file("index")}\ndefault_md=sha256\n`);
    writeFileSync(file("issuer"), issuer.pem + issuer.key);
    openssl([
      ...["ca", "-gencrl", "-config", file("cnf"), "-crldays", "30"],
      ...["-cert", file("issuer"), "-keyfile", file("issuer"), "-out", file("crl")],
    ]);
    return readFileSync(file("crl"), "utf8");
  });
}

export const derOf = (pem: string): Uint8Array => Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");

function writeSigner(file: string, { pem, key }: Issued): string[] {
  writeFileSync(file, pem + key);
  return ["-CA", file, "-CAkey", file];
}

const openssl = (words: readonly string[]) => execFileSync("openssl", words, { stdio: "pipe" });

function inFolder<T>(work: (file: (name: string) => string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "issued-"));
  try {
    return work((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
