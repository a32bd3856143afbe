/** Declares external account bindings: made for one directory each, listed while unused, deleted. */
import { named, sensitive, text } from "../../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../../api/list-fields.ts";
import { pathsFor } from "../../../api/path.ts";
import type { WithAcme } from "./acme.ts";
import { directoryParams, directoryPath, under } from "./directory.ts";

const path = pathsFor<WithAcme>();

const shownFields = {
  key_type: text("Kind of the key: hs"),
  acme_directory: text("Directory that the binding is good for, relative to the mount"),
  created_on: text("When it was made (RFC 3339)"),
};

const newEab = path({
  pattern: under("new-eab"),
  summary: "External account bindings for new accounts",
  params: directoryParams,
  write: {
    summary: "Make a binding for one new account under this directory",
    output: {
      id: text("Key identifier, for the ACME client"),
      key: sensitive(text("HMAC key in base64url, for the ACME client")),
      ...shownFields,
    },
    handler: async (place, { services, now }) => services.acme.bindings.create(directoryPath(place), now),
  },
  examples: [{ operation: "write", request: {} }],
});

const eabs = path({
  pattern: "eab",
  summary: "External account bindings that were not used yet",
  list: {
    summary: "List unused bindings",
    input: pageFields,
    output: { ...keysField, key_info: named("What each is for", shownFields) },
    async handler(input, { services }) {
      const { bindings } = services.acme;
      const keys = await bindings.list(pageOf(input));
      const found = await Promise.all(keys.map((id) => bindings.get(id)));
      const key_info = Object.fromEntries(
        found.flatMap((each) =>
          each
            ? [[each.id, { key_type: each.key_type, acme_directory: each.acme_directory, created_on: each.created_on }]]
            : [],
        ),
      );
      return { keys, key_info };
    },
  },
});

const eab = path({
  pattern: "eab/:key_id",
  summary: "One external account binding",
  params: { key_id: text("Id of the binding") },
  delete: {
    summary: "Delete an unused binding",
    async handler({ key_id }, { services, warn }) {
      if (await services.acme.bindings.get(key_id)) services.acme.bindings.delete(key_id);
      else warn(`No key id found with id: ${key_id}`);
    },
  },
});

export const eabPaths = [newEab, eabs, eab];
