import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillStatement, mysqlDialect, postgresDialect, statementsIn } from "./sql-text.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("statements", () => {
  it.each([
    ["one", ["SELECT 1"], ["SELECT 1"]],
    ["several in one", ["SELECT 1; SELECT 2 ;"], ["SELECT 1", "SELECT 2"]],
    ["semicolons in quotes", [`SELECT ';', ";", $$;$$, $x$;$x$`], [`SELECT ';', ";", $$;$$, $x$;$x$`]],
    ["doubled quotes", ["SELECT 'it''s; one'"], ["SELECT 'it''s; one'"]],
    ["escapes", ["SELECT E'\\'; one'"], ["SELECT E'\\'; one'"]],
    ["comments", ["SELECT 1 -- one; two\n; SELECT /* ; */ 2"], ["SELECT 1 -- one; two", "SELECT /* ; */ 2"]],
    ["a routine", ["DO $$ BEGIN x; END $$; SELECT 1"], ["DO $$ BEGIN x; END $$", "SELECT 1"]],
    ["a body without quotes", ["CREATE FUNCTION f() BEGIN ATOMIC a; END"], ["CREATE FUNCTION f() BEGIN ATOMIC a; END"]],
    ["a JSON array", ['["SELECT 1; 2", "SELECT 3"]'], ["SELECT 1; 2", "SELECT 3"]],
    ["base64", [base64("SELECT 1; SELECT 2")], ["SELECT 1", "SELECT 2"]],
    ["base64 of a JSON array", [base64('["SELECT 1", "SELECT 2"]')], ["SELECT 1", "SELECT 2"]],
    ["nothing", ["", " ; "], []],
  ])("%s", (_, given, expected) => {
    expect(statementsIn(given, postgresDialect)).toEqual(expected);
  });
});

describe("values", () => {
  const value = `a'b"c\`d\\e`;
  it.each([
    ["a string", "'{{v}}'", "'a''b\"c`d\\e'", postgresDialect],
    ["a string with escapes", "E'{{v}}'", "E'a''b\\\"c`d\\\\e'", postgresDialect],
    ["a name", '"{{ v }}"', '"a\'b""c`d\\e"', postgresDialect],
    ["a string of MySQL", "'{{v}}'", "'a''b\\\"c`d\\\\e'", mysqlDialect],
    ["a name of MySQL", "`{{v}}`", "`a'b\"c``d\\e`", mysqlDialect],
    ["an unknown placeholder", "'{{w}}'", "'{{w}}'", postgresDialect],
  ])("are escaped in %s", (_, sql, expected, dialect) => {
    expect(fillStatement(sql, { v: value }, dialect)).toBe(expected);
  });

  it.each([
    ["without quotes", "CREATE ROLE {{v}}", value],
    ["without quotes, as a comment", "CREATE ROLE {{v}}", "a--b"],
    ["in dollar quotes", "DO $$ {{v}} $$", "a$$b"],
    ["in dollar quotes, as a string", "DO $$ EXECUTE '{{v}}' $$", "a'b"],
    ["in a comment", "SELECT 1 -- {{v}}", "a\nb"],
    ["with a NUL", "SELECT '{{v}}'", "a\0b"],
  ])("are refused %s", (_, sql, given) => {
    expect(() => fillStatement(sql, { v: given }, postgresDialect)).toThrow("the value of {{v}}");
  });

  it("never stand without quotes if they are passwords", () => {
    expect(() => fillStatement("ALTER USER x PASSWORD {{password}}", { password: "abc" }, postgresDialect)).toThrow(
      "put the placeholder into quotes",
    );
  });

  it("are filled in once: what looks like a placeholder in a value stays", () => {
    expect(fillStatement("'{{a}}{{b}}'", { a: "{{b}}", b: "{{a}}" }, postgresDialect)).toBe("'{{b}}{{a}}'");
  });

  it("never end the string that they stand in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!text.includes("\0"));
        const filled = fillStatement("SELECT '{{v}}'", { v: text }, postgresDialect);
        expect(filled.slice(8, -1).replaceAll("''", "'")).toBe(text);
        expect(filled.slice(8, -1).replaceAll("''", "")).not.toContain("'");
        expect(statementsIn([filled], postgresDialect)).toHaveLength(1);
      }),
    );
  });
});
