/** Turns the path of a request line into the path that is meant, or into the place to ask again. */
import { invalidRequest } from "../api/errors.ts";

export type CleanedPath =
  | { readonly path: string; readonly redirect?: undefined }
  | { readonly redirect: string; readonly path?: undefined };

/**
 * Takes the path as the client wrote it, in printable ASCII. What is spelled with `//`, `/./` or `/../` is sent to the
 * clean spelling; the same things hidden in escapes are refused, since no honest client writes them.
 */
export function cleanPath(rawPath: string): CleanedPath {
  if (!rawPath.startsWith("/")) throw invalidRequest("the path of a request starts with /");
  if (rawPath.includes("//") || rawPath.includes("/.")) {
    const clean = withoutDetours(rawPath);
    // A browser reads a backslash as a slash: /\host would leave for another server.
    if (clean !== rawPath) return { redirect: clean.replaceAll("\\", "%5C") };
  }
  if (!rawPath.includes("%")) return { path: rawPath };
  return { path: checked(decoded(rawPath)) };
}

function withoutDetours(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/");
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  const end = segments.at(-1) === "" && kept.length > 0 ? "/" : "";
  return `/${kept.join("/")}${end}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalidRequest("the path has an escape that is not % and two hexadecimal digits of valid UTF-8");
  }
}

/** Letters, marks, numbers, punctuation, symbols and the space: what a person can see and name. */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function checked(path: string): string {
  if (unprintable.test(path)) throw invalidRequest("the path has a character that cannot be printed");
  if (path.includes("//")) throw invalidRequest("the path has an empty segment");
  if (path.includes("/.") && path.split("/").some((segment) => segment === ".." || segment === ".")) {
    throw invalidRequest("relative paths not supported");
  }
  return path;
}
