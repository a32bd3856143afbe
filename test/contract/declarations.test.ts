import { describe, expect, test } from "vitest";
import { type Field, type Fields, notesOf } from "../../src/api/fields.ts";
import { compileOperations, readInput } from "../../src/api/input.ts";
import { operationNames } from "../../src/api/path.ts";
import { everyPath } from "../support/every-path.ts";

/** Each path once, however many patterns it has. */
const paths = [...new Map(everyPath.map((declared) => [declared.path, declared])).values()];
const named = paths.map((declared) => [`${declared.mount}${declared.pattern}`, declared.path] as const);

const undescribed = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (notesOf(field).description?.trim() ? [] : [name]));

const hidden = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]: [string, Field]) => (notesOf(field).writeOnly ? [name] : []));

describe.each(named)("%s", (_name, path) => {
  test("is described, and so is each of its fields", () => {
    expect(path.summary).toMatch(/\S/);
    expect(undescribed(path.params)).toEqual([]);
    for (const name of operationNames) {
      const operation = path.operations[name];
      if (!operation) continue;
      expect(operation.summary).toMatch(/\S/);
      expect(undescribed(operation.input ?? {}), `${name} input`).toEqual([]);
      expect(undescribed(operation.output ?? {}), `${name} output`).toEqual([]);
      expect(hidden(operation.output ?? {}), `${name} gives out what is write-only`).toEqual([]);
    }
  });

  test("lists page", () => {
    for (const name of ["list", "scan"] as const) {
      const operation = path.operations[name];
      if (!operation) continue;
      expect(Object.keys(operation.input ?? {})).toEqual(expect.arrayContaining(["after", "limit"]));
      expect(Object.keys(operation.output ?? {})).toContain("keys");
    }
  });

  test("examples are valid", () => {
    const compiled = compileOperations(path);
    for (const { operation, request } of path.examples) {
      const params = Object.fromEntries(Object.keys(path.params).map((name) => [name, "example"]));
      const { warnings } = readInput(compiled[operation] as never, params, { ...request });
      expect(warnings).toEqual([]);
    }
  });
});
