/** Two distinguished names, one behind the other. */
import { readElement } from "../../lib/der/reader.ts";
import { sequence } from "../../lib/der/writer.ts";

export const joinedNames = (first: Uint8Array, second: Uint8Array): Uint8Array =>
  sequence(readElement(first).content, readElement(second).content);
