/** What every reader and builder of this folder throws for input that it cannot take: a sentence for the person who sent it. */
import { DerError } from "../der/der-error.ts";

export class X509Error extends Error {
  override readonly name = "X509Error";
}

/** Runs a reader, so that whatever is wrong with the bytes comes out as one kind of error that names the thing. */
export const reading = <T>(thing: string, read: () => T): T => translated(`the ${thing} could not be parsed`, read);

/** The same for a builder that was given what cannot be encoded. */
export const writing = <T>(thing: string, write: () => T): T => translated(`the ${thing} cannot be encoded`, write);

function translated<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DerError) throw new X509Error(`${what}: ${error.message}`);
    throw error;
  }
}
