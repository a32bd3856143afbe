/** Splits the target of a request line into its path and query. */

export interface Target {
  /** As the client wrote it, in printable ASCII. */
  readonly rawPath: string;
  /** Without the question mark; empty without one. */
  readonly query: string;
}

export function splitTarget(url: string): Target {
  const target = printable(url.startsWith("/") ? url : originForm(url));
  const mark = target.indexOf("?");
  if (mark === -1) return { rawPath: target, query: "" };
  return { rawPath: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** Clients of proxies name the whole URL, and every server must take that (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  const [authority] = /^https?:\/\/[^/?]*/i.exec(url) ?? [];
  if (authority === undefined) return url;
  const rest = url.slice(authority.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

const unprintable = /[^\x21-\x7e]/gu;

/** Some clients send UTF-8 without escapes; node hands us a character for each byte. */
const printable = (target: string): string =>
  target.search(unprintable) === -1 ? target : target.replace(unprintable, escaped);

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xff ? "%EF%BF%BD" : `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
