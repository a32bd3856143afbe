/** Declares roles that are programs. */
import { z } from "zod";
import { absent, invalidRequest, notFound } from "../../api/errors.ts";
import { duration, list, partial, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { isRoleName, requireRoleName } from "../../api/role-name.ts";
import { readProgram } from "./cel-program.ts";
import type { CelRole, CelRoleRecord } from "./cel-role.ts";
import { usualLeeways } from "./leeway.ts";
import type { JwtServices } from "./services.ts";

const path = pathsFor<JwtServices>();

/** Checked by hand: the messages say which expression is wrong, and where. */
const program = z.unknown().meta({
  description: "The program: variables, each of which may use those before it, and the expression that decides",
  schema: {
    type: "object",
    required: ["expression"],
    properties: {
      variables: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string", description: "Name of the variable" },
            expression: { type: "string", description: "Expression in CEL" },
          },
        },
      },
      expression: {
        type: "string",
        description: "Expression in CEL: pb.Auth{…} for a login, false or a text to refuse",
      },
    },
  },
});

const fields = {
  cel_program: program,
  message: text("What callers hear when the program refuses them").default(""),
  clock_skew_leeway: duration("By how much clocks may differ; 0 for 60 seconds, -1 for none").default(
    usualLeeways.clock_skew_leeway,
  ),
  expiration_leeway: duration("How long a token is good after its end; 0 for 150 seconds, -1 for none").default(
    usualLeeways.expiration_leeway,
  ),
  not_before_leeway: duration("How long before its beginning a token is good; 0 for 150 seconds, -1 for none").default(
    usualLeeways.not_before_leeway,
  ),
  bound_audiences: list("Values of the aud claim, one of which a token must have if it has any").default([]),
};

const shownFields = { name: text("Name of the role"), ...fields };

const celRole = path({
  pattern: ["cel/roles/:name", "cel/role/:name"],
  summary: "Manage roles whose rules are a program",
  params: { name: text("Name of the role") },
  read: {
    summary: "Read a role",
    output: shownFields,
    async handler({ name }, { services }) {
      const found = await services.celRoles.find(name);
      if (!found) throw absent();
      return shown(found);
    },
  },
  write: {
    summary: "Create or replace a role; its program is checked",
    input: fields,
    output: shownFields,
    exists: async ({ name }, { services }) => (await services.celRoles.find(name)) !== undefined,
    async handler({ name, ...input }, { services, given }) {
      requireRoleName("a role", name);
      if (!given("cel_program")) throw invalidRequest("missing required field 'cel_program'");
      const record: CelRoleRecord = { ...input, name, cel_program: readProgram(input.cel_program) };
      services.celRoles.save(record);
      return record;
    },
  },
  patch: {
    summary: "Change a role; what is not given stays",
    input: partial(fields),
    output: shownFields,
    async handler({ name, ...input }, { services, given }) {
      const before = isRoleName(name) ? await services.celRoles.find(name) : undefined;
      if (!before) throw notFound("Unable to fetch cel role entry to patch");
      const { cel_program } = before;
      const changes = Object.fromEntries(Object.entries(input).filter(([field]) => given(field)));
      const record: CelRoleRecord = {
        ...shown(before),
        ...changes,
        cel_program: given("cel_program") ? readProgram(input.cel_program, cel_program) : cel_program,
      };
      services.celRoles.save(record);
      return record;
    },
  },
  delete: {
    summary: "Delete a role; tokens live on until their next renewal",
    handler: async ({ name }, { services }) => services.celRoles.delete(name),
  },
  examples: [
    {
      operation: "write",
      request: {
        cel_program: {
          variables: [{ name: "is_ours", expression: "claims.email.endsWith('@example.com')" }],
          expression: "is_ours ? pb.Auth{display_name: claims.sub, policies: ['staff']} : 'not one of us'",
        },
        message: "you may not log in here",
      },
    },
  ],
});

const celRoles = path({
  pattern: ["cel/roles", "cel/role"],
  summary: "Roles whose rules are a program",
  list: {
    summary: "List roles",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.celRoles.list(pageOf(page)) }),
  },
});

const shown = ({ program: _, ...record }: CelRole): CelRoleRecord => record;

export const celRolePaths = [celRole, celRoles];
