/** Secrets that hold their latest data only: version 1 of the engine. */
import { readDuration } from "../../api/coerce.ts";
import type { Storage } from "../../api/engine.ts";
import { absent, invalidRequest } from "../../api/errors.ts";
import { text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { Open, pathsFor } from "../../api/path.ts";
import { Perishable } from "../../api/reply.ts";
import { longestDuration } from "../../lib/duration.ts";
import type { JsonObject } from "../../lib/json.ts";
import { scan } from "./scan.ts";
import { folderOf, parseSecret, secretBytes, secretPrefix, writableName } from "./secret-text.ts";

export interface UnversionedServices {
  readonly storage: Storage;
  readonly defaultLeaseSeconds: number;
}

const path = pathsFor<UnversionedServices>();

const entry = path({
  pattern: ":path*",
  summary: "Read, write, delete and list secrets",
  params: { path: text("Where the secret is") },
  read: {
    summary: "Read a secret",
    openOutput: true,
    async handler({ path }, { services: { storage, defaultLeaseSeconds } }) {
      const data = await storage.read(secretPrefix + path, parseUnversioned);
      if (!data) throw absent();
      return new Perishable(new Open(data), secondsToKeep(data, defaultLeaseSeconds));
    },
  },
  write: {
    summary: "Store a secret, replacing what was there",
    openInput: true,
    exists: async ({ path }, { services }) => (await services.storage.get(secretPrefix + path)) !== undefined,
    async handler({ path }, { services, body }) {
      const name = writableName(path);
      if (Object.keys(body).length === 0) throw invalidRequest("missing data fields");
      services.storage.put(secretPrefix + name, secretBytes(body));
    },
  },
  delete: {
    summary: "Delete a secret",
    handler: async ({ path }, { services }) => services.storage.delete(secretPrefix + path),
  },
  list: {
    summary: "List names below a path",
    input: pageFields,
    output: keysField,
    handler: async ({ path, ...page }, { services }) => ({
      keys: await services.storage.list(folderOf(path), pageOf(page)),
    }),
  },
  scan: {
    summary: "List the paths of all secrets below a path",
    input: pageFields,
    output: keysField,
    handler: async ({ path, ...page }, { services }) => ({
      keys: await scan(services.storage, folderOf(path), pageOf(page)),
    }),
  },
  examples: [{ operation: "write", request: { username: "app", password: "hunter2", ttl: "1h" } }],
});

const top = path({
  pattern: "",
  summary: "The top of the mount",
  list: {
    summary: "List names at the top",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.storage.list(folderOf(""), pageOf(page)) }),
  },
  scan: {
    summary: "List the paths of all secrets",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await scan(services.storage, folderOf(""), pageOf(page)) }),
  },
});

export const unversionedPaths = [entry, top];

const openingBracket = 0x5b;

function parseUnversioned(bytes: Uint8Array): Readonly<JsonObject> {
  // What a versioned mount keeps here is a list: somebody took the versions away from a mount that has them.
  if (bytes[0] === openingBracket)
    throw invalidRequest("this secret has versions: set the mount's option version to 2");
  return parseSecret(bytes);
}

/** The writer may say, in the data itself, how long a reader should rely on it. */
function secondsToKeep(data: Readonly<JsonObject>, otherwise: number): number {
  const asked = "ttl" in data ? data["ttl"] : data["lease"];
  const seconds = asked === undefined || asked === null ? undefined : readDuration(asked);
  return typeof seconds === "number" && seconds >= 0 && seconds <= longestDuration ? seconds : otherwise;
}
