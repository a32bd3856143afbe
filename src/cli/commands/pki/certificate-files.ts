/** Writes a certificate and what belongs to it as files, each whole or not at all. */
import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../../lib/json.ts";
import { parseCertificate } from "../../../lib/x509/certificate.ts";
import { subjectOf } from "../../../lib/x509/name.ts";
import { pemBlocksOf } from "../../../lib/x509/pem.ts";
import { CommandFailure, exitCodes, UsageError } from "../../failure.ts";
import { textFlag } from "../../flags.ts";

export const outputFolderFlags = {
  "out-dir": textFlag("Folder to write the files to; the private key is then not printed", { placeholder: "folder" }),
  "out-name": textFlag("What the names of the files begin with; the common name by default"),
};

export const filesDescription =
  "With -out-dir, files take the place of what is printed: NAME.key (the private key; nobody else may read it), " +
  "NAME.pem (the certificate), NAME-chain.pem (its issuers) and NAME-fullchain.pem (both), where files of the same " +
  "names are replaced.";

/** Whoever asks for files gets PEM. */
export function requirePem(data: JsonObject): void {
  const { format = "pem" } = data as { readonly format?: unknown };
  if (format !== "pem") throw new UsageError("with -out-dir the format is pem: leave format out");
}

export async function writeCertificateFiles(
  data: JsonObject,
  folder: string,
  wishedName: string | undefined,
): Promise<Record<string, unknown>> {
  const certificate = textOf(data["certificate"]);
  const chain = Array.isArray(data["ca_chain"]) ? data["ca_chain"].map(textOf).join("") : textOf(data["issuing_ca"]);
  const key = textOf(data["private_key"]);
  const base = join(folder, fileName(wishedName ?? commonNameOf(certificate) ?? String(data["serial_number"])));
  const files = {
    ...(key !== "" && { private_key_file: { name: `${base}.key`, text: key, mode: 0o600 } }),
    certificate_file: { name: `${base}.pem`, text: certificate, mode: 0o644 },
    ...(chain !== "" && { chain_file: { name: `${base}-chain.pem`, text: chain, mode: 0o644 } }),
    fullchain_file: { name: `${base}-fullchain.pem`, text: certificate + chain, mode: 0o644 },
  };
  try {
    await mkdir(folder, { recursive: true });
    for (const { name, text, mode } of Object.values(files)) await replaceFile(name, text, mode);
  } catch (error) {
    throw new CommandFailure(
      `The certificate ${data["serial_number"]} was issued, but its files cannot be written: ${(error as Error).message}`,
      exitCodes.local,
    );
  }
  const { serial_number, expiration } = data;
  return {
    serial_number,
    expiration,
    ...Object.fromEntries(Object.entries(files).map(([what, { name }]) => [what, name])),
  };
}

/** The mode of a file that is there already would stay, and a reader could see half of the new text. */
async function replaceFile(name: string, text: string, mode: number): Promise<void> {
  const draft = `${name}.${randomUUID()}`;
  await writeFile(draft, text, { mode, flag: "wx" });
  await rename(draft, name);
}

const textOf = (pem: unknown): string => {
  if (typeof pem !== "string" || pem === "") return "";
  return pem.endsWith("\n") ? pem : `${pem}\n`;
};

function commonNameOf(certificate: string): string | undefined {
  const der = pemBlocksOf(certificate, "CERTIFICATE")[0];
  const name = der && subjectOf(parseCertificate(der).subject).commonName;
  return name === "" ? undefined : name;
}

/** A name from a certificate must not lead to another folder, or hide. */
const fileName = (name: string): string => name.replace(/[^A-Za-z0-9._@-]/g, "_").replace(/^[.-]/, "_");
