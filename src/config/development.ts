/** What `server -dev` begins with, before any configuration file. */
import { tmpdir } from "node:os";
import { parseListenAddress } from "./address.ts";
import type { ConfigSource } from "./server-config.ts";

export interface DevelopmentOptions {
  readonly address: string;
  /** Folder to keep data in; everything is in memory without it. */
  readonly storagePath?: string | undefined;
  /** File with the key that unseals the data. */
  readonly keyFile?: string | undefined;
}

export function developmentSource({ address, storagePath, keyFile }: DevelopmentOptions): ConfigSource {
  const settings = {
    ui: true,
    unsafe_allow_api_audit_creation: true,
    audit_folders: [tmpdir()],
    api_addr: clientUrl(address),
    listener: { tcp: { address, tls_disable: true } },
    storage: storagePath === undefined ? { inmem: {} } : { lmdb: { path: storagePath } },
    ...(keyFile !== undefined && {
      seal: { static: { current_key_id: "development", current_key: `file://${keyFile}` } },
    }),
  };
  return { file: "-dev", text: JSON.stringify(settings, null, 2), syntax: "json", isFlag: true };
}

/** None for a port that is not known yet, or an address that the listener will be refused for. */
function clientUrl(address: string): string {
  try {
    const { host, port } = parseListenAddress(address);
    return port === 0 ? "" : `http://${host === "" ? "127.0.0.1" : address.slice(0, address.lastIndexOf(":"))}:${port}`;
  } catch {
    return "";
  }
}
