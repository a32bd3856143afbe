/** A connection as it is stored, and what of it may be seen again. */
import { invalidRequest } from "../../api/errors.ts";
import { type Fields, notesOf } from "../../api/fields.ts";
import { globMatches } from "../../lib/glob.ts";
import { isRawNumber, type JsonObject } from "../../lib/json.ts";
import type { AnyPlugin } from "./plugin.ts";
import type { Schedule } from "./schedule.ts";

export interface Connection {
  readonly plugin_name: string;
  readonly plugin_version: string;
  readonly allowed_roles: readonly string[];
  readonly root_rotation_statements: readonly string[];
  readonly password_policy: string;
  /** Everything that only the plugin understands, secrets included. */
  readonly details: Readonly<JsonObject>;
  /** Another one with each change, so that every process opens the connection anew. */
  readonly revision: string;
  /** When the root credential is rotated without being asked. */
  readonly schedule: Schedule | undefined;
  /** Milliseconds since the epoch; 0 for never. */
  readonly next_rotation: number;
  readonly last_rotation: number;
}

export const allows = ({ allowed_roles }: Connection, role: string): boolean =>
  allowed_roles.some((pattern) => globMatches(pattern, role));

/** Names that mean a secret with any plugin, whatever the plugin says of its settings. */
const secretWords = ["password", "passwd", "secret", "token", "api_key", "apikey", "private_key", "client_key"];

const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase();
  return secretWords.some((word) => lower === word || lower.endsWith(`_${word}`)) || lower.endsWith("certificate_key");
};

/** Without what is secret by its name or by its plugin, and without passwords inside of URLs. */
export function shownDetails({ details }: Connection, plugin: AnyPlugin | undefined): JsonObject {
  const settings: Fields = plugin?.settings ?? {};
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(details)) {
    const field = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (isSecretName(name) || (field && notesOf(field).writeOnly)) continue;
    shown[name] = typeof value === "string" ? withoutPassword(value) : value;
  }
  return shown;
}

/** What must never be seen in a message. */
export function secretsOf({ details }: Connection, plugin: AnyPlugin | undefined): string[] {
  const settings: Fields = plugin?.settings ?? {};
  const secrets = Object.entries(details).flatMap(([name, value]) => {
    if (typeof value !== "string") return [];
    const field = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (isSecretName(name) || (field && notesOf(field).writeOnly)) return [value];
    return [passwordIn(value) ?? ""];
  });
  return secrets.filter((secret) => secret !== "");
}

const mask = "xxxxx";

/** `scheme://user:password@host`, `user:password@tcp(host)` and `password=…`; a template is no password. */
export function withoutPassword(text: string): string {
  const span = passwordSpan(text);
  return span ? text.slice(0, span.from) + mask + text.slice(span.to) : text;
}

export function passwordIn(text: string): string | undefined {
  const span = passwordSpan(text);
  return span && text.slice(span.from, span.to);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function passwordSpan(text: string): Span | undefined {
  const span = inUserInfo(text) ?? inPairs(text);
  const isPassword = span && span.to > span.from && !text.slice(span.from, span.to).includes("{{");
  return isPassword ? span : undefined;
}

function inUserInfo(text: string): Span | undefined {
  const scheme = text.indexOf("://");
  const start = scheme < 0 ? 0 : scheme + 3;
  const authority = text.slice(start).split(/[/?#]/, 1)[0] ?? "";
  const to = scheme < 0 ? text.lastIndexOf("@tcp(") : start + authority.lastIndexOf("@");
  const colon = text.indexOf(":", start);
  return to < start || colon < 0 || colon >= to ? undefined : { from: colon + 1, to };
}

/** In `host=… password=…`, and in a query. */
function inPairs(text: string): Span | undefined {
  const name = /(?:^|[\s?&;])password=/i.exec(text);
  if (!name) return undefined;
  const from = name.index + name[0].length;
  if (text[from] === "'") {
    const close = text.indexOf("'", from + 1);
    return { from: from + 1, to: close < 0 ? text.length : close };
  }
  const length = text.slice(from).search(/[\s&;]/);
  return { from, to: length < 0 ? text.length : from + length };
}

/** What the body says beyond the common fields, each value as its plugin is to see it. */
export function detailsIn(body: Readonly<JsonObject>, common: ReadonlySet<string>): JsonObject {
  const details: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    if (common.has(name) || value === null || name === "__proto__") continue;
    details[name] = isRawNumber(value) ? value.rawJSON : value;
  }
  return details;
}

/** `1.2.3`, with or without a `v`, and with what semantic versions may have behind. */
export function requireVersion(version: string, plugin: AnyPlugin): string {
  if (version === "") return "";
  const numbers = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})(?:-[\w.-]{1,64})?(?:\+[\w.-]{1,64})?$/.exec(version)?.[1];
  if (numbers === undefined) {
    throw invalidRequest(
      `version ${JSON.stringify(version)} is not a valid semantic version: malformed version: ${version}`,
    );
  }
  if (`v${numbers}` === plugin.version) return version;
  throw invalidRequest(
    `error creating database object: plugin not found in the catalog: ${plugin.name}, version=v${numbers}; ` +
      `this server has ${plugin.version}`,
  );
}
