/** The libraries that the official vectors are run with. */
import type { Library } from "../../src/lib/cel/declarations.ts";
import { bindingsLibrary } from "../../src/lib/cel/library/bindings.ts";
import { encodersLibrary } from "../../src/lib/cel/library/encoders.ts";
import { listsLibrary } from "../../src/lib/cel/library/lists.ts";
import { mathLibrary } from "../../src/lib/cel/library/math.ts";
import { optionalsLibrary } from "../../src/lib/cel/library/optionals.ts";
import { regexLibrary } from "../../src/lib/cel/library/regex.ts";
import { setsLibrary } from "../../src/lib/cel/library/sets.ts";
import { stringsLibrary } from "../../src/lib/cel/library/strings.ts";
import { twoVariablesLibrary } from "../../src/lib/cel/library/two-variables.ts";

export const allLibraries: readonly Library[] = [
  bindingsLibrary,
  encodersLibrary,
  listsLibrary,
  mathLibrary,
  optionalsLibrary,
  regexLibrary,
  setsLibrary,
  stringsLibrary,
  twoVariablesLibrary,
];
