/**
 * Prints answers in the format that was asked for: tables for people, JSON and YAML for programs.
 * What prints gives the exit code of a command that ends with it.
 */
import type { Answer } from "../../client/client.ts";
import { isJsonObject } from "../../lib/json.ts";
import { CommandFailure, exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { cellText, namedCellText, sortedKeys } from "./cell.ts";
import { findField, machineForm, rowsOf } from "./secret-rows.ts";
import { keyValueTable, type Row, renderTable } from "./table.ts";
import { renderYaml } from "./yaml.ts";

export const formats = ["table", "json", "yaml", "pretty", "raw"] as const;
export type Format = (typeof formats)[number];

export class Printer {
  readonly format: Format;
  readonly #terminal: Terminal;
  readonly #field: string | undefined;

  constructor(terminal: Terminal, format: Format, field: string | undefined) {
    this.#terminal = terminal;
    this.format = format;
    this.#field = field === "" ? undefined : field;
  }

  /** One field was asked for, and nothing else is printed. */
  get hasField(): boolean {
    return this.#field !== undefined;
  }

  get isForPeople(): boolean {
    return this.format === "table" || this.format === "pretty";
  }

  /** An envelope: its warnings, then the one field that was asked for, or all of it. */
  secret(answer: Answer): number {
    const { secret } = answer;
    this.warn(secret.warnings);
    if (this.#field !== undefined) return this.#oneField(findField(secret, this.#field)?.[1], this.#field);
    if (this.format === "raw") return this.#write(answer.bytes);
    if (this.#isUndecoded(answer)) throw notJson();
    const pretty = secret.auth ?? secret.wrap_info ?? secret.data;
    return this.#render(() => keyValueTable(rowsOf(secret)), machineForm(secret), pretty);
  }

  /** Data without an envelope; `rows` are for people, where its own names would not do. */
  data(data: object, rows: readonly Row[] = plainRows(data)): number {
    if (this.#field !== undefined) {
      const value = Object.hasOwn(data, this.#field) ? (data as Record<string, unknown>)[this.#field] : undefined;
      return this.#oneField(value, this.#field);
    }
    return this.#render(() => keyValueTable(rows), data);
  }

  /** Names, one a line. */
  keys(keys: readonly unknown[]): number {
    return this.#render(
      () =>
        renderTable(
          ["Keys"],
          keys.map((key) => [cellText(key)]),
        ),
      keys,
    );
  }

  table(heading: Row, rows: readonly Row[], machine: unknown): number {
    return this.#render(() => renderTable(heading, rows), machine);
  }

  /** Text for people in place of a table. */
  text(text: string, machine: unknown): number {
    return this.#render(() => (text.endsWith("\n") ? text : `${text}\n`), machine);
  }

  /** One sentence for people; programs read the exit code. */
  done(sentence: string): number {
    return this.isForPeople && this.#field === undefined ? this.#write(`${sentence}\n`) : exitCodes.ok;
  }

  warn(warnings: readonly string[] | null): void {
    if (warnings === null || warnings.length === 0) return;
    this.#terminal.complain(`WARNING! The server says:\n\n${warnings.map((warning) => `  * ${warning}`).join("\n")}\n`);
  }

  #isUndecoded = (answer: Answer): boolean => answer.json === undefined && answer.bytes.length > 0;

  #oneField(value: unknown, name: string): number {
    if (value === undefined) throw new CommandFailure(`Field "${name}" not present in the answer`, exitCodes.local);
    const text = this.isForPeople || this.format === "raw" ? plainText(value) : this.#machineText(value);
    // A line feed would become part of what a script reads.
    return this.#write(this.#terminal.isInteractive && !text.endsWith("\n") ? `${text}\n` : text);
  }

  #render(table: () => string, machine: unknown, pretty = machine): number {
    if (this.format === "table") return this.#write(table());
    return this.#write(this.#machineText(this.format === "pretty" ? pretty : machine));
  }

  #write(text: string | Uint8Array): number {
    this.#terminal.write(text);
    return exitCodes.ok;
  }

  #machineText = (value: unknown): string =>
    this.format === "yaml" || this.format === "pretty" ? renderYaml(value) : `${JSON.stringify(value, null, 2)}\n`;
}

const plainRows = (data: object): Row[] =>
  sortedKeys(data).map((name) => [name, namedCellText(name, (data as Record<string, unknown>)[name])]);

/** A text as it is; what is nested as JSON, which can be read back. */
const plainText = (value: unknown): string =>
  isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : cellText(value);

const notJson = () => new CommandFailure("The answer is not JSON: add -format=raw to see it.", exitCodes.local);
