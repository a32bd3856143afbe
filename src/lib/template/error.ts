/** A template that cannot be parsed, or that fails while it is filled in. The message says where. */

export class TemplateError extends Error {
  override readonly name = "TemplateError";
  /** Counted from one. */
  readonly line: number;
  /** Characters from the start of the line, counted from one. */
  readonly column: number;

  constructor(source: string, position: number, message: string) {
    const before = source.slice(0, position);
    const line = before.split("\n").length;
    const column = position - before.lastIndexOf("\n");
    super(`template: template:${line}:${column}: ${message}`);
    this.line = line;
    this.column = column;
  }
}

/** What a function refuses; the place is added by whoever called it. */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
}
