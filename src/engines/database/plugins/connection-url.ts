/** Reads where a database is: URLs, `host=… user=…`, and `user:password@tcp(host:port)/database`. */
import { invalidRequest } from "../../../api/errors.ts";

export interface ServerAddress {
  readonly host: string;
  readonly port: number | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly options: ReadonlyMap<string, string>;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Values stand in the URL as they are. */
  readonly disableEscaping: boolean;
}

const placeholder = /\{\{\s{0,4}(username|name|password)\s{0,4}\}\}/g;

export function readAddress(url: string, credentials: Credentials): ServerAddress {
  if (url === "") throw invalidRequest("connection_url cannot be empty");
  const { username, password } = credentials;
  if ([username, password].some((value) => value.search(placeholder) >= 0)) {
    throw invalidRequest("username and/or password cannot contain the template variables");
  }
  const read = url.includes("://") ? fromUrl : url.includes("(") ? fromDsn : fromPairs;
  const address = read(url, credentials);
  if (address.host === "") throw invalidRequest("cannot parse connection url: it names no host");
  return { ...address, user: address.user || username, password: address.password || password };
}

function filled(
  text: string,
  { username, password, disableEscaping }: Credentials,
  escaped: (value: string) => string,
) {
  return text.replace(placeholder, (_, name: string) => {
    const value = name === "password" ? password : username;
    return disableEscaping ? value : escaped(value);
  });
}

function fromUrl(template: string, credentials: Credentials): ServerAddress {
  const text = filled(template, credentials, encodeURIComponent);
  if (!URL.canParse(text)) throw invalidRequest("cannot parse connection url: it is not a URL");
  const url = new URL(text);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? undefined : Number(url.port),
    user: decoded(url.username),
    password: decoded(url.password),
    database: decoded(url.pathname.slice(1)),
    options: new Map(url.searchParams),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `host=… port=… user='…'`; a backslash in quotes keeps the sign behind it. */
function fromPairs(template: string, credentials: Credentials): ServerAddress {
  const text = filled(template, credentials, (value) => `'${value.replace(/[\\']/g, "\\$&")}'`);
  const options = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const pair = readPair(text, at);
    options.set(pair.name, pair.value);
    at = pair.end;
  }
  const take = (name: string) => options.get(name) ?? "";
  const port = take("port");
  return {
    host: take("host") || take("hostaddr"),
    port: port === "" ? undefined : Number(port),
    user: take("user"),
    password: take("password"),
    database: take("dbname"),
    options,
  };
}

function readPair(text: string, from: number): { name: string; value: string; end: number } {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  const equals = text.indexOf("=", start);
  const name = equals < 0 ? "" : text.slice(start, equals).trim();
  if (!/^\w+$/.test(name)) throw invalidRequest("cannot parse connection url: invalid keyword/value");
  let value = "";
  let at = equals + 1;
  while (text[at] === " ") at += 1;
  const isQuoted = text[at] === "'";
  if (isQuoted) at += 1;
  for (; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "\\" && at + 1 < text.length) value += text[++at];
    else if (isQuoted ? sign === "'" : /\s/.test(sign)) break;
    else value += sign;
  }
  const end = at + 1 + (/^\s*/.exec(text.slice(at + 1))?.[0].length ?? 0);
  return { name, value, end };
}

/** The part before the last `@` is never escaped, so it is cut before it is filled in. */
function fromDsn(template: string, credentials: Credentials): ServerAddress {
  const open = template.lastIndexOf("(");
  const close = template.indexOf(")/", open);
  const protocol = template.slice(0, open).match(/(?:^|@)(?:tcp|unix)$/)?.[0];
  if (protocol === undefined || close < 0) {
    throw invalidRequest("cannot parse connection url: expected user:password@tcp(host:port)/database");
  }
  const [user = "", ...password] = template.slice(0, open - protocol.length).split(":");
  const address = template.slice(open + 1, close);
  const colon = address.startsWith("/") ? -1 : address.lastIndexOf(":");
  const [database = "", ...query] = template.slice(close + 2).split("?");
  const raw = { ...credentials, disableEscaping: true };
  return {
    host: (colon < 0 ? address : address.slice(0, colon)).replace(/^\[|\]$/g, ""),
    port: colon < 0 ? undefined : Number(address.slice(colon + 1)),
    user: filled(user, raw, String),
    password: filled(password.join(":"), raw, String),
    database,
    options: new Map(new URLSearchParams(query.join("?"))),
  };
}
