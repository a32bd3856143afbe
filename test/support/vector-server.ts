/** Answers as a vector database's user management does: recorded from Weaviate 1.35, and compared with it in the interop tests. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fault } from "./search-engine-server.ts";

interface VectorUser {
  key: string;
  roles: string[];
  readonly isStatic: boolean;
}

export interface VectorServer {
  readonly url: string;
  readonly users: Map<string, VectorUser>;
  readonly roles: Map<string, unknown>;
  readonly calls: string[];
  readonly faults: Fault[];
  stop(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

const builtIn = ["root", "admin", "viewer", "read-only"];
const problem = (status: number, message: string): Reply => ({ status, body: { error: [{ message }] } });
const newKey = () => randomBytes(66).toString("base64");

export async function startVectorServer(adminKey = "admin-key"): Promise<VectorServer> {
  const users = new Map<string, VectorUser>([["admin", { key: adminKey, roles: ["root"], isStatic: true }]]);
  const roles = new Map<string, unknown>();
  const calls: string[] = [];
  const faults: Fault[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request);
    calls.push(`${request.method} ${request.url}`);
    const fault = faults.shift();
    if (fault === "hang") return;
    if (fault === "refuse") return void response.destroy();
    if (typeof fault === "object") return send(response, { status: fault.status, body: fault.body ?? {} });
    const reply = respond(request, body, users, roles);
    if (fault === "drop") return void response.destroy();
    send(response, reply);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    users,
    roles,
    calls,
    faults,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Body = Record<string, unknown>;

function respond(
  request: IncomingMessage,
  body: Body,
  users: Map<string, VectorUser>,
  roles: Map<string, unknown>,
): Reply {
  const parts = (request.url ?? "").split("/").slice(1).map(decodeURIComponent);
  if (request.url === "/v1/.well-known/ready") return { status: 200 };
  const [scheme, key] = (request.headers.authorization ?? "").split(" ");
  const caller = [...users].find(([, user]) => user.key === key);
  if (scheme !== "Bearer") return { status: 401, body: { code: 401, message: "anonymous access not enabled." } };
  if (!caller) return { status: 401, body: { code: 401, message: "unauthorized: invalid api key" } };
  const [name, { roles: own }] = caller;
  if (request.url === "/v1/users/own-info") {
    return {
      status: 200,
      body: { username: name, roles: own.map((role) => ({ name: role, permissions: [] })), groups: [] },
    };
  }
  if (!own.some((role) => role === "root" || role === "admin")) {
    return problem(403, `rbac: authorization, forbidden action: user '${name}' has insufficient permissions`);
  }
  if (parts[1] === "users" && parts[2] === "db") return onUser(request.method!, parts[3] ?? "", parts[4], users);
  if (parts[1] === "authz" && parts[2] === "users") return assign(parts[3] ?? "", body, users, roles);
  if (parts[1] === "authz" && parts[2] === "roles" && request.method === "GET") {
    return { status: roles.has(parts[3] ?? "") ? 200 : 404 };
  }
  if (parts[1] === "authz" && parts[2] === "roles") return createRole(body, roles);
  return { status: 404, body: { code: 404, message: `path ${request.url} was not found` } };
}

function onUser(method: string, id: string, action: string | undefined, users: Map<string, VectorUser>): Reply {
  const user = users.get(id);
  if (method === "POST" && action === undefined) {
    if (user) return problem(409, `user '${id}' already exists`);
    if (!/^[A-Za-z][-_0-9A-Za-z@.]{0,127}$/.test(id)) return problem(422, `'${id}' is not a valid user name`);
    const key = newKey();
    users.set(id, { key, roles: [], isStatic: false });
    return { status: 201, body: { apikey: key } };
  }
  if (!user) return { status: 404 };
  if (method === "GET") {
    const dbUserType = user.isStatic ? "db_env_user" : "db_user";
    return { status: 200, body: { active: true, userId: id, dbUserType, roles: user.roles } };
  }
  if (action === "rotate-key") {
    if (user.isStatic) return problem(422, `user '${id}' is static user`);
    user.key = newKey();
    return { status: 200, body: { apikey: user.key } };
  }
  if (user.isStatic) return problem(422, "cannot delete root user");
  users.delete(id);
  return { status: 204 };
}

function assign(id: string, body: Body, users: Map<string, VectorUser>, known: Map<string, unknown>): Reply {
  const user = users.get(id);
  const roles = (body["roles"] ?? []) as string[];
  if (body["userType"] !== "db") return problem(422, "userType in body should be one of [db oidc]");
  if (roles.length === 0) return problem(400, "roles can not be empty");
  if (roles.includes("root"))
    return problem(403, "assigning: modifying 'root' role or changing its assignments is not allowed");
  if (!roles.every((role) => known.has(role) || builtIn.includes(role))) {
    return problem(404, "one or more of the roles requested doesn't exist");
  }
  if (!user) return problem(404, "username to assign role to doesn't exist");
  user.roles = [...new Set([...user.roles, ...roles])];
  return { status: 200 };
}

function createRole(body: Body, roles: Map<string, unknown>): Reply {
  const name = String(body["name"] ?? "");
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return problem(400, "role name is invalid");
  if (!Array.isArray(body["permissions"])) return problem(422, "permissions in body is required");
  if (builtIn.includes(name)) return problem(400, "cannot create a built-in role");
  if (roles.has(name)) return problem(409, `role with name ${name} already exists`);
  roles.set(name, body);
  return { status: 201 };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Body);
}
