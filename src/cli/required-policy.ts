/** Writes the policy that a request needs; the server's own description tells whether sudo is part of it. */
import type { Client } from "../client/client.ts";
import type { HttpRequest } from "../client/transport.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";

const capabilitiesByMethod: Readonly<Record<string, readonly string[]>> = {
  GET: ["read"],
  PUT: ["create", "update"],
  POST: ["create", "update"],
  PATCH: ["patch"],
  DELETE: ["delete"],
};

export async function requiredPolicy({ method, target }: HttpRequest, client: Client): Promise<string> {
  const { pathname, searchParams } = new URL(target, "http://localhost");
  const path = decodeURIComponent(pathname.slice(pathname.indexOf("/v1/") + "/v1/".length));
  const listing = ["list", "scan"].find((name) => searchParams.get(name) === "true");
  const shown = listing === undefined || path.endsWith("/") ? path : `${path}/`;
  const capabilities = listing === undefined ? [...(capabilitiesByMethod[method] ?? [])] : [listing];
  if (await needsSudo(method, path, client)) capabilities.push("sudo");
  const list = capabilities.map((capability) => JSON.stringify(capability)).join(", ");
  return `path ${JSON.stringify(shown)} {\n  capabilities = [${list}]\n}\n`;
}

async function needsSudo(method: string, path: string, client: Client): Promise<boolean> {
  const document = await client.get("sys/internal/specs/openapi", { isProbe: true }).catch(() => undefined);
  const paths = isJsonObject(document?.json) ? document.json["paths"] : undefined;
  if (!isJsonObject(paths)) return false;
  const item = paths[mostSpecific(Object.keys(paths), path) ?? ""];
  const operation = isJsonObject(item) ? item[method === "PUT" ? "post" : method.toLowerCase()] : undefined;
  return [item, operation].some((part) => isJsonObject(part) && (part as JsonObject)["x-service-sudo"] === true);
}

/** Of the path templates that fit, the one with the most words of its own. */
function mostSpecific(templates: readonly string[], path: string): string | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const fitting = templates.filter((template) => fits(template.split("/").slice(1), parts));
  const words = (template: string) => template.split("/").filter((part) => !part.startsWith("{")).length;
  return fitting.sort((a, b) => words(b) - words(a))[0];
}

/** A placeholder at the end may stand for several parts of a path. */
function fits(template: readonly string[], parts: readonly string[]): boolean {
  const isOpenEnded = template.at(-1)?.startsWith("{") === true;
  if (parts.length < template.length || (parts.length > template.length && !isOpenEnded)) return false;
  return template.every((part, index) => part.startsWith("{") || part === parts[index]);
}
