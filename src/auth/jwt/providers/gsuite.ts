/** Google Workspace: groups and user settings are read from its Directory API, in the name of an administrator. */
import { createPrivateKey, sign } from "node:crypto";
import { isJsonObject, JsonError, type JsonObject, parseJson } from "../../../lib/json.ts";
import { encodeBase64Url } from "../../../lib/jws/base64url.ts";
import { type Claims, withClaim } from "../claims.ts";
import { jsonOf, WebError } from "../web.ts";
import { ProviderProblem } from "./problem.ts";
import type { Provider, ProviderCall } from "./provider.ts";

const directory = "https://admin.googleapis.com/admin/directory/v1";
const tokenAddress = "https://oauth2.googleapis.com/token";
const scopes = [
  "https://www.googleapis.com/auth/admin.directory.group.readonly",
  "https://www.googleapis.com/auth/admin.directory.user.readonly",
];
/** Of one user, nested ones included. */
const mostGroups = 10_000;

interface Settings {
  readonly account: { readonly client_email: string; readonly private_key: string };
  readonly admin: string;
  readonly fetchGroups: boolean;
  readonly fetchUserInfo: boolean;
  readonly depth: number;
  readonly schemas: readonly string[];
  readonly domain: string;
}

export const gsuite: Provider = {
  keys: [
    "gsuite_service_account",
    "gsuite_admin_impersonate",
    "impersonate_principal",
    "fetch_groups",
    "fetch_user_info",
    "groups_recurse_max_depth",
    "user_custom_schemas",
    "domain",
  ],
  secretKeys: ["gsuite_service_account"],
  check: (settings) => void readSettings(settings),
  async completeClaims(call) {
    const settings = readSettings(call.settings);
    if (!settings.fetchGroups && !settings.fetchUserInfo) return call.claims;
    const token = await accessToken(call, settings);
    const withUser = settings.fetchUserInfo ? await addUserInfo(call, settings, token) : call.claims;
    if (!settings.fetchGroups || call.groupsClaim === "") return withUser;
    return withClaim(withUser, call.groupsClaim, await groupsOf(call, settings, token));
  },
};

function readSettings(raw: Readonly<Record<string, unknown>>): Settings {
  const text = (name: string) => (typeof raw[name] === "string" ? raw[name] : "");
  const isOn = (name: string) => raw[name] === true || raw[name] === "true";
  const depth = Number(raw["groups_recurse_max_depth"] ?? 0);
  if (!Number.isInteger(depth) || depth < 0) {
    throw new ProviderProblem("'gsuite_recurse_max_depth' must be a positive integer");
  }
  const admin = text("gsuite_admin_impersonate");
  if (admin === "")
    throw new ProviderProblem("'gsuite_admin_impersonate' must be set to the email of an administrator");
  return {
    account: serviceAccount(text("gsuite_service_account")),
    admin,
    fetchGroups: isOn("fetch_groups"),
    fetchUserInfo: isOn("fetch_user_info"),
    depth,
    schemas: text("user_custom_schemas")
      .split(",")
      .filter((name) => name !== ""),
    domain: text("domain"),
  };
}

function serviceAccount(text: string): Settings["account"] {
  const refusal = new ProviderProblem(
    "'gsuite_service_account' must be the JSON of a service account, with client_email and private_key; " +
      "files of the server are not read",
  );
  let account: unknown;
  try {
    account = parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw refusal;
    throw error;
  }
  if (!isJsonObject(account)) throw refusal;
  const { client_email, private_key } = account;
  if (typeof client_email !== "string" || typeof private_key !== "string") throw refusal;
  return { client_email, private_key };
}

/** A signed request in the administrator's name buys an access token (RFC 7523). */
async function accessToken({ web, now }: ProviderCall, { account, admin }: Settings): Promise<string> {
  const part = (value: object) => encodeBase64Url(Buffer.from(JSON.stringify(value)));
  const claims = {
    iss: account.client_email,
    sub: admin,
    scope: scopes.join(" "),
    aud: tokenAddress,
    iat: Math.floor(now),
    exp: Math.floor(now) + 600,
  };
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}`;
  const assertion = `${signed}.${encodeBase64Url(signedBy(account.private_key, signed))}`;
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
  const { access_token } = await told(async () => {
    const { status, text } = await web.form(tokenAddress, grant);
    if (status !== 200) throw new WebError(`the token endpoint answered with status ${status}`);
    return jsonOf(text);
  });
  if (typeof access_token !== "string") throw new ProviderProblem("Google gave no access token");
  return access_token;
}

function signedBy(pem: string, text: string): Uint8Array {
  try {
    return sign("sha256", Buffer.from(text), createPrivateKey(pem));
  } catch {
    throw new ProviderProblem("the private key of the service account cannot be used");
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function addUserInfo(call: ProviderCall, { schemas }: Settings, token: string): Promise<Claims> {
  if (schemas.length === 0) return call.claims;
  const query = new URLSearchParams({ projection: "custom", customFieldMask: schemas.join(",") });
  const address = `${directory}/users/${encodeURIComponent(call.user)}?${query}`;
  const { customSchemas } = await told(() => call.web.json(address, bearer(token)));
  return isJsonObject(customSchemas) ? { ...call.claims, ...customSchemas } : call.claims;
}

/** Groups of groups too, down to the depth that was asked for; each is visited once. */
async function groupsOf(call: ProviderCall, { depth, domain }: Settings, token: string): Promise<readonly string[]> {
  const found = new Set<string>();
  let level = [call.user];
  for (let at = 0; at <= depth && level.length > 0; at++) {
    const next: string[] = [];
    for (const member of level) {
      for (const group of await groupsWith(call, member, domain, token)) {
        if (found.has(group) || found.size >= mostGroups) continue;
        found.add(group);
        next.push(group);
      }
    }
    level = next;
  }
  return [...found];
}

async function groupsWith({ web }: ProviderCall, member: string, domain: string, token: string): Promise<string[]> {
  const emails: string[] = [];
  let page = "";
  do {
    const query = new URLSearchParams({
      userKey: member,
      ...(domain !== "" && { domain }),
      ...(page !== "" && { pageToken: page }),
    });
    const answer: JsonObject = await told(() => web.json(`${directory}/groups?${query}`, bearer(token)));
    for (const group of Array.isArray(answer["groups"]) ? answer["groups"] : []) {
      if (isJsonObject(group) && typeof group["email"] === "string") emails.push(group["email"]);
    }
    page = typeof answer["nextPageToken"] === "string" ? answer["nextPageToken"] : "";
  } while (page !== "" && emails.length < mostGroups);
  return emails;
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebError) throw new ProviderProblem(`asking Google: ${error.message}`);
    throw error;
  }
}
