/** Declares roles that are programs. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { anything, type Fields, group, groups, text, type Values } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { isJsonObject } from "../../lib/json.ts";
import { type CelProgram, type CelRole, requireProgram } from "./cel-role.ts";
import type { PkiServices } from "./services.ts";

const path = pathsFor<PkiServices>();

const programField = group("The program", {
  variables: groups("Named parts, each of which may use those before it", {
    name: text("Name of the variable"),
    expression: text("Expression"),
  }).optional(),
  expression: text("What decides: a ValidationOutput to issue, a text to refuse"),
});

const roleFields = { name: text("Name of the role"), cel_program: programField } satisfies Fields;
const inputFields = {
  cel_program: anything("The program: an object with variables and expression").optional(),
} satisfies Fields;

const role = path({
  pattern: "cel/roles/:name",
  summary: "Manage roles that are programs",
  params: { name: text("Name of the role") },
  read: {
    summary: "Read a role",
    output: roleFields,
    async handler({ name }, { services }) {
      const found = await services.celRoles.find(name);
      if (!found) throw absent();
      return shown(found);
    },
  },
  write: {
    summary: "Create or replace a role",
    input: inputFields,
    output: roleFields,
    exists: async ({ name }, { services }) => (await services.celRoles.find(name)) !== undefined,
    async handler({ name, cel_program }, { services }) {
      return shown(save(services, { name, cel_program: readProgram(cel_program) }));
    },
  },
  patch: {
    summary: "Change parts of a role's program",
    input: inputFields,
    output: roleFields,
    async handler({ name, cel_program }, { services }) {
      const before = await services.celRoles.find(name);
      if (!before) throw invalidRequest("Unable to fetch cel role entry to patch");
      if (cel_program === undefined) return shown(before);
      const changes = parsed(cel_program);
      if (!isJsonObject(changes)) throw invalidRequest("'cel_program' must be a valid map");
      return shown(save(services, { name, cel_program: readProgram({ ...before.cel_program, ...changes }) }));
    },
  },
  delete: {
    summary: "Delete a role; what was issued under it lives on",
    handler: async ({ name }, { services }) => services.celRoles.delete(name),
  },
  examples: [
    { operation: "write", request: { cel_program: { expression: "'nothing is issued here'" } } },
    { operation: "patch", request: { cel_program: { expression: "'closed'" } } },
  ],
});

function save(services: PkiServices, saved: CelRole): CelRole {
  requireProgram(saved.cel_program);
  services.celRoles.put(saved);
  return saved;
}

const shown = (found: CelRole) => found as Values<typeof roleFields>;

/** The command line sends it as JSON text. */
function parsed(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    throw invalidRequest("'cel_program' must be a valid map");
  }
}

function readProgram(given: unknown): CelProgram {
  const value = parsed(given);
  if (value === undefined || value === null || value === "") {
    throw invalidRequest("missing required field 'cel_program'");
  }
  if (!isJsonObject(value)) throw invalidRequest("'cel_program' must be a valid map");
  const { expression, variables } = value;
  if (typeof expression !== "string" || expression === "") {
    throw invalidRequest("cel_program.expression cannot be empty");
  }
  if (variables === undefined || variables === null) return { expression };
  if (!Array.isArray(variables) || !variables.every(isVariable)) {
    throw invalidRequest("cel_program.variables must be a list of objects with name and expression");
  }
  return { variables: variables.map(({ name, expression: text }) => ({ name, expression: text })), expression };
}

const isVariable = (value: unknown): value is { name: string; expression: string } =>
  isJsonObject(value) &&
  typeof value["name"] === "string" &&
  value["name"] !== "" &&
  typeof value["expression"] === "string";

const roles = path({
  pattern: "cel/roles",
  summary: "Roles that are programs",
  list: {
    summary: "List roles that are programs",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.celRoles.list(pageOf(page)) }),
  },
});

export const celRolePaths = [roles, role];
