/** Lists of secrets: names only, or names with the settings and history of each. */
import { object } from "../../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../../api/list-fields.ts";
import { type Context, pathsFor } from "../../../api/path.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { shownKey } from "./key.ts";
import type { Secrets } from "./secrets.ts";
import type { VersionedServices } from "./services.ts";
import { secretParams } from "./version-fields.ts";
import { wrongPath } from "./wrong-path.paths.ts";

const path = pathsFor<VersionedServices>();

const infoField = {
  ...keysField,
  key_info: object("What the metadata of each name says; nothing for a folder"),
};

/** The same operation lists below a path, and, where there is none, at the top. */
interface ListInput {
  readonly path?: string;
  readonly after: string;
  readonly limit: number;
}

type ListContext = Context<VersionedServices>;

export const listMetadata = {
  summary: "List names below a path",
  input: pageFields,
  output: keysField,
  handler: async ({ path = "", ...page }: ListInput, { services: { secrets } }: ListContext) => ({
    keys: await secrets.list(path, pageOf(page)),
  }),
};

export const scanMetadata = {
  summary: "List the paths of all secrets below a path",
  input: pageFields,
  output: keysField,
  handler: async ({ path = "", ...page }: ListInput, { services: { secrets } }: ListContext) => ({
    keys: await secrets.scan(path, pageOf(page)),
  }),
};

const listDetailed = {
  summary: "List names below a path, with metadata",
  input: pageFields,
  output: infoField,
  handler: async ({ path = "", ...page }: ListInput, { services: { secrets } }: ListContext) =>
    withInfo(secrets, path, await secrets.list(path, pageOf(page))),
};

const scanDetailed = {
  summary: "List the paths of all secrets below a path, with metadata",
  input: pageFields,
  output: infoField,
  handler: async ({ path = "", ...page }: ListInput, { services: { secrets } }: ListContext) =>
    withInfo(secrets, path, await secrets.scan(path, pageOf(page))),
};

export const listPaths = [
  path({
    ...wrongPath,
    pattern: "metadata",
    summary: "All secrets of the mount",
    list: listMetadata,
    scan: scanMetadata,
  }),
  path({
    pattern: "detailed-metadata/:path*",
    summary: "Secrets with their settings and history",
    params: secretParams,
    list: listDetailed,
    scan: scanDetailed,
  }),
  path({
    ...wrongPath,
    pattern: "detailed-metadata",
    summary: "All secrets of the mount with their settings and history",
    list: listDetailed,
    scan: scanDetailed,
  }),
];

const readAtOnce = 32;

async function withInfo(secrets: Secrets, path: string, keys: string[]) {
  const info: JsonObject = Object.create(null);
  const folder = path === "" ? "" : `${path}/`;
  for (let at = 0; at < keys.length; at += readAtOnce) {
    const names = keys.slice(at, at + readAtOnce);
    const found = await Promise.all(names.map((name) => (name.endsWith("/") ? undefined : secrets.get(folder + name))));
    for (const [index, name] of names.entries()) {
      const key = found[index];
      info[name] = key ? shownKey(key) : {};
    }
  }
  return { keys, key_info: info };
}
