/** Keys as the bytes they are stored as: which are allowed, and how one level of them is walked page by page. */
import { KeyMalformed, KeyTooLong, type Page } from "./store.ts";

/** What LMDB takes on pages of 4 KB. The same everywhere, so that data can move from one store to another. */
export const maxKeyBytes = 1978;

/** The UTF-8 bytes of a text, one character of 0 to 255 each: plain string comparison of these is byte order. */
export type ByteString = string;

export function byteString(text: string): ByteString {
  const isAscii = Buffer.byteLength(text) === text.length;
  return isAscii ? text : Buffer.from(text, "utf8").toString("latin1");
}

function fromByteString(bytes: ByteString): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

export function checkKey(key: string): void {
  // Half a surrogate pair would be stored as U+FFFD, and two different names would become one.
  if (key === "" || !key.isWellFormed()) throw new KeyMalformed(key);
  checkKeyLength(key);
}

export function checkPrefix(prefix: string): void {
  if (prefix !== "" && !prefix.endsWith("/")) throw new TypeError(`a prefix ends in "/", and ${prefix} does not`);
  if (!prefix.isWellFormed()) throw new KeyMalformed(prefix);
  checkKeyLength(prefix);
}

function checkKeyLength(key: string): void {
  if (key.length * 3 <= maxKeyBytes) return;
  const bytes = Buffer.byteLength(key);
  if (bytes > maxKeyBytes) throw new KeyTooLong(bytes, maxKeyBytes);
}

/** Where the names after `after` begin, at the earliest: the first key in question is this one or a later one. */
export function pageStart(prefix: ByteString, after: ByteString | undefined): ByteString {
  if (after === undefined) return prefix;
  const slash = after.indexOf("/");
  // A name ends at its first slash, so that what is after `a/b` is what is after everything in `a/`.
  return slash < 0 ? `${prefix}${after}\0` : behind(prefix + after.slice(0, slash + 1));
}

/** The first key that sorts behind all keys that begin with this folder (which ends in a slash). */
function behind(folder: ByteString): ByteString {
  return `${folder.slice(0, -1)}0`;
}

/** Keys in byte order from the given one (inclusive) on. */
export type Seek = (from: ByteString) => Iterator<ByteString, unknown>;

/** One page of the names below a prefix. Seeks over the inside of folders: a page costs a page. */
export function pageOfNames(seek: Seek, prefix: string, page: Page = {}): string[] {
  checkPrefix(prefix);
  const base = byteString(prefix);
  const most = page.limit ?? Number.POSITIVE_INFINITY;
  const names: string[] = [];
  let keys = seek(pageStart(base, page.after === undefined ? undefined : byteString(page.after)));
  let folder: ByteString | undefined;
  while (names.length < most) {
    const key = keys.next().value;
    if (typeof key !== "string" || !key.startsWith(base)) break;
    if (folder !== undefined && key.startsWith(folder)) {
      keys.return?.();
      keys = seek(behind(folder));
      folder = undefined;
      continue;
    }
    const slash = key.indexOf("/", base.length);
    folder = slash < 0 ? undefined : key.slice(0, slash + 1);
    names.push(fromByteString((folder ?? key).slice(base.length)));
  }
  keys.return?.();
  return names;
}
