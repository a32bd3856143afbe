/** Headers that the web interface is served with, as its operator wants them. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";

interface InterfaceHeader {
  readonly values: readonly string[];
}

/** By their names in lower case. */
export const interfaceHeadersIn = (storage: Storage) => new Collection<InterfaceHeader>(storage, "core/ui/headers/");

/** Throws a sentence that says what is wrong. */
export function headerName(written: string): string {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(written)) {
    throw invalidRequest("the name of a header has letters, digits and a few marks such as - and _");
  }
  const name = written.toLowerCase();
  if (name.startsWith("x-vault-") || name.startsWith("x-service-")) {
    throw invalidRequest("X-Vault headers cannot be set");
  }
  return name;
}

export function headerValues(values: readonly string[]): readonly string[] {
  if (values.length === 0) throw invalidRequest("values: at least one is needed");
  if (values.some((value) => !/^[\t\x20-\x7e]{0,4096}$/.test(value))) {
    throw invalidRequest("values: a header may only have printable ASCII characters, 4096 at the most");
  }
  return values;
}
