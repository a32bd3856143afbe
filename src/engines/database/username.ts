/** Names of the users that are made: by the connection's template, or by the plugin's own. */
import { invalidRequest } from "../../api/errors.ts";
import { TemplateError } from "../../lib/template/error.ts";
import { Template } from "../../lib/template/template.ts";
import type { Connection } from "./connection.ts";
import type { AnyPlugin } from "./plugin.ts";
import type { DatabaseServices } from "./services.ts";

export interface NamedFor {
  readonly displayName: string;
  readonly roleName: string;
}

type Surroundings = Pick<DatabaseServices, "clock" | "random">;

const ownTemplate = ({ details }: Connection): string => String(details["username_template"] ?? "");

/** Whether names come from words of the operator, which may not be unique. */
export const hasOwnTemplate = (connection: Connection): boolean => ownTemplate(connection) !== "";

export function makeUsername(
  connection: Connection,
  plugin: AnyPlugin,
  named: NamedFor,
  surroundings: Surroundings,
  template = ownTemplate(connection) || plugin.usernameTemplate,
): string {
  const rendered = render(template, named, surroundings, "username_template");
  const username = plugin.fitUsername?.(rendered) ?? rendered;
  const length = Buffer.byteLength(username, "utf8");
  if (length === 0) throw invalidRequest("username_template makes an empty user name");
  if (length > plugin.longestUsername) {
    throw invalidRequest(
      `username_template makes a user name of ${length} bytes; the database takes at most ${plugin.longestUsername}`,
    );
  }
  return username;
}

/** Rendered once with nothing to fill in, so that what is wrong shows when it is written. */
export function requireUsernameTemplate(connection: Connection, surroundings: Surroundings): void {
  const template = connection.details["username_template"];
  if (template === undefined || template === "") return;
  if (typeof template !== "string") throw invalidRequest("username_template must be a string");
  render(template, { displayName: "", roleName: "" }, surroundings, "username_template");
}

const cache = new Map<string, Template>();
const mostCached = 256;

function render(source: string, { displayName, roleName }: NamedFor, surroundings: Surroundings, what: string): string {
  try {
    return parsed(source).render({ DisplayName: displayName, RoleName: roleName }, surroundings);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw invalidRequest(`invalid ${what}: ${error.message}`);
  }
}

function parsed(source: string): Template {
  const known = cache.get(source);
  if (known) return known;
  if (cache.size >= mostCached) cache.clear();
  const template = new Template(source);
  cache.set(source, template);
  return template;
}
