/** What connections to SQL databases have in common. */

import { invalidRequest } from "../../../api/errors.ts";
import { duration, flag, integer, text, type Values, writeOnly } from "../../../api/fields.ts";
import type { PluginTools } from "../plugin.ts";
import { readAddress, type ServerAddress } from "./connection-url.ts";
import { readTls, tlsSettings } from "./tls-settings.ts";

export const sqlSettings = {
  connection_url: text("Where the database is; may hold {{username}}, {{name}} and {{password}}").default(""),
  username: text("Root user").default(""),
  password: writeOnly(text("Password of the root user").default("")),
  disable_escaping: flag("Put user name and password into connection_url as they are").default(false),
  max_open_connections: integer("Most connections at once, for each server process").default(4),
  max_idle_connections: integer("Most connections that are kept open while idle; 0 for as many as may be open").default(
    0,
  ),
  max_connection_lifetime: duration("Longest life of a connection; 0 for no end").default(0),
  ...tlsSettings,
  tls_ca: text("The same as ca_cert").default(""),
  tls_certificate: text("The same as client_cert").default(""),
  private_key: writeOnly(text("The same as client_key").default("")),
  tls_certificate_key: writeOnly(text("Certificate and key in one PEM").default("")),
  tls_skip_verify: flag("The same as insecure").default(false),
};

type SqlSettings = Values<typeof sqlSettings>;

export interface SqlServer {
  readonly address: ServerAddress;
  readonly tls: TlsOptions;
  /** Whether a setting of the connection asks for TLS. */
  readonly wantsTls: boolean;
  readonly width: number;
  readonly idle: number;
  readonly lifetimeSeconds: number;
}

export interface TlsOptions {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
}

const mostConnections = 1000;

export async function readSqlServer(settings: SqlSettings, tools: PluginTools): Promise<SqlServer> {
  const { connection_url, username, password, disable_escaping, max_open_connections, max_idle_connections } = settings;
  const width = max_open_connections <= 0 ? 4 : max_open_connections;
  if (width > mostConnections) throw invalidRequest(`max_open_connections is at most ${mostConnections}`);
  const address = readAddress(connection_url, { username, password, disableEscaping: disable_escaping });
  const both = settings.tls_certificate_key;
  const found = await readTls(
    {
      ...settings,
      ca_cert: settings.ca_cert || settings.tls_ca,
      client_cert: settings.client_cert || settings.tls_certificate || both,
      client_key: settings.client_key || settings.private_key || both,
      insecure: settings.insecure || settings.tls_skip_verify,
    },
    tools,
  );
  const { ca, cert, key, serverName, insecure = false } = found;
  return {
    address,
    tls: {
      ...(ca !== undefined && { ca: [ca].flat() as string[] }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
      rejectUnauthorized: !insecure,
    },
    wantsTls: ca !== undefined || cert !== undefined || serverName !== undefined || insecure,
    width,
    idle: max_idle_connections > 0 ? Math.min(max_idle_connections, width) : width,
    lifetimeSeconds: settings.max_connection_lifetime,
  };
}

/** `2006-01-02 15:04:05+0000`, five seconds after the lease, so that the lease ends first. */
export function expirationText(expires: Date): string {
  const text = new Date(expires.getTime() + 5000).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}+0000`;
}
