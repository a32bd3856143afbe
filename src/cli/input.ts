/** Reads data from arguments: `key=value`, `key=@file`, `key=-`, `@file.json` and `-`. */
import { readFile } from "node:fs/promises";
import type { Query } from "../client/client.ts";
import { isJsonObject, type JsonObject, parseJson } from "../lib/json.ts";
import { UsageError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** A key that is given twice becomes a list. Messages never quote an argument: it may be a secret. */
export async function readData(words: readonly string[], terminal: Terminal): Promise<JsonObject> {
  const data: JsonObject = Object.create(null);
  const seen = new Map<string, unknown[]>();
  for (const [index, word] of words.entries()) {
    if (word === "-") Object.assign(data, jsonObject(await terminal.readInput(), "standard input"));
    else if (word.startsWith("@")) Object.assign(data, jsonObject(await readText(word.slice(1)), word.slice(1)));
    else {
      const equals = word.indexOf("=");
      if (equals < 1)
        throw new UsageError(`argument ${index + 1} of the data is not of the form key=value: ${allowed}`);
      const key = word.slice(0, equals);
      const values = [...(seen.get(key) ?? []), await readValue(word.slice(equals + 1), terminal)];
      seen.set(key, values);
      data[key] = values.length === 1 ? values[0] : values;
    }
  }
  return data;
}

const allowed = "use key=value, key=@file, key=- for standard input, @file for JSON, or - for JSON from standard input";

/** For help texts. */
export const dataForms =
  "Data is key=value; key=@file takes the value from a file and key=- from standard input; " +
  "@file takes a whole JSON object from a file and - from standard input. A key given twice becomes a list.";

/** Data that goes into the query of a request. */
export async function readQuery(words: readonly string[], terminal: Terminal): Promise<Query> {
  const data = await readData(words, terminal);
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

/** An argument that may be a secret: `-` reads it from standard input, where no process list shows it. */
export async function readSecretArgument(word: string | undefined, terminal: Terminal): Promise<string | undefined> {
  return word === "-" ? (await terminal.readInput()).trim() : word;
}

/** `\@` stands for an @ that is part of the value. */
async function readValue(text: string, terminal: Terminal): Promise<string> {
  if (text === "-") return terminal.readInput();
  if (text.startsWith("@")) return readText(text.slice(1));
  return text.startsWith("\\@") ? text.slice(1) : text;
}

/** A file by its name, or `-` for standard input. */
export async function readFileOrInput(name: string, terminal: Terminal): Promise<string> {
  return name === "-" ? terminal.readInput() : readText(name.startsWith("@") ? name.slice(1) : name);
}

async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`a file cannot be read: ${error.message}`);
  });
}

function jsonObject(text: string, where: string): JsonObject {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new UsageError(`${where} is not JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw new UsageError(`${where} must hold a JSON object`);
  return value;
}
