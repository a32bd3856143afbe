/** Declares `sys/internal/specs/openapi`: the API as the caller may use it. */
import { flag, text } from "../../api/fields.ts";
import { type AnyOperation, type Context, type OperationName, pathsFor } from "../../api/path.ts";
import { RawReply } from "../../api/reply.ts";
import { type DocumentedMount, openApiDocument } from "../../derive/openapi.ts";
import { isAuth, type MountEntry } from "../mounts/mount-entry.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { couldAllow } from "../policies/pattern-access.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const input = {
  generic_mount_paths: flag("Replace mount prefixes by the parameter {mountPath}").default(false),
  context: text("Accepted; not used").default(""),
};

async function document(generic: boolean, { services, now }: Context<SystemServices>) {
  const { token } = services.exchange;
  const acl = token && (await services.access.aclOf(token, services.storage, now));
  const isAllowed = (pattern: string, name: OperationName, { sudo, exists }: AnyOperation) =>
    acl !== undefined && couldAllow(acl, { pattern, name, sudo: sudo === true, creates: exists !== undefined }, now);
  const mounts = await documentedMounts(services);
  // Public paths show to everybody who may know the mount: by a policy, or because the mount shows itself.
  const visible = mounts.filter(({ path, isPublic }) => path === "sys/" || isPublic || acl?.reaches(path, now));
  const text = JSON.stringify(openApiDocument(visible, { version: services.version, generic, isAllowed }));
  return new RawReply(`${text}\n`, "application/json");
}

async function documentedMounts(services: SystemServices): Promise<(DocumentedMount & { isPublic: boolean })[]> {
  const { entries } = await readMountTable(services.storage);
  const described = entries.map(async (entry) => ({
    path: entry.path,
    type: entry.type,
    tag: tagOf(entry),
    paths: await services.live.pathsOf(entry),
    isPublic: entry.config.listing_visibility === "unauth",
  }));
  const mounted = await Promise.all(described);
  return [{ path: "sys/", type: "system", tag: "system", paths: services.systemPaths, isPublic: true }, ...mounted];
}

const tagOf = (entry: MountEntry) => (entry.type === "identity" ? "identity" : isAuth(entry) ? "auth" : "secrets");

const openApi = path({
  pattern: "internal/specs/openapi",
  summary: "OpenAPI document of the paths that the caller may use",
  access: "optional",
  read: {
    summary: "Read the OpenAPI document",
    input,
    handler: (query, context) => document(query.generic_mount_paths, context),
  },
  write: {
    summary: "Read the OpenAPI document",
    input,
    handler: (query, context) => document(query.generic_mount_paths, context),
  },
});

export const openApiPaths = [openApi];
