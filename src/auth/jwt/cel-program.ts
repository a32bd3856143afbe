/** A program as a request brings it: read, completed from what was there before, and checked. */
import { invalidRequest } from "../../api/errors.ts";
import { EvaluationError, LimitError, ProgramError } from "../../lib/cel/errors.ts";
import { compileNamed, type NamedExpression } from "../../lib/cel/named-program.ts";
import { jwtEnvironment } from "../../lib/cel/role-environments.ts";
import { isJsonObject, JsonError, type JsonObject, parseJson } from "../../lib/json.ts";
import type { CelProgram } from "./cel-role.ts";

/** `before` gives what the request leaves out. */
export function readProgram(raw: unknown, before?: CelProgram): CelProgram {
  const given = programObject(raw);
  const expression = given["expression"] ?? before?.expression ?? "";
  if (typeof expression !== "string") throw undecodable("'expression' is not a string");
  const variables = given["variables"] === undefined ? (before?.variables ?? []) : readVariables(given["variables"]);
  const program: CelProgram = variables.length === 0 ? { expression } : { variables, expression };
  if (program.expression.trim() === "") throw invalidRequest("cel_program.expression cannot be empty");
  requireSound(program);
  return program;
}

function programObject(raw: unknown): JsonObject {
  const value = typeof raw === "string" ? parsed(raw) : raw;
  if (!isJsonObject(value)) throw invalidRequest("'cel_program' must be a valid map");
  return value;
}

/** Command lines send the whole program as one text of JSON. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw undecodable(error.message);
    throw error;
  }
}

function readVariables(raw: unknown): NamedExpression[] {
  if (raw === null) return [];
  if (!Array.isArray(raw)) throw undecodable("'variables' is not a list");
  return raw.map((variable: unknown, index) => {
    const { name, expression } = isJsonObject(variable) ? variable : {};
    if (typeof name !== "string" || typeof expression !== "string") {
      throw undecodable(`variables[${index}] needs a name and an expression, both strings`);
    }
    return { name, expression };
  });
}

function requireSound(program: CelProgram): void {
  try {
    compileNamed(program, jwtEnvironment);
  } catch (error) {
    const isMistake = error instanceof ProgramError || error instanceof EvaluationError || error instanceof LimitError;
    if (isMistake) throw invalidRequest(error.message);
    throw error;
  }
}

const undecodable = (detail: string) => invalidRequest(`failed to decode 'cel_program': ${detail}`);
