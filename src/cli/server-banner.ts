/** What a starting server tells the person at the terminal. */
import type { ServerConfig } from "../config/server-config.ts";
import type { Prepared } from "../server/development.ts";
import type { RunningServer } from "../server/server.ts";

export function serverBanner(config: ServerConfig, server: RunningServer, version: string): string {
  const rows = [
    ["Version", `Strongroom v${version}`],
    ["Storage", config.storage.type],
    ["Seal", config.seal.type],
    ...config.listeners.map((listener, index) => [
      `Listener ${index + 1}`,
      `${urlOf(server, index, listener.tls_disable)} (${listener.tls_disable ? "no TLS" : "TLS"})`,
    ]),
    ["Log level", config.log_level],
  ];
  const lines = rows.map(([name = "", value = ""]) => `${name.padStart(16)}: ${value}`);
  return `==> Strongroom server configuration:\n\n${lines.join("\n")}\n\n==> Strongroom server started! Log data will stream in below:\n\n`;
}

export function developmentBanner(server: RunningServer, prepared: Prepared, keyFile: string | undefined): string {
  const lines = [
    "WARNING! Development mode: no TLS, unsealed, and the root token is printed below.",
    keyFile === undefined
      ? "Everything is kept in memory and gone when the server stops."
      : `The key that unseals the data lies beside it in ${keyFile}: whoever has both has every secret.`,
    "Never use this for production.",
    "",
    "You may need to set this environment variable:",
    "",
    `    $ export STRONGROOM_ADDR='${urlOf(server, 0, true)}'`,
    "",
    ...(prepared.unsealKey === undefined ? [] : [`Unseal Key: ${prepared.unsealKey}`]),
    `Root Token: ${prepared.rootToken}`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}

function urlOf({ listeners }: RunningServer, index: number, plain: boolean): string {
  const { address = "", port = 0, family = "" } = listeners[index]?.address ?? {};
  return `${plain ? "http" : "https"}://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
