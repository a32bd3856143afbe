/** What a starting server tells the person at the terminal. */
import type { AddressInfo } from "node:net";
import type { ServerConfig } from "../config/server-config.ts";
import type { Prepared } from "../server/development.ts";

export interface Serving {
  readonly version: string;
  readonly workers: number;
  /** Of the listeners, in the order of the configuration. */
  readonly addresses: readonly AddressInfo[];
}

export function serverBanner(config: ServerConfig, { version, workers, addresses }: Serving): string {
  const rows = [
    ["Version", `Strongroom v${version}`],
    ["Storage", config.storage.type],
    ["Seal", config.seal.type],
    ["Workers", String(workers)],
    ...config.listeners.map((listener, index) => [
      `Listener ${index + 1}`,
      `${urlOf(addresses[index], listener.tls_disable)} (${listener.tls_disable ? "no TLS" : "TLS"})`,
    ]),
    ["Log level", config.log_level],
  ];
  const lines = rows.map(([name = "", value = ""]) => `${name.padStart(16)}: ${value}`);
  return `==> Strongroom server configuration:\n\n${lines.join("\n")}\n\n==> Strongroom server started! Log data will stream in below:\n\n`;
}

export function developmentBanner({ addresses }: Serving, prepared: Prepared, keyFile: string | undefined): string {
  const lines = [
    "WARNING! Development mode: no TLS, unsealed, and the root token is printed below.",
    keyFile === undefined
      ? "Everything is kept in memory and gone when the server stops."
      : `The key that unseals the data lies beside it in ${keyFile}: whoever has both has every secret.`,
    "Never use this for production.",
    "",
    "You may need to set this environment variable:",
    "",
    `    $ export STRONGROOM_ADDR='${urlOf(addresses[0], true)}'`,
    "",
    ...(prepared.unsealKey === undefined ? [] : [`Unseal Key: ${prepared.unsealKey}`]),
    `Root Token: ${prepared.rootToken}`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}

function urlOf(bound: AddressInfo | undefined, plain: boolean): string {
  const { address = "", port = 0, family = "" } = bound ?? {};
  return `${plain ? "http" : "https"}://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
