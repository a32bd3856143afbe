/** Turns what a program returned, a `pb.Auth`, into a login. Its durations are in nanoseconds. */
import type { LoginGrant } from "../../api/reply.ts";
import { plainTokenFields, type TokenFieldValues } from "../../api/token-fields.ts";
import { Message } from "../../lib/cel/message.ts";
import { isMap, mapEntries, Uint, type Value } from "../../lib/cel/values.ts";
import { isCidr } from "../../lib/cidr.ts";
import { isJsonObject, JsonError, parseJson } from "../../lib/json.ts";

/** The message cannot become a login. */
export class GrantProblem extends Error {
  override readonly name = "GrantProblem";
}

const tokenTypes = ["", "service", "batch", "default-service", "default-batch"] as const;

export function grantOf(auth: Message, role: string): LoginGrant {
  const lease = messageIn(auth, "lease_options");
  const alias = messageIn(auth, "alias");
  const name = alias && textIn(alias, "name");
  if (name === "") throw new GrantProblem("missing name in alias");
  const token = tokenOf(auth, lease);
  return {
    ...(alias && { alias: { name: name!, metadata: pairsIn(alias, "metadata") } }),
    groupAliases: messagesIn(auth, "group_aliases").map((group) => textIn(group, "name")),
    displayName: textIn(auth, "display_name"),
    metadata: pairsIn(auth, "metadata"),
    token,
    internal: { ...internalIn(auth), role, role_type: "cel", token },
    renewable: lease?.fields.get("renewable") === true,
  };
}

/** At renewal the settings of the login hold on: the program is not run again, for there is no token to run it on. */
export const renewedCelToken = (internal: Readonly<Record<string, unknown>>): TokenFieldValues => ({
  ...plainTokenFields,
  ...(internal["token"] as TokenFieldValues),
});

function tokenOf(auth: Message, lease: Message | undefined): TokenFieldValues {
  const cidrs = textsIn(auth, "bound_cidrs");
  const wrong = cidrs.find((cidr) => !isCidr(cidr));
  if (wrong !== undefined)
    throw new GrantProblem(`bound_cidrs has ${JSON.stringify(wrong)}, which is no address or block`);
  const type = auth.fields.get("token_type");
  const token_type = tokenTypes[type instanceof Uint ? Number(type.value) : 0];
  if (token_type === undefined) throw new GrantProblem("token_type is above 4");
  return {
    ...plainTokenFields,
    token_ttl: lease ? secondsIn(lease, "TTL") : 0,
    token_max_ttl: lease ? secondsIn(lease, "MaxTTL") : 0,
    token_explicit_max_ttl: secondsIn(auth, "explicit_max_ttl"),
    token_period: secondsIn(auth, "period"),
    token_policies: textsIn(auth, "policies"),
    token_bound_cidrs: cidrs,
    token_no_default_policy: auth.fields.get("no_default_policy") === true,
    token_num_uses: countIn(auth, "num_uses"),
    token_type,
  };
}

function internalIn(auth: Message): Record<string, unknown> {
  const text = textIn(auth, "internal_data");
  if (text === "") return {};
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new GrantProblem("internal_data is not a JSON object");
}

const nanosecondsPerSecond = 1_000_000_000n;

function secondsIn(message: Message, field: string): number {
  const value = message.fields.get(field);
  if (typeof value !== "bigint") return 0;
  if (value < 0n) throw new GrantProblem(`${field} is negative`);
  return Number(value / nanosecondsPerSecond);
}

function countIn(message: Message, field: string): number {
  const value = message.fields.get(field);
  if (typeof value !== "bigint") return 0;
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new GrantProblem(`${field} is out of range`);
  return Number(value);
}

function textIn(message: Message, field: string): string {
  const value = message.fields.get(field);
  return typeof value === "string" ? value : "";
}

const listIn = (message: Message, field: string): readonly Value[] => {
  const value = message.fields.get(field);
  return Array.isArray(value) ? value : [];
};

const textsIn = (message: Message, field: string): string[] =>
  listIn(message, field).filter((item): item is string => typeof item === "string");

const messagesIn = (message: Message, field: string): Message[] =>
  listIn(message, field).filter((item): item is Message => item instanceof Message);

function messageIn(message: Message, field: string): Message | undefined {
  const value = message.fields.get(field);
  return value instanceof Message ? value : undefined;
}

function pairsIn(message: Message, field: string): Record<string, string> {
  const value = message.fields.get(field);
  const pairs: Record<string, string> = {};
  if (value === undefined || !isMap(value)) return pairs;
  for (const [key, text] of mapEntries(value)) {
    if (typeof key === "string" && typeof text === "string") pairs[key] = text;
  }
  return pairs;
}
