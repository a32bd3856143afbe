/** Names of connections and roles: letters, digits and `_`, with `-` and `.` inside; case is kept. */
import { unsupportedPath } from "../../api/errors.ts";
import { text } from "../../api/fields.ts";

const longest = 512;

export const nameField = (what: string) => text(`Name of the ${what}: letters, digits and _, with - and . inside`);

/** No other name has a path. */
export function requireName(name: string): string {
  if (name.length <= longest && /^\w(?:[\w.-]*\w)?$/.test(name)) return name;
  throw unsupportedPath();
}
