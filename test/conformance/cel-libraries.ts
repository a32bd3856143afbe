/** The libraries that the official vectors are run with. */
import type { Library } from "../../src/lib/cel/declarations.ts";

export const allLibraries: readonly Library[] = [];
