/** The kinds of values that have to do with the network. */
import { parseCidr } from "../lib/cidr.ts";
import { HclError } from "../lib/hcl/error.ts";
import type { Body, Item, Value } from "../lib/hcl/syntax-tree.ts";
import { parseListenAddress } from "./address.ts";
import { readItems, readText, wrongKind } from "./kinds.ts";
import { Setting } from "./setting.ts";

export const address = (description: string) =>
  Setting.of("address", description, (value) => {
    const written = readText(value);
    refusing(value, () => parseListenAddress(written));
    return written;
  });

export const cidrs = (description: string) =>
  Setting.of("list of addresses or CIDR ranges", description, (value) =>
    readItems(value).map((item) => refusing(item.value, () => parseCidr(item.text))),
  );

/** Scheme, host and port of a server; empty for none. Has no slash at its end. */
export const serverUrl = (description: string) => Setting.of("URL", description, readServerUrl);

/** Headers by status: `default`, `2xx`, `404`. */
export const responseHeaders = (description: string) =>
  Setting.of("block of headers by status", description, readResponseHeaders);

export type ResponseHeaders = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

function refusing<Result>(value: Value, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new HclError((error as Error).message, value.position);
  }
}

function readServerUrl(value: Value): string | undefined {
  const written = readText(value);
  if (written === "") return undefined;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isPlain =
    url !== undefined && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.origin;
  throw new HclError(
    'must be a URL of scheme, host and port, such as "https://server.example.com:8200"',
    value.position,
  );
}

function readResponseHeaders(value: Value): ResponseHeaders {
  const byStatus: Record<string, Readonly<Record<string, readonly string[]>>> = Object.create(null);
  for (const { key, value: headers, position } of plainItems(value)) {
    if (!/^(?:default|[1-5]xx|[1-5][0-9][0-9])$/.test(key)) {
      throw new HclError(`${JSON.stringify(key)} is not a status: use "default", "2xx" or "404"`, position);
    }
    byStatus[key] = readHeaders(headers);
  }
  return byStatus;
}

/** The server's own, and those that say where an answer ends and what it is. */
const reservedHeader =
  /^(?:x-(?:vault|service)-.*|content-(?:length|type|encoding)|transfer-encoding|connection|keep-alive|trailer|upgrade)$/i;

function readHeaders(value: Value): Readonly<Record<string, readonly string[]>> {
  const headers: Record<string, readonly string[]> = Object.create(null);
  for (const { key, value: written, position } of plainItems(value)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/.test(key)) {
      throw new HclError(`${JSON.stringify(key)} is not the name of a header`, position);
    }
    if (reservedHeader.test(key)) {
      throw new HclError(`${JSON.stringify(key)} is reserved: the server sets such headers itself`, position);
    }
    headers[key] = readHeaderValues(written);
  }
  return headers;
}

function readHeaderValues(value: Value): string[] {
  const values = value.kind === "list" ? value.items : [value];
  return values.map((each) => {
    const written = readText(each);
    if (/^[\t\x20-\x7e]*$/.test(written)) return written;
    throw new HclError("a header may only have printable ASCII characters", each.position);
  });
}

/** Items of a block, also when it was written as a list of blocks, as JSON files do. */
function plainItems(value: Value): Item[] {
  const bodies: readonly Value[] = value.kind === "list" ? value.items : [value];
  const wrong = bodies.find((body) => body.kind !== "object");
  if (wrong !== undefined) throw wrongKind(wrong, "a block");
  const items = (bodies as readonly Body[]).flatMap((body) => body.items);
  const labeled = items.find((item) => item.labels.length > 0);
  if (labeled === undefined) return items;
  throw new HclError(`${JSON.stringify(labeled.key)} takes no label`, labeled.position);
}
