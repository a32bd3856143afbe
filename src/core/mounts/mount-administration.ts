/** Changes of the mount table: each is one edit of one stored record, and every process obeys at its next request. */
import type { Random, Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import { childNamespace } from "../namespaces/stored-namespace.ts";
import { forgetAccessor, noteAccessor } from "./accessor-index.ts";
import { newEntry } from "./built-in.ts";
import type { LiveMounts } from "./live-mounts.ts";
import { isAuth, type MountConfig, type MountEntry } from "./mount-entry.ts";
import { readMountTable, writeMountTable } from "./mount-table.ts";
import { beginWipe } from "./wipe.ts";

export interface NewMount {
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly local: boolean;
  readonly seal_wrap: boolean;
  readonly external_entropy_access: boolean;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly config: MountConfig;
}

/** Types that stand for another type with an option. */
const shorthands: Readonly<Record<string, { type: string; version: string }>> = {
  "kv-v1": { type: "kv", version: "1" },
  "kv-v2": { type: "kv", version: "2" },
  generic: { type: "kv", version: "1" },
};

const reserved = ["sys/", "cubbyhole/", "identity/", "auth/token/"];

export class MountAdministration {
  readonly #live: LiveMounts;
  readonly #random: Random;

  constructor(live: LiveMounts, random: Random) {
    this.#live = live;
    this.#random = random;
  }

  async find(path: string, storage: Storage): Promise<MountEntry | undefined> {
    return (await readMountTable(storage)).at(path);
  }

  async enable(request: NewMount, storage: Storage): Promise<MountEntry> {
    const { path } = request;
    requireFreeForm(path, "mount");
    const { entries } = await readMountTable(storage);
    const taken = entries.find((entry) => overlaps(entry.path, path));
    if (taken) throw invalidRequest(`path is already in use at ${taken.path}`);
    await requireNoNamespace(path, storage);
    const { type, options } = this.#resolved(request);
    const entry: MountEntry = {
      ...newEntry(path, type, this.#random),
      description: request.description,
      local: request.local,
      seal_wrap: request.seal_wrap,
      external_entropy_access: request.external_entropy_access,
      options,
      config: request.config,
    };
    writeMountTable([...entries, entry], storage);
    noteAccessor(entry, storage);
    return entry;
  }

  /** Answers what was there; its records go once the change is committed. */
  async disable(path: string, storage: Storage): Promise<MountEntry | undefined> {
    requireRemovable(path);
    const { entries } = await readMountTable(storage);
    const entry = entries.find((candidate) => candidate.path === path);
    if (!entry) return undefined;
    writeMountTable(
      entries.filter((candidate) => candidate !== entry),
      storage,
    );
    forgetAccessor(entry, storage);
    beginWipe(entry, storage);
    return entry;
  }

  async change(path: string, storage: Storage, edit: (entry: MountEntry) => MountEntry): Promise<void> {
    const { entries } = await readMountTable(storage);
    writeMountTable(
      entries.map((entry) => (entry.path === path ? edit(entry) : entry)),
      storage,
    );
  }

  async move(from: string, to: string, storage: Storage): Promise<void> {
    await this.requireMovable(from, to, storage);
    await this.change(from, storage, (entry) => ({ ...entry, path: to }));
  }

  async requireMovable(from: string, to: string, storage: Storage): Promise<void> {
    const { entries } = await readMountTable(storage);
    if (isReserved(from)) throw invalidRequest(`cannot remount ${JSON.stringify(from)}`);
    if (!entries.some(({ path }) => path === from))
      throw invalidRequest(`no matching mount at ${JSON.stringify(from)}`);
    if (isAuth({ path: from }) !== isAuth({ path: to })) {
      throw invalidRequest("cannot remount a secrets engine as an auth method, nor the other way round");
    }
    requireFreeForm(to, "remount");
    const taken = entries.find(({ path }) => path !== from && overlaps(path, to));
    if (taken) throw invalidRequest(`path is already in use at ${taken.path}`);
    await requireNoNamespace(to, storage);
  }

  #resolved({ type: asked, path, options }: NewMount): Pick<MountEntry, "type" | "options"> {
    const short = Object.hasOwn(shorthands, asked) ? shorthands[asked] : undefined;
    const type = short?.type ?? asked;
    const kind = isAuth({ path }) ? "auth" : "secrets";
    if (this.#live.kindOf(type) !== kind || isBuiltIn(type)) {
      throw invalidRequest(`plugin not found in the catalog: ${asked}`);
    }
    if (type !== "kv") return { type, options: options ?? null };
    const version = short?.version ?? options?.["version"] ?? "1";
    if (version !== "1" && version !== "2") throw invalidRequest('the option "version" of a kv mount is "1" or "2"');
    return { type, options: { ...options, version } };
  }
}

const isBuiltIn = (type: string) => ["system", "identity", "cubbyhole", "token"].includes(type);

const isReserved = (path: string) => path === "auth/" || reserved.some((taken) => path.startsWith(taken));

const overlaps = (a: string, b: string) => a.startsWith(b) || b.startsWith(a);

export function requireRemovable(path: string): void {
  if (path === "auth/token/") throw invalidRequest("token credential backend cannot be disabled");
  if (isReserved(path)) throw invalidRequest(`cannot unmount ${JSON.stringify(path)}`);
}

/** Nobody could tell whether a path goes into the mount or into the namespace. */
async function requireNoNamespace(path: string, storage: Storage): Promise<void> {
  const { namespace, whole } = scopeOf(storage);
  const taken = await childNamespace(namespace, path.slice(0, path.indexOf("/")), whole);
  if (taken) throw invalidRequest(`path is already in use by the namespace ${taken.path}`);
}

function requireFreeForm(path: string, verb: string): void {
  if (isReserved(path)) throw invalidRequest(`cannot ${verb} ${JSON.stringify(path)}`);
  if (path === "/" || path === "auth//" || path.startsWith("/")) throw invalidRequest("a mount needs a path");
  if (/[*+\p{Cc}]/u.test(path)) throw invalidRequest("the path of a mount cannot have '*', '+' or control characters");
  if (path.split("/").some((segment) => segment.trim() !== segment)) {
    throw invalidRequest("the path of a mount cannot have spaces around a segment");
  }
}

/** `/pki` and `pki` are `pki/`. */
export const mountPath = (text: string, prefix = ""): string => `${prefix}${text.replace(/^\/+|\/+$/g, "")}/`;
