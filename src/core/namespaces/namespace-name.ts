/** Names of namespaces: one segment of a path, that no mount and no rule of a policy could be taken for. */
import { invalidRequest } from "../../api/errors.ts";

/** Where every namespace has mounts or paths of its own. */
export const reservedNames: ReadonlySet<string> = new Set(["root", "sys", "audit", "auth", "cubbyhole", "identity"]);

const longestName = 255;

/** `team/` and `/team` are `team`. */
export const withoutSlashes = (text: string): string => {
  const begin = text.startsWith("/") ? 1 : 0;
  return text.slice(begin, text.length > begin && text.endsWith("/") ? -1 : undefined);
};

export function requireName(name: string): void {
  if (name === "") throw invalidRequest("a namespace needs a name");
  if (name.includes("/")) {
    throw invalidRequest(
      "name must not contain /: to make a namespace below another one, name the other one in the request's own namespace",
    );
  }
  if (reservedNames.has(name)) {
    throw invalidRequest(`${JSON.stringify(name)} is reserved, and cannot be the name of a namespace`);
  }
  if (!name.isWellFormed() || /[\p{C}\p{Z}]/u.test(name)) {
    throw invalidRequest("the name of a namespace cannot have spaces, nor characters that cannot be printed");
  }
  if (/[*+]/.test(name)) throw invalidRequest("the name of a namespace cannot have '*' or '+', which policies use");
  if (name === "." || name === "..") throw invalidRequest("the name of a namespace cannot be '.' or '..'");
  if (Buffer.byteLength(name) > longestName) {
    throw invalidRequest(`the name of a namespace is at most ${longestName} bytes long`);
  }
}
