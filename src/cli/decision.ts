/** Why policies allow a request or not, asked of the server and told to a person. */
import type { Answer, Client } from "../client/client.ts";
import type { RequestLine } from "../client/failure.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";

export interface Question {
  readonly path: string;
  readonly operation: string;
}

/** Of the caller's own token, unless another one is named. */
export const askDecision = (client: Client, question: Question, token?: string, isProbe = false): Promise<Answer> =>
  client.post("sys/capabilities-explain", token === undefined ? question : { ...question, token }, { isProbe });

const operations: Readonly<Record<string, readonly string[]>> = {
  GET: ["read"],
  // Which of the two a write is depends on what is there already; a rule that lacks either may have refused it.
  PUT: ["update", "create"],
  POST: ["update", "create"],
  PATCH: ["patch"],
  DELETE: ["delete"],
};

/** Nothing where the caller may not ask, or where policies are not the reason. */
export async function decisionOnRefusal({ method, url }: RequestLine, client: Client): Promise<string | undefined> {
  const { pathname, searchParams } = new URL(url);
  const path = decodeURIComponent(pathname.replace(/^.*?\/v1\//, ""));
  const listing = ["list", "scan"].find((name) => searchParams.get(name) === "true");
  const asked = listing === undefined ? (operations[method] ?? []) : [listing];
  for (const operation of asked) {
    const named = listing === undefined || path.endsWith("/") ? path : `${path}/`;
    const answer = await askDecision(client, { path: named, operation }, undefined, true).catch(() => undefined);
    if (typeof answer?.data["allowed"] !== "boolean") return undefined;
    if (!answer.data["allowed"]) return decisionText(answer.data, { path: named, operation });
  }
  return "The token's policies allow this: the refusal is about the request's parameters, its wrapping, or the address it came from.";
}

/** Sentences for a person, the rule that decided, those that came close, and one that would do. */
export function decisionText(data: JsonObject, { path, operation }: Question): string {
  const { allowed, reason, rule, policies, needed } = data;
  const lines = [`${allowed === true ? "Allowed" : "Denied"}: ${operation} ${path}`];
  if (typeof reason === "string" && reason !== "") lines.push(`Reason:  ${reason}`);
  if (typeof rule === "string") lines.push(`Rule:    path ${JSON.stringify(rule)}${ofPolicies(policies)}`);
  const close = Array.isArray(data["close"]) ? data["close"].filter(isJsonObject) : [];
  if (close.length > 0) lines.push("", "Rules that come close:", ...close.map(closeLine));
  if (typeof needed === "string" && needed !== "") lines.push("", "A rule that would allow it:", "", `    ${needed}`);
  return lines.join("\n");
}

const closeLine = ({ path, capabilities, why }: JsonObject): string =>
  `    path ${JSON.stringify(path)} [${texts(capabilities).join(", ")}]: ${String(why)}`;

function ofPolicies(policies: unknown): string {
  const names = texts(policies);
  if (names.length === 0) return "";
  return ` of the ${names.length === 1 ? "policy" : "policies"} ${names.join(", ")}`;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
