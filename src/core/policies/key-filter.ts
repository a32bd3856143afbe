/**
 * `list_scan_response_keys_filter_path`: names, for each key of a list, the path that the caller must be able to read
 * (or list, for a key that ends in a slash) to see that key.
 */
import type { Acl } from "./acl.ts";
import { PolicyFault } from "./policy-error.ts";

export interface KeyFilter {
  /** As written. */
  readonly text: string;
  readonly parts: readonly KeyFilterPart[];
}

type KeyFilterPart = { readonly literal: string } | { readonly field: "path" | "key" };

/** Throws a sentence for the policy's author. */
export function parseKeyFilter(text: string): KeyFilter {
  const [first = "", ...rest] = text.split("{{");
  const parts: KeyFilterPart[] = [{ literal: first }];
  let usesKey = false;
  for (const piece of rest) {
    const close = piece.indexOf("}}");
    const field = close === -1 ? "" : piece.slice(0, close).trim();
    if (field !== ".path" && field !== ".key")
      throw new PolicyFault("use {{ .path }} and {{ .key }}, and no other directives");
    usesKey ||= field === ".key";
    parts.push({ field: field === ".key" ? "key" : "path" }, { literal: piece.slice(close + 2) });
  }
  if (!usesKey) throw new PolicyFault("it must contain {{ .key }}, or all keys would have the same path");
  return { text, parts };
}

function filteredPath(filter: KeyFilter, path: string, key: string): string {
  return filter.parts.map((part) => ("literal" in part ? part.literal : part.field === "key" ? key : path)).join("");
}

/** The keys of a list of `path` that its caller may see. */
export function visibleKeys(acl: Acl, filter: KeyFilter, path: string, keys: readonly string[], now: Date): string[] {
  return keys.filter((key) => {
    const operation = key.endsWith("/") ? "list" : "read";
    return acl.allows({ operation, path: filteredPath(filter, path, key), now }).allowed;
  });
}
