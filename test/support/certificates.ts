/** Certificates for tests, made by openssl: an authority, a server, and a client behind an intermediate authority. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  readonly authority: KeyPair;
  /** For `localhost` and `127.0.0.1`. */
  readonly server: KeyPair;
  /** Another one for the same names. */
  readonly renewed: KeyPair;
  /** `cert` has the client's own certificate, then the intermediate one. */
  readonly client: KeyPair;
  /** Nobody's authority signed it. */
  readonly stranger: KeyPair;
}

let made: Certificates | undefined;

/** Undefined, with a printed reason, where there is no openssl. */
export function makeCertificates(): Certificates | undefined {
  try {
    made ??= inFolder(makeAll);
  } catch (error) {
    console.warn(`skipped: tests with certificates need openssl (${(error as Error).message.split("\n", 1)[0]})`);
  }
  return made;
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function makeAll(folder: string): Certificates {
  const isAuthority = ["-addext", "basicConstraints=critical,CA:true"];
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const authority = make(folder, "authority", isAuthority);
  const intermediate = make(folder, "intermediate", isAuthority, authority);
  const client = make(folder, "client", [], intermediate);
  return {
    authority,
    server: make(folder, "server", names, authority),
    renewed: make(folder, "renewed", names, authority),
    client: { cert: client.cert + intermediate.cert, key: client.key },
    stranger: make(folder, "stranger", []),
  };
}

function make(folder: string, name: string, extensions: readonly string[], issuer?: KeyPair): KeyPair {
  const file = (suffix: string) => join(folder, `${name}.${suffix}`);
  const signed: string[] = [];
  if (issuer) {
    writeFileSync(file("issuer.pem"), issuer.cert + issuer.key);
    signed.push("-CA", file("issuer.pem"), "-CAkey", file("issuer.pem"));
  }
  // Without openssl's own configuration, which makes everything an authority.
  writeFileSync(file("cnf"), "[req]\ndistinguished_name=dn\n[dn]\n");
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file("key")];
  const subject = ["-subj", `/CN=${name}`, "-days", "2", "-out", file("cert")];
  execFileSync("openssl", ["req", "-x509", "-config", file("cnf"), ...newKey, ...subject, ...signed, ...extensions], {
    stdio: "pipe",
  });
  return { cert: readFileSync(file("cert"), "utf8"), key: readFileSync(file("key"), "utf8") };
}
