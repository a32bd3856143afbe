/** Writes the OpenAPI document of a set of mounts, straight from their path declarations. */
import { type AnyOperation, type AnyPath, type OperationName, operationNames } from "../api/path.ts";
import { combine } from "./openapi-combine.ts";
import {
  type Documented,
  type Fragment,
  fragmentOf,
  type Parameter,
  parameter,
  pathParameters,
  schemas,
} from "./openapi-fragment.ts";

export interface DocumentedMount {
  /** Ends in a slash, such as `pki/` or `auth/jwt/`. */
  readonly path: string;
  readonly type: string;
  readonly tag: string;
  readonly paths: readonly AnyPath[];
}

export interface DocumentOptions {
  readonly version: string;
  /** Replace mount prefixes by the parameter `{mountPath}`. */
  readonly generic: boolean;
  /** Whether the caller may perform this operation on some path of this form. */
  readonly isAllowed: (pattern: string, name: OperationName, operation: AnyOperation) => boolean;
}

interface PathItem {
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly methods: Map<Method, Entry>;
}

/** One method of one URL. In a generic document engines of several types may meet there. */
interface Entry {
  readonly id: string;
  readonly tags: Set<string>;
  readonly fragments: Set<Fragment>;
}

const methods = { read: "get", list: "get", scan: "get", write: "post", patch: "patch", delete: "delete" } as const;
type Method = (typeof methods)[Documented];

/** Mounts of which there is one, under one name: a parameter would say nothing. */
const fixedMounts = new Set(["sys/", "identity/", "cubbyhole/", "auth/token/"]);

export function openApiDocument(mounts: readonly DocumentedMount[], options: DocumentOptions) {
  const items = new Map<string, PathItem>();
  for (const mount of mounts) {
    for (const path of mount.paths.filter(({ unpublished }) => !unpublished)) {
      for (const pattern of path.patterns) addPath(items, mount, path, pattern, options);
    }
  }
  return {
    openapi: "3.0.3",
    info: {
      title: "Strongroom API",
      description: "HTTP API of Strongroom. All paths are served under /v1/.",
      version: options.version,
      license: { name: "Apache License 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/v1" }],
    paths: written(items),
    components: { schemas, securitySchemes: { token: tokenScheme } },
    security: [{ token: [] }],
  };
}

const tokenScheme = { type: "apiKey", in: "header", name: "X-Service-Token" };

/** Adds what the caller may do there; nothing when that is nothing. */
function addPath(
  items: Map<string, PathItem>,
  mount: DocumentedMount,
  path: AnyPath,
  pattern: string,
  { generic, isAllowed }: DocumentOptions,
): void {
  const isGeneric = generic && !fixedMounts.has(mount.path);
  const url = `/${isGeneric ? genericPrefix(mount) : mount.path}${braces(pattern)}`;
  for (const name of operationNames) {
    const operation = path.operations[name];
    if (!operation || operation.unpublished || name === "head") continue;
    if (path.access === "token" && !isAllowed(mount.path + pattern, name, operation)) continue;
    const item = items.get(url) ?? newItem(path, pattern, isGeneric);
    items.set(url, item);
    const { tags, fragments } = entryOf(item, methods[name], idOf(isGeneric ? mount.type : mount.path, pattern, name));
    tags.add(mount.tag);
    fragments.add(fragmentOf(path, pattern, name, operation));
  }
}

const genericPrefix = ({ path }: DocumentedMount) => (path.startsWith("auth/") ? "auth/{mountPath}/" : "{mountPath}/");

const mountParameter = parameter("mountPath", "path", { type: "string", description: "Where it is mounted" }, true);

function newItem(path: AnyPath, pattern: string, isGeneric: boolean): PathItem {
  const own = pathParameters(path, pattern);
  return { description: path.summary, parameters: isGeneric ? [mountParameter, ...own] : own, methods: new Map() };
}

function entryOf({ methods }: PathItem, method: Method, id: string): Entry {
  const known = methods.get(method);
  if (known) return known;
  const entry = { id, tags: new Set<string>(), fragments: new Set<Fragment>() };
  methods.set(method, entry);
  return entry;
}

function idOf(place: string, pattern: string, name: Documented): string {
  const words = `${place}/${pattern}`.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [name, ...words].join("-").toLowerCase();
}

function written(items: ReadonlyMap<string, PathItem>): Record<string, object> {
  const ids = new Map<string, number>();
  const unique = (id: string) => {
    const count = (ids.get(id) ?? 0) + 1;
    ids.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
  const paths: Record<string, object> = {};
  for (const [url, { description, parameters, methods }] of [...items].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const operations = [...methods].map(([method, { id, tags, fragments }]) => {
      const { summary, ...rest } = combine([...fragments]);
      return [method, { summary, operationId: unique(id), tags: [...tags], ...rest }];
    });
    const declared = parameters.length > 0 && { parameters };
    paths[url] = { description, ...declared, ...Object.fromEntries(operations) };
  }
  return paths;
}

const braces = (pattern: string) => pattern.replace(/:([A-Za-z0-9_]+)\*?/g, "{$1}");
