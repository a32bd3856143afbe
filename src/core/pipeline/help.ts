/** Explains the path of a request from its declaration, to anybody with a valid token. */
import { unsupportedPath } from "../../api/errors.ts";
import { RawReply } from "../../api/reply.ts";
import { mountHelp, pathHelp } from "../../derive/help.ts";
import { openApiDocument } from "../../derive/openapi.ts";
import type { Around } from "./pipeline.ts";

export const explainPath =
  (version: string): Around =>
  async ({ mount, match, request }) => {
    if (!mount) throw unsupportedPath();
    const isWhole = request.path === mount.path || `${request.path}/` === mount.path;
    const found = isWhole ? undefined : match;
    if (!found && !isWhole) throw unsupportedPath();
    const paths = found ? [found.route.path] : mount.engine.paths;
    const help = found
      ? pathHelp(found.route.path as never, mount.path + found.route.pattern)
      : mountHelp(mount.engine.summary, mount.engine.paths as never);
    const { type } = mount.entry;
    const described = { path: mount.path, type, tag: type, paths: paths as never };
    const openapi = openApiDocument([described], { version, generic: false, isAllowed: () => true });
    return new RawReply(`${JSON.stringify({ help, see_also: null, openapi })}\n`, "application/json");
  };
