/** Where people look who do not know that a mount has versions: they are told where to look instead. */
import { text } from "../../../api/fields.ts";
import { keysField, pageFields } from "../../../api/list-fields.ts";
import { pathsFor } from "../../../api/path.ts";
import { Answered } from "../../../api/reply.ts";
import type { VersionedServices } from "./services.ts";

const path = pathsFor<VersionedServices>();

const summary = "Not a path of a versioned mount";

const pointing =
  (verb: string) =>
  async (_: unknown, { warn }: { warn(message: string): void }) => {
    warn(
      "Invalid path for a versioned K/V secrets engine. Secrets are below data/, their settings and history below " +
        `metadata/; on the command line, use 'strongroom kv ${verb}', which finds the right path.`,
    );
    return new Answered(404, undefined);
  };

/**
 * Everything but lists, which the engine does have at the top of its parts.
 * Parameters were meant for another path: to call them unrecognized would only distract.
 */
export const wrongPath = {
  read: { summary, openInput: true, unpublished: true, handler: pointing("get") },
  write: { summary, openInput: true, unpublished: true, handler: pointing("put") },
  patch: { summary, openInput: true, unpublished: true, handler: pointing("patch") },
  delete: { summary, openInput: true, unpublished: true, handler: pointing("delete") },
};

export const wrongPaths = [
  path({ ...wrongPath, pattern: ["data", "delete", "undelete", "destroy", "subkeys"], summary, unpublished: true }),
  path({
    ...wrongPath,
    pattern: ":path*",
    summary,
    unpublished: true,
    params: { path: text("Anything") },
    list: { summary, input: pageFields, output: keysField, handler: pointing("list") },
    scan: { summary, input: pageFields, output: keysField, handler: pointing("scan") },
  }),
];
