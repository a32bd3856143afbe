/** What every reader and builder of this folder throws for input that it cannot take: a sentence for the person who sent it. */
import { DerError } from "../der/der-error.ts";

export class X509Error extends Error {
  override readonly name = "X509Error";
}

/** Runs a reader, so that whatever is wrong with the bytes comes out as one kind of error that names the thing. */
export function reading<T>(thing: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) throw new X509Error(`the ${thing} could not be parsed: ${error.message}`);
    throw error;
  }
}
