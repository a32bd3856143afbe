/** What must hold for any program, made up at random. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EvaluationError, LimitError, ProgramError } from "./errors.ts";
import { Meter } from "./limits.ts";
import { print } from "./print.ts";
import { jwtEnvironment } from "./role-environments.ts";
import { Timestamp, Uint } from "./values.ts";

const constants = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => `${value}u`),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Number.isInteger(value) ? (`${value}`.includes("e") ? `${value}` : `${value}.0`) : `${value}`)),
  fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
  fc
    .uint8Array({ maxLength: 4 })
    .map((bytes) => `b'${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`),
  fc.constantFrom("true", "false", "null", "1", "0", "2", "'a'", "[]", "{}"),
);
const names = fc.constantFrom("claims", "now", "operation", "x", "claims.sub", "claims.groups", "claims.`a-b`");

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie("expression");
  const method = fc.constantFrom(
    "size",
    "contains",
    "startsWith",
    "matches",
    "split",
    "join",
    "replace",
    "reverse",
    "sort",
    "flatten",
    "distinct",
    "first",
    "value",
    "hasValue",
    "orValue",
    "upperAscii",
    "getHours",
    "format",
  );
  const macro = fc.constantFrom("all", "exists", "exists_one", "map", "filter", "sortBy", "optMap");
  const operator = fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "in");
  const call = fc.constantFrom(
    "size",
    "int",
    "uint",
    "double",
    "string",
    "bytes",
    "timestamp",
    "duration",
    "type",
    "dyn",
    "optional.of",
    "math.abs",
    "math.greatest",
    "lists.range",
    "base64.encode",
    "encode_json",
    "decode_json",
    "check_valid_email",
  );
  return {
    expression: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      constants,
      names,
      fc.tuple(inner, operator, inner).map(([left, symbol, right]) => `(${left} ${symbol} ${right})`),
      fc.tuple(inner, inner, inner).map((parts) => `(${parts[0]} ? ${parts[1]} : ${parts[2]})`),
      fc.tuple(fc.constantFrom("!", "-", "--"), inner).map(([symbol, operand]) => `(${symbol}(${operand}))`),
      fc
        .tuple(inner, method, fc.array(inner, { maxLength: 2 }))
        .map(([target, name, rest]) => `(${target}).${name}(${rest.join(", ")})`),
      fc.tuple(inner, macro, inner).map(([target, name, body]) => `(${target}).${name}(x, ${body})`),
      fc.tuple(call, inner).map(([name, parameter]) => `${name}(${parameter})`),
      fc
        .tuple(inner, fc.constantFrom(".b", ".?b", ".`c d`", "[0]", "[?0]"))
        .map(([target, access]) => `(${target})${access}`),
      fc.array(inner, { maxLength: 3 }).map((elements) => `[${elements.join(", ")}]`),
      fc
        .array(fc.tuple(inner, inner), { maxLength: 2 })
        .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(", ")}}`),
      inner.map((value) => `pb.Auth{display_name: ${value}}`),
      inner.map((value) => `has((${value}).field)`),
    ),
  };
});

const shape = (tree: unknown): string =>
  JSON.stringify(tree, (key, value) => {
    if (key === "position") return undefined;
    if (value instanceof Uint) return `${value.value}u`;
    if (value instanceof Set) return [...value];
    if (Object.is(value, -0)) return "-0";
    return typeof value === "bigint" ? `${value}n` : value;
  });

const variables = { claims: { sub: "ada", groups: ["a", "b"], "a-b": 1 }, now: new Timestamp(0n), operation: "update" };

/** Whatever is not one of ours is a bug. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    const isOurs = error instanceof ProgramError || error instanceof EvaluationError || error instanceof LimitError;
    if (!isOurs) throw error;
  }
}

describe("any program", () => {
  it("is the same after it was printed and parsed again", () => {
    fc.assert(
      fc.property(expression, (text) => {
        attempt(() => {
          const { tree } = jwtEnvironment.parse(text);
          expect(shape(jwtEnvironment.parse(print(tree)).tree)).toBe(shape(tree));
        });
      }),
      { numRuns: 300 },
    );
  });

  it("is checked and ends within its budget", () => {
    fc.assert(
      fc.property(expression, (text) => {
        attempt(() => void jwtEnvironment.check(jwtEnvironment.parse(text)));
        const meter = new Meter({ steps: 2_000, size: 10_000 });
        attempt(() => void jwtEnvironment.program(jwtEnvironment.parse(text)).evaluate(variables, meter));
      }),
      { numRuns: 500 },
    );
  });

  it("evaluates to a value of the type that was found for it", () => {
    fc.assert(
      fc.property(expression, (text) => {
        attempt(() => {
          const ast = jwtEnvironment.parse(text);
          const { type } = jwtEnvironment.check(ast);
          if (!["bool", "int", "uint", "double", "string", "bytes"].includes(type.kind)) return;
          const name = jwtEnvironment.program(jwtEnvironment.parse(`string(type(${text}) == ${type.kind})`));
          // `encode_json` says no with a truth value, whatever its signature says.
          if (!text.includes("encode_json")) expect(name.evaluate(variables)).toBe("true");
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe("any text", () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        ..."()[]{}.,:?!+-*/%<>=&|'\"`\\ \n",
        "in",
        "true",
        "==",
        "&&",
        "0x",
        "1e",
        "r'",
        'b"""',
        "has(",
        ".map(x,",
        "😀",
      ),
      fc.string(),
    ),
    { maxLength: 30 },
  );

  it("is parsed and checked, or refused with a place", () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        attempt(() => void jwtEnvironment.check(jwtEnvironment.parse(parts.join(""))));
      }),
      { numRuns: 1000 },
    );
  });
});
