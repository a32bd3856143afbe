/** Prints a key-value secret: its path, what is known about its version, and its data. */
import type { Answer } from "../../../client/client.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { CommandFailure, exitCodes } from "../../failure.ts";
import { cellText, sortedKeys } from "../../output/cell.ts";
import type { Printer } from "../../output/printer.ts";
import { keyValueTable, titled } from "../../output/table.ts";

const rows = (object: JsonObject) =>
  sortedKeys(object).map((name) => [name, object[name] === "" ? "" : cellText(object[name])]);

const section = (title: string, object: JsonObject): string => titled(title, keyValueTable(rows(object)));

const pathSection = (path: string): string => titled("Secret Path", `${path}\n`);

/** What a write answers: the version that it made. */
export function printVersion(print: Printer, answer: Answer, path: string): number {
  if (print.format !== "table" || print.hasField || answer.secret.wrap_info !== null) return print.secret(answer);
  print.warn(answer.secret.warnings);
  return print.text([pathSection(path), section("Metadata", answer.data)].join("\n"), undefined);
}

/** What a read answers. A deleted version has no data, and the exit code says so. */
export function printVersioned(print: Printer, answer: Answer, path: string): number {
  if (answer.secret.wrap_info !== null) return print.secret(answer);
  const { data, metadata } = answer.data;
  const isThere = isJsonObject(data);
  const code = isThere ? exitCodes.ok : exitCodes.refused;
  if (print.hasField) {
    if (isThere) return print.data(data);
    throw new CommandFailure(`No value found at ${path}`, exitCodes.refused);
  }
  if (print.format !== "table") {
    print.secret(answer);
    return code;
  }
  print.warn(answer.secret.warnings);
  const sections = [pathSection(path)];
  if (isJsonObject(metadata)) sections.push(section("Metadata", metadata));
  if (isThere) sections.push(section("Data", data));
  print.text(sections.join("\n"), undefined);
  return code;
}

export function printUnversioned(print: Printer, answer: Answer): number {
  const isPlain = print.format === "table" && !print.hasField && answer.secret.wrap_info === null;
  if (!isPlain) return print.secret(answer);
  print.warn(answer.secret.warnings);
  return print.text(section("Data", answer.data), undefined);
}
