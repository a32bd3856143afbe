/** Writes a request as a curl command, with the token left out. */
import { parseAddress } from "../client/address.ts";
import type { RequestLine } from "../client/failure.ts";
import type { HttpRequest } from "../client/transport.ts";
import type { ConnectionValues } from "./client-flags.ts";

export function curlCommand(
  { method, headers, body }: HttpRequest,
  line: RequestLine,
  flags: ConnectionValues,
): string {
  const words = ["curl"];
  if (method !== "GET") words.push("-X", method);
  words.push(...connectionWords(flags));
  for (const [name, value] of Object.entries(headers)) words.push("-H", headerWord(name, value));
  if (body !== undefined) words.push("-d", quoted(body));
  return [...words, quoted(line.url)].join(" ");
}

function connectionWords(flags: ConnectionValues): string[] {
  const { socketPath } = parseAddress(flags.address);
  const options: [string, string | undefined][] = [
    ["--unix-socket", socketPath],
    ["--cacert", flags["ca-cert"]],
    ["--capath", flags["ca-path"]],
    ["--cert", flags["client-cert"]],
    ["--key", flags["client-key"]],
  ];
  const words = options.flatMap(([name, value]) => (value === undefined ? [] : [name, quoted(value)]));
  return flags["tls-skip-verify"] ? [...words, "--insecure"] : words;
}

/** The shell fetches the token itself, so that it stays out of histories and chat windows. */
const headerWord = (name: string, value: string): string =>
  name === "X-Service-Token" ? '"X-Service-Token: $(strongroom print token)"' : quoted(`${name}: ${value}`);

/** In single quotes a shell changes nothing but the single quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
