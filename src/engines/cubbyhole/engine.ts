/** A private place for each token: nobody else can read it, and it is gone when the token is. */

import { engine, type Storage } from "../../api/engine.ts";
import { absent, invalidRequest } from "../../api/errors.ts";
import { text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { type Caller, Open, pathsFor } from "../../api/path.ts";
import { isJsonObject, parseJson } from "../../lib/json.ts";

interface CubbyholeServices {
  readonly storage: Storage;
}

const path = pathsFor<CubbyholeServices>();

const params = { path: text("Where in the token's own space") };

const entry = path({
  pattern: ":path*",
  summary: "Secrets that only the calling token can reach",
  params,
  read: {
    summary: "Read a secret",
    openOutput: true,
    async handler({ path }, { services, caller }) {
      const stored = await services.storage.read(keyOf(caller, path), parseSecret);
      if (!stored) throw absent();
      return new Open(stored);
    },
  },
  write: {
    summary: "Store a secret, replacing what was there",
    openInput: true,
    exists: async ({ path }, { services, caller }) => (await services.storage.get(keyOf(caller, path))) !== undefined,
    async handler({ path }, { services, caller, body }) {
      if (path.endsWith("/")) throw invalidRequest("cannot write to a path ending in '/'");
      if (Object.keys(body).length === 0) throw invalidRequest("missing data fields");
      services.storage.put(keyOf(caller, path), Buffer.from(JSON.stringify(body)));
    },
  },
  delete: {
    summary: "Delete a secret",
    handler: async ({ path }, { services, caller }) => services.storage.delete(keyOf(caller, path)),
  },
  list: {
    summary: "List names below a path",
    input: pageFields,
    output: keysField,
    handler: async ({ path, ...page }, { services, caller }) => ({
      keys: await services.storage.list(`${keyOf(caller, path)}/`, pageOf(page)),
    }),
  },
});

const top = path({
  pattern: "",
  summary: "The top of the token's own space",
  list: {
    summary: "List names at the top",
    input: pageFields,
    output: keysField,
    handler: async (page, { services, caller }) => ({
      keys: await services.storage.list(`${spaceOf(caller)}/`, pageOf(page)),
    }),
  },
});

export const cubbyhole = engine<CubbyholeServices>({
  type: "cubbyhole",
  kind: "secrets",
  summary: "Private storage of each token",
  paths: [entry, top],
  services: ({ storage }) => ({ storage }),
});

/** Kept as its own text, so that numbers come back as they were written. */
function parseSecret(bytes: Uint8Array) {
  const value = parseJson(Buffer.from(bytes).toString("utf8"));
  if (!isJsonObject(value)) throw new Error("a stored secret is not an object");
  return value;
}

const keyOf = (caller: Caller | undefined, path: string) => `${spaceOf(caller)}/${path}`;

function spaceOf(caller: Caller | undefined): string {
  if (!caller || caller.accessor === "") {
    throw invalidRequest("cubbyhole operations are only supported by 'service' type tokens");
  }
  return caller.key;
}
