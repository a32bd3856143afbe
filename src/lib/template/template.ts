/**
 * Templates in the language that policy names and user names are written in elsewhere: the part of Go's text/template
 * that fills in one text. Clock and randomness are handed in, and every rendering has a budget.
 */
import { Evaluator, type RenderLimits } from "./evaluator.ts";
import { library, type Surroundings } from "./library.ts";
import { parseNodes } from "./parser.ts";
import type { Node } from "./syntax-tree.ts";
import type { ValueMap } from "./value.ts";

const standardLimits: RenderLimits = { steps: 50_000, output: 65_536 };

const isFunction = (name: string) => library.has(name) || name === "and" || name === "or";

export class Template {
  readonly source: string;
  readonly #nodes: readonly Node[];

  /** Throws a `TemplateError` that says where the text is wrong. */
  constructor(source: string) {
    this.source = source;
    this.#nodes = parseNodes(source, isFunction);
  }

  /** Throws a `TemplateError` if a key that is used is not there, or if a function refuses its arguments. */
  render(data: ValueMap, surroundings: Surroundings, limits: RenderLimits = standardLimits): string {
    return new Evaluator(this.source, data, surroundings, limits).render(this.#nodes);
  }
}
