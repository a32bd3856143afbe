/** Declares `sys/namespaces`: parts of the server with mounts, tokens, policies and people of their own. */
import { ApiError, absent, invalidRequest } from "../../api/errors.ts";
import { dictionary, flag, items, named, object, sensitive, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { isJsonObject } from "../../lib/json.ts";
import { wayDown } from "../namespaces/namespace.ts";
import type { Metadata } from "../namespaces/namespace-administration.ts";
import { allBelow, childNamespaces } from "../namespaces/namespace-list.ts";
import { withoutSlashes } from "../namespaces/namespace-name.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import type { StoredNamespace } from "../namespaces/stored-namespace.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const params = { path: text("Name of a namespace directly below that of the request") };

const namespaceFields = {
  id: text("What tokens of the namespace end in"),
  uuid: text("Names the namespace in storage"),
  path: text("Path of the namespace from the root, with a slash at its end"),
  custom_metadata: dictionary("What was noted on it"),
  locked: flag("Whether its API is locked"),
  tainted: flag("Whether it is being deleted"),
};

const shown = ({ id, uuid, path, custom_metadata, lock, tainted }: StoredNamespace) => ({
  id,
  uuid,
  path,
  custom_metadata,
  locked: lock !== "",
  tainted,
});

const listFields = { ...keysField, key_info: named("What there is to know of each", namespaceFields) };

/** Names as seen from the namespace of the request. */
function listed(found: readonly StoredNamespace[], { exchange }: SystemServices) {
  const entries = found.map((each) => [wayDown(exchange.namespace, each), shown(each)] as const);
  return { keys: entries.map(([key]) => key), key_info: Object.fromEntries(entries) };
}

const namespaces = path({
  pattern: "namespaces",
  summary: "Namespaces below that of the request",
  list: {
    summary: "List the namespaces directly below",
    input: pageFields,
    output: listFields,
    async handler(page, { services }) {
      const { namespace, whole } = scopeOf(services.storage);
      return listed(await childNamespaces(namespace, whole, pageOf(page)), services);
    },
  },
  scan: {
    summary: "List all namespaces below, however deep they are",
    input: pageFields,
    output: listFields,
    async handler(page, { services }) {
      const { namespace, whole } = scopeOf(services.storage);
      const { after, limit = Number.POSITIVE_INFINITY } = pageOf(page);
      const found: StoredNamespace[] = [];
      const begin = after === undefined ? [] : withoutSlashes(after).split("/");
      for await (const each of allBelow(namespace, whole, begin)) {
        found.push(each);
        if (found.length >= limit) break;
      }
      return listed(found, services);
    },
  },
});

const metadataField = dictionary("Notes on the namespace");

const namespace = path({
  pattern: "namespaces/:path*",
  summary: "Make, read, change or delete a namespace",
  params,
  read: {
    summary: "Read a namespace",
    output: namespaceFields,
    async handler({ path }, { services }) {
      const found = await services.namespaces.find(path, scopeOf(services.storage));
      if (!found) throw absent();
      return shown(found);
    },
  },
  write: {
    summary: "Make a namespace, or replace the notes on one that exists",
    input: {
      custom_metadata: metadataField.default({}),
      seal: text("Refused: all namespaces open with the server").default(""),
      pgp_keys: items("Refused, as seal is").default([]),
    },
    output: namespaceFields,
    async handler({ path, custom_metadata, seal, pgp_keys }, { services, now }) {
      if (seal !== "" || pgp_keys.length > 0) {
        throw invalidRequest("namespaces have no seal of their own here: all of them open with the server");
      }
      return shown(await services.namespaces.put(path, custom_metadata, scopeOf(services.storage), now));
    },
  },
  patch: {
    summary: "Change some of the notes on a namespace; null takes one away",
    input: { custom_metadata: object("Notes to set or, with null, to take away").optional() },
    output: namespaceFields,
    async handler({ path, custom_metadata = {} }, { services }) {
      const scope = scopeOf(services.storage);
      const found = await services.namespaces.find(path, scope);
      if (!found || found.tainted) throw new ApiError(404, "requested namespace does not exist");
      const metadata = patched(found.custom_metadata, custom_metadata);
      return shown(services.namespaces.describe(found, metadata, scope.whole));
    },
  },
  delete: {
    summary: "Delete a namespace and all that is in it; it goes on after the answer",
    output: { status: text("in-progress") },
    handler: ({ path }, context) => remove(path, context),
  },
  examples: [{ operation: "write", request: { custom_metadata: { owner: "team-web" } } }],
});

function patched(before: Metadata, changes: unknown): Metadata {
  const after: Record<string, string> = { ...before };
  if (!isJsonObject(changes)) return after;
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete after[name];
    else if (typeof value === "string") after[name] = value;
    else throw invalidRequest("custom_metadata values must be strings");
  }
  return after;
}

async function remove(path: string, { services, warn }: Context<SystemServices>) {
  const removed = await services.namespaces.remove(path, scopeOf(services.storage));
  if (!removed) {
    warn("requested namespace does not exist");
    return undefined;
  }
  const { namespaceDeletion, log, exchange } = services;
  // Not waited for: whoever leads goes on with it if this process does not.
  exchange.afterCommit.push(async () => {
    void namespaceDeletion.finish().catch((error: unknown) => {
      log.error("a namespace was not deleted yet, and will be tried again", { error: String(error) });
    });
  });
  return { status: "in-progress" };
}

const lockParams = { path: text("Namespace below that of the request; its own when empty").default("") };

const lock = path({
  pattern: ["namespaces/api-lock/lock", "namespaces/api-lock/lock/:path*"],
  summary: "Close a namespace, and those below it, to requests",
  params: lockParams,
  write: {
    summary: "Lock a namespace; answers the key that opens it again",
    output: { unlock_key: sensitive(text("Opens the namespace again")) },
    handler: async ({ path }, { services }) => ({
      unlock_key: await services.namespaces.lock(path, scopeOf(services.storage)),
    }),
  },
});

const unlock = path({
  pattern: ["namespaces/api-lock/unlock", "namespaces/api-lock/unlock/:path*"],
  summary: "Open a namespace to requests again",
  params: lockParams,
  write: {
    summary: "Unlock a namespace, with its key or with sudo",
    input: { unlock_key: sensitive(text("What lock answered; may be empty for a caller with sudo")).default("") },
    async handler({ path, unlock_key }, { services, caller, warn }) {
      if (unlock_key === "" && !caller?.sudo) throw invalidRequest("unlock_key is empty, and sudo is not granted");
      const key = unlock_key === "" ? undefined : unlock_key;
      await services.namespaces.unlock(path, key, scopeOf(services.storage));
      if (key === undefined) warn("the namespace was unlocked without its key, since sudo is granted");
    },
  },
});

const visible = path({
  pattern: "internal/ui/namespaces",
  summary: "Namespaces below that of the request in which the caller can do something",
  access: "optional",
  read: {
    summary: "List visible namespaces",
    output: keysField,
    async handler(_input, { services, now }) {
      const { token, namespace } = services.exchange;
      const acl = token && (await services.access.aclOf(token, services.storage, now));
      const keys: string[] = [];
      if (!acl) return { keys };
      for await (const each of allBelow(namespace, scopeOf(services.storage).whole)) {
        const way = wayDown(namespace, each);
        if (!each.tainted && acl.reaches(way, now)) keys.push(way);
      }
      return { keys };
    },
  },
});

export const namespacePaths = [namespaces, namespace, lock, unlock, visible];
