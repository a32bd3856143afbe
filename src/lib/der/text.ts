/** The string types of names and extensions. */
import { DerError } from "./der-error.ts";
import { bufferOf, type Element } from "./reader.ts";
import { tags } from "./tags.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of any string type, as well as it can be read; undefined for anything else. */
export function stringOf({ tag, content }: Element): string | undefined {
  const bytes = bufferOf(content);
  switch (tag) {
    case tags.utf8String:
      return bytes.toString("utf8");
    case tags.numericString:
    case tags.printableString:
    case tags.teletexString:
    case tags.ia5String:
    case tags.visibleString:
      return bytes.toString("latin1");
    case tags.bmpString:
      return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString("utf16le") : undefined;
    default:
      return undefined;
  }
}

/** The same, but throws for bytes that the type does not allow. */
export function strictStringOf(element: Element): string {
  if (element.tag === tags.utf8String) return utf8Of(element.content);
  const text = stringOf(element);
  if (text === undefined) throw new DerError("expected a text");
  if (element.tag !== tags.teletexString && element.tag !== tags.bmpString && !isAscii(element.content)) {
    throw new DerError("a text has characters that its type does not allow");
  }
  return text;
}

export function utf8Of(content: Uint8Array): string {
  try {
    return utf8.decode(content);
  } catch {
    throw new DerError("a text is not valid UTF-8");
  }
}

export function asciiOf(content: Uint8Array): string {
  if (!isAscii(content)) throw new DerError("a text has characters that are not ASCII");
  return bufferOf(content).toString("latin1");
}

function isAscii(content: Uint8Array): boolean {
  for (const byte of content) if (byte >= 0x80) return false;
  return true;
}
