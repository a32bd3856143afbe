/** A mounted authority for tests, the requests that clients bring, and openssl as the judge of what comes out. */
import { execFileSync, type StdioOptions } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, KernelCaller } from "../../../test/support/kernel-caller.ts";
import { ApiError } from "../../api/errors.ts";
import type { OperationName } from "../../api/path.ts";
import { subjectAltName } from "../../lib/x509/alternative-names.ts";
import { type Certificate, parseCertificate } from "../../lib/x509/certificate.ts";
import { buildRequest } from "../../lib/x509/certificate-request.ts";
import type { Extension } from "../../lib/x509/extension.ts";
import type { AlternativeNames } from "../../lib/x509/general-name.ts";
import { generateKey, type KeyKind, publicKeyOf } from "../../lib/x509/key.ts";
import { encodeSubject, type Subject } from "../../lib/x509/name.ts";
import { parsePem, pemText } from "../../lib/x509/pem.ts";
import { signerWith } from "../../lib/x509/signature.ts";
import { pki } from "./engine.ts";

export class TestAuthority {
  readonly server: KernelCaller;

  constructor(server = new KernelCaller([pki])) {
    this.server = server;
  }

  static async mounted(): Promise<TestAuthority> {
    const authority = new TestAuthority();
    await authority.server.initialize();
    await authority.server.call("write", "sys/mounts/pki", { type: "pki", config: { max_lease_ttl: "87600h" } });
    return authority;
  }

  /** With a root called `root`, on P-256 for speed. */
  static async withRoot(settings: object = {}): Promise<TestAuthority> {
    const authority = await TestAuthority.mounted();
    await authority.write("root/generate/internal", {
      common_name: "Example Root",
      key_type: "ec",
      ttl: "43800h",
      issuer_name: "root",
      ...settings,
    });
    return authority;
  }

  call(operation: OperationName, path: string, body: object = {}, token?: string): Promise<Answer> {
    return this.server.call(operation, `pki/${path}`, body, token);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async write(path: string, body: object = {}): Promise<any> {
    return (await this.call("write", path, body)).data;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async read(path: string, body: object = {}): Promise<any> {
    return (await this.call("read", path, body)).data;
  }

  /** Status and words of a refusal; fails where there is none. */
  async refusal(
    operation: OperationName,
    path: string,
    body: object = {},
  ): Promise<{ status: number; message: string }> {
    try {
      const { data } = await this.call(operation, path, body);
      throw new Error(`expected a refusal, and was given ${JSON.stringify(data)}`);
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, message: error.message };
      throw error;
    }
  }
}

export interface TestRequest {
  readonly csr: string;
  readonly key: KeyObject;
}

export async function request(
  subject: Subject,
  {
    names,
    kind = { type: "ec", bits: 256 },
    extensions = [],
  }: {
    names?: Partial<AlternativeNames>;
    kind?: KeyKind;
    extensions?: readonly Extension[];
  } = {},
): Promise<TestRequest> {
  const key = await generateKey(kind);
  const der = buildRequest(
    {
      subject: encodeSubject(subject),
      publicKey: publicKeyOf(key).spki,
      extensions: [...(names ? [subjectAltName(names)] : []), ...extensions],
    },
    signerWith(key),
  );
  return { csr: pemText("CERTIFICATE REQUEST", der), key };
}

export const certificateIn = (pem: string): Certificate => parseCertificate(parsePem(pem)[0]!.der);

/** Runs openssl in a folder with these files; answers what it says. Throws where it is not content. */
export function openssl(files: Files, ...options: string[]): string {
  return inFolder(files, (cwd) => execFileSync("openssl", options, { cwd, encoding: "utf8", stdio: piped }));
}

/** What openssl writes to the file `out`. */
export function opensslFile(files: Files, ...options: string[]): Buffer {
  return inFolder(files, (cwd) => {
    execFileSync("openssl", options, { cwd, stdio: piped });
    return readFileSync(join(cwd, "out"));
  });
}

type Files = Readonly<Record<string, string | Uint8Array>>;
const piped: StdioOptions = ["ignore", "pipe", "pipe"];

function inFolder<T>(files: Files, work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "pki-"));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws unless openssl, at its strictest, takes the certificate for one of the root's. */
export function verify(leaf: string, root: string, between: readonly string[] = [], at = Date.UTC(2030, 0, 1)): void {
  const files = { "leaf.pem": leaf, "root.pem": root, "between.pem": between.join("\n") };
  const untrusted = between.length > 0 ? ["-untrusted", "between.pem"] : [];
  const time = String(Math.floor(at / 1000));
  openssl(files, "verify", "-x509_strict", "-attime", time, "-CAfile", "root.pem", ...untrusted, "leaf.pem");
}
