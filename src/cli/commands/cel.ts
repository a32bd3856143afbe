/** `cel …`: tries the programs that roles are written in, without a server. */
import type { Environment } from "../../lib/cel/environment.ts";
import { EvaluationError, LimitError } from "../../lib/cel/errors.ts";
import { compileNamed, type NamedProgram, type ProgramText } from "../../lib/cel/named-program.ts";
import { jwtEnvironment, pkiEnvironment } from "../../lib/cel/role-environments.ts";
import { parseTimestamp } from "../../lib/cel/time-text.ts";
import { typeText } from "../../lib/cel/types.ts";
import { valueText } from "../../lib/cel/value-text.ts";
import { type PlainMap, Timestamp, type Value } from "../../lib/cel/values.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { CommandFailure, exitCodes, UsageError } from "../failure.ts";
import { choiceFlag, textFlag } from "../flags.ts";
import { readFileOrInput } from "../input.ts";
import type { Terminal } from "../terminal.ts";

const roleKinds = ["jwt", "pki"] as const;
const environments: Readonly<Record<(typeof roleKinds)[number], Environment>> = {
  jwt: jwtEnvironment,
  pki: pkiEnvironment,
};

const flags = {
  program: textFlag(
    "File with the program: an expression, or JSON with `variables` and `expression`; - for standard input",
  ),
  role: choiceFlag(roleKinds, "What the program decides about, and so which names it knows", { default: "jwt" }),
};

const check = defineCommand({
  summary: "Check a program and say what type it gives, or what is wrong and where",
  examples: [{ purpose: "Check the program of a JWT role", line: "cel check -program=role.json" }],
  flags,
  async run({ flags: { program, role }, terminal }) {
    const { type } = await compileFile(program, environments[role], terminal);
    terminal.write(`${typeText(type)}\n`);
    return exitCodes.ok;
  },
});

const evaluate = defineCommand({
  summary: "Run a program and print its result as JSON",
  description: ["`now` is the current time, and `operation` is update, unless the variables say otherwise."],
  examples: [
    { purpose: "See what a token's claims would give", line: "cel eval -program=role.json -variables=login.json" },
  ],
  flags: {
    ...flags,
    variables: textFlag('File with JSON that holds the variables, such as {"claims": {"sub": "ada"}}'),
  },
  async run({ flags: { program, role, variables }, terminal }) {
    const compiled = await compileFile(program, environments[role], terminal);
    const values = variables === undefined ? {} : readVariables(await readFileOrInput(variables, terminal), variables);
    terminal.write(`${valueText(attempt(() => compiled.evaluate({ ...defaults(), ...values })))}\n`);
    return exitCodes.ok;
  },
});

const defaults = (): PlainMap => ({ now: Timestamp.fromDate(new Date()), operation: "update", use_csr: false });

async function compileFile(
  file: string | undefined,
  environment: Environment,
  terminal: Terminal,
): Promise<NamedProgram> {
  if (file === undefined) throw new UsageError("which program? Name its file with -program");
  const text = await readFileOrInput(file, terminal);
  return attempt(() => compileNamed(readProgram(text), environment));
}

/** A program is a JSON object; anything else is an expression. Even `{"a": 1}` is one, as it has no `expression`. */
function readProgram(text: string): ProgramText {
  const read = parsed(text);
  if (typeof read === "object" && read !== null && "expression" in read) return programOf(read);
  return { expression: text.trim() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function programOf({ expression, variables = [] }: { expression: unknown; variables?: unknown }): ProgramText {
  const isFine =
    typeof expression === "string" &&
    Array.isArray(variables) &&
    variables.every((each) => typeof each?.name === "string" && typeof each?.expression === "string");
  if (isFine) return { expression, variables };
  const message = 'a program is {"variables": [{"name": "…", "expression": "…"}], "expression": "…"}, all of it text';
  throw new CommandFailure(message, exitCodes.local);
}

function readVariables(text: string, file: string): PlainMap {
  const read = parseObject(text, file);
  const { now, request } = read;
  const moment = typeof now === "string" ? parseTimestamp(now) : undefined;
  if (now !== undefined && moment === undefined) {
    throw new CommandFailure(`${file}: now must be a time such as 2026-01-31T12:00:00Z`, exitCodes.local);
  }
  return {
    ...read,
    ...(moment !== undefined && { now: new Timestamp(moment) }),
    ...(request !== undefined && { request: numbersAsText(request) }),
  };
}

function parseObject(text: string, file: string): PlainMap {
  const read = parsed(text);
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as PlainMap;
  throw new CommandFailure(`${file} must hold a JSON object: {"claims": {…}}`, exitCodes.local);
}

/** So the program of a PKI role gets them. */
function numbersAsText(value: Value): Value {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(numbersAsText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, numbersAsText(each)]));
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const isAboutProgram = error instanceof EvaluationError || error instanceof LimitError;
    throw isAboutProgram ? new CommandFailure(error.message, exitCodes.local) : error;
  }
}

export const command: CommandGroup = {
  summary: "Try programs of roles in the Common Expression Language",
  commands: { check, eval: evaluate },
};
