/**
 * Answers as a search engine's security API does: recorded from Elasticsearch 8.19 and 6.8, and compared with the real ones
 * in the interop tests.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";

interface User {
  password: string;
  roles: string[];
  full_name?: string;
  email?: string;
  metadata: Record<string, unknown>;
  enabled: boolean;
}

export interface SearchEngineServer {
  readonly url: string;
  readonly users: Map<string, User>;
  /** Method and path of every request, in order. */
  readonly calls: string[];
  /** Bodies that came with them, by the same order. */
  readonly bodies: unknown[];
  /** The next requests answer so, before anything else is looked at. */
  readonly faults: Fault[];
  stop(): Promise<void>;
}

/** `hang` never answers; `drop` acts and closes without an answer; `refuse` closes before acting. */
export type Fault = "hang" | "drop" | "refuse" | { readonly status: number; readonly body?: unknown };

const prefixes = ["/_security", "/_xpack/security", "/_ext/security"];
const reserved = ["elastic", "kibana", "logstash_system"];
const bodyKeys = ["password", "roles", "full_name", "email", "metadata", "enabled", "password_hash", "refresh"];

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const failure = (status: number, type: string, reason: string): Reply => ({
  status,
  body: { error: { root_cause: [{ type, reason }], type, reason }, status },
});

const invalid = (problem: string) =>
  failure(400, "action_request_validation_exception", `Validation Failed: 1: ${problem};`);

export async function startSearchEngine(password = "changeme", tls?: ServerOptions): Promise<SearchEngineServer> {
  const users = new Map<string, User>([
    ["elastic", { password, roles: ["superuser"], metadata: { _reserved: true }, enabled: true }],
  ]);
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const faults: Fault[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await bodyOf(request);
    calls.push(`${request.method} ${request.url}`);
    bodies.push(parsed(text));
    const fault = faults.shift();
    if (fault === "hang") return;
    if (fault === "refuse") return void response.destroy();
    if (typeof fault === "object") return send(response, { status: fault.status, body: fault.body ?? {} });
    const reply = respond(request, text, users);
    if (fault === "drop") return void response.destroy();
    send(response, reply);
  };
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    users,
    calls,
    bodies,
    faults,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(request: IncomingMessage, text: string, users: Map<string, User>): Reply {
  const path = (request.url ?? "").split("?")[0]!;
  const caller = authenticated(request, users);
  if (typeof caller !== "string") return caller;
  const prefix = prefixes.find((known) => path.startsWith(`${known}/`));
  if (!prefix)
    return { status: 400, body: { error: `no handler found for uri [${path}] and method [${request.method}]` } };
  const mayManage = users.get(caller)!.roles.some((role) => role === "superuser" || role === "manager");
  const [kind, name, action] = path
    .slice(prefix.length + 1)
    .split("/")
    .map(decodeURIComponent);
  if (kind === "_authenticate")
    return { status: 200, body: { username: caller, roles: users.get(caller)!.roles, enabled: true } };
  if (!mayManage && !(action === "_password" && name === caller)) {
    const reason = `action [cluster:admin/xpack/security/user/put] is unauthorized for user [${caller}]`;
    return failure(403, "security_exception", reason);
  }
  if (kind === "role") return { status: 404, body: {} };
  if (kind !== "user" || name === undefined)
    return { status: 400, body: { error: `no handler found for uri [${path}]` } };
  return onUser(request, name, action, text, users);
}

function onUser(
  request: IncomingMessage,
  name: string,
  action: string | undefined,
  text: string,
  users: Map<string, User>,
): Reply {
  if (text !== "" && !(request.headers["content-type"] ?? "").startsWith("application/json")) {
    return {
      status: 406,
      body: { error: `Content-Type header [${request.headers["content-type"]}] is not supported`, status: 406 },
    };
  }
  const body = parsed(text);
  if (text !== "" && body === undefined) return failure(400, "parse_exception", "Failed to parse content");
  if (action === "_password") return changePassword(name, (body ?? {}) as Partial<User>, users);
  if (request.method === "GET")
    return users.has(name)
      ? { status: 200, body: { [name]: shown(name, users.get(name)!) } }
      : { status: 404, body: {} };
  if (request.method === "DELETE") return deleteUser(name, users);
  return putUser(name, (body ?? {}) as Partial<User>, users);
}

function authenticated(request: IncomingMessage, users: Map<string, User>): string | Reply {
  const [scheme, encoded = ""] = (request.headers.authorization ?? "").split(" ");
  const path = request.url;
  if (scheme !== "Basic") {
    return failure(401, "security_exception", `missing authentication credentials for REST request [${path}]`);
  }
  const [name = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (users.get(name)?.password === rest.join(":")) return name;
  return failure(401, "security_exception", `unable to authenticate user [${name}] for REST request [${path}]`);
}

function putUser(name: string, body: Partial<User>, users: Map<string, User>): Reply {
  const unknown = Object.keys(body).find((key) => !bodyKeys.includes(key));
  if (unknown)
    return failure(400, "parse_exception", `failed to parse add user request. unexpected field [${unknown}]`);
  if (reserved.includes(name)) return invalid(`user [${name}] is reserved and only the password can be changed`);
  if (name.length > 507 || !/^[!-~](?:[ -~]*[!-~])?$/.test(name)) {
    return invalid("User names must be at least 1 and no more than 507 characters.");
  }
  if (!Array.isArray(body.roles)) return invalid("roles are missing");
  const before = users.get(name);
  if (body.password === undefined && !before)
    return invalid("password must be specified unless you are updating an existing user");
  if (body.password !== undefined && body.password.length < 6) return tooShort();
  if (Object.keys(body.metadata ?? {}).some((key) => key.startsWith("_")))
    return invalid("metadata keys may not start with [_]");
  users.set(name, { metadata: {}, enabled: true, password: before?.password ?? "", ...body } as User);
  return { status: 200, body: { created: before === undefined } };
}

function changePassword(name: string, { password, ...more }: Partial<User>, users: Map<string, User>): Reply {
  const user = users.get(name);
  if (Object.keys(more).length > 0) return failure(400, "parse_exception", "unexpected field");
  if (password === undefined) return invalid("password is missing");
  if (password.length < 6) return tooShort();
  if (!user)
    return failure(400, "validation_exception", "Validation Failed: 1: user must exist in order to change password;");
  user.password = password;
  return { status: 200, body: {} };
}

const tooShort = () =>
  failure(400, "validation_exception", "Validation Failed: 1: passwords must be at least [6] characters long;");

function deleteUser(name: string, users: Map<string, User>): Reply {
  if (reserved.includes(name)) return invalid(`user [${name}] is reserved and cannot be deleted`);
  return users.delete(name) ? { status: 200, body: { found: true } } : { status: 404, body: { found: false } };
}

const shown = (username: string, { password: _, ...user }: User) => ({
  username,
  full_name: null,
  email: null,
  ...user,
  etag: createHash("sha256").update(username).digest("hex").slice(0, 8),
});

function send(response: ServerResponse, { status, body }: Reply): void {
  const headers = status === 401 ? { "www-authenticate": 'Basic realm="security" charset="UTF-8"' } : {};
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
