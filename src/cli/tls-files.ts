/** Reads the certificates and keys that TLS flags and variables name. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TlsSettings } from "../client/transport.ts";
import { type Environment, environmentNames } from "./flags.ts";

interface TlsFlags {
  readonly "ca-cert": string | undefined;
  readonly "ca-path": string | undefined;
  readonly "client-cert": string | undefined;
  readonly "client-key": string | undefined;
  readonly "tls-server-name": string | undefined;
  readonly "tls-skip-verify": boolean;
}

export async function tlsSettings(flags: TlsFlags, environment: Environment): Promise<TlsSettings> {
  const certificate = flags["client-cert"];
  const key = flags["client-key"];
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Error("a client certificate and its key go together: give both -client-cert and -client-key");
  }
  return {
    authorities: await authorities(flags, environment),
    certificate: certificate === undefined ? undefined : await read(certificate, "client certificate"),
    key: key === undefined ? undefined : await read(key, "client key"),
    serverName: flags["tls-server-name"],
    skipVerify: flags["tls-skip-verify"],
  };
}

/** The text in the environment, a file, or every file of a folder: the first of them that is given. */
async function authorities(flags: TlsFlags, environment: Environment): Promise<string[]> {
  if (flags["ca-cert"] !== undefined) return [await read(flags["ca-cert"], "authority's certificate")];
  const text = environmentNames("CACERT_BYTES")
    .map((name) => environment[name])
    .find((value) => (value ?? "") !== "");
  if (text !== undefined) return [text];
  const folder = flags["ca-path"];
  if (folder === undefined) return [];
  const names = await readdir(folder).catch((error: Error) => {
    throw new Error(`the folder of authorities' certificates cannot be read: ${error.message}`);
  });
  const texts = await Promise.all(names.map((name) => read(join(folder, name), "authority's certificate")));
  return texts.filter((pem) => pem.includes("-----BEGIN CERTIFICATE-----"));
}

async function read(file: string, what: string): Promise<string> {
  return readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`the ${what} cannot be read: ${error.message}`);
  });
}
