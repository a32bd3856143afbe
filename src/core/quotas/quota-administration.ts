/** Writes quotas, and refuses those that could never count anything or that two would claim. */
import type { Random, Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { randomUuid } from "../../lib/random-name.ts";
import { isAuth, type MountEntry } from "../mounts/mount-entry.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { wayDown } from "../namespaces/namespace.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import { resolvePlace } from "../namespaces/resolve.ts";
import { systemEntry } from "../system/system-entry.ts";
import { type QuotaRule, type QuotaSettings, readQuotas, writeQuotas } from "./quota-table.ts";

export type QuotaInput = Omit<QuotaRule, "id" | "inheritable"> & { readonly inheritable?: boolean | undefined };

const longestInterval = 10 * 366 * 86_400;

export async function putQuota(input: QuotaInput, random: Random, storage: Storage): Promise<void> {
  const { name, role, rate, block_interval } = input;
  const interval = input.interval === 0 ? 1 : input.interval;
  if (!(rate >= 1e-6 && rate <= 1e12)) throw invalidRequest("'rate' is invalid: it must be above 0");
  if (interval < 0 || interval > longestInterval) throw invalidRequest("'interval' is invalid: it must be 1s or more");
  if (block_interval < 0 || block_interval > longestInterval) {
    throw invalidRequest("'block_interval' is invalid: it must be 0 or more");
  }
  const path = await quotaPath(input, storage);
  const { settings, rules } = await readQuotas(storage);
  const twin = rules.find((rule) => rule.name !== name && rule.path === path && rule.role === role);
  if (twin) {
    throw invalidRequest(`quota rule with similar properties exists under the name ${JSON.stringify(twin.name)}`);
  }
  const id = rules.find((rule) => rule.name === name)?.id ?? randomUuid(random);
  const inheritable = input.inheritable ?? path === "";
  const rule = { id, name, path, role, rate, interval, block_interval, inheritable };
  writeQuotas({ settings, rules: [...rules.filter((other) => other.name !== name), rule] }, storage);
}

export async function deleteQuota(name: string, storage: Storage): Promise<void> {
  const { settings, rules } = await readQuotas(storage);
  if (rules.some((rule) => rule.name === name)) {
    writeQuotas({ settings, rules: rules.filter((rule) => rule.name !== name) }, storage);
  }
}

export async function putQuotaSettings(settings: QuotaSettings, storage: Storage): Promise<void> {
  const { rules } = await readQuotas(storage);
  const exempt = settings.rate_limit_exempt_paths.map(withoutSlash);
  writeQuotas({ settings: { ...settings, rate_limit_exempt_paths: exempt }, rules }, storage);
}

/** A mount is known by its slash at the end, whether or not somebody wrote it; a path inside has none. */
export async function quotaPath(
  { path: written, role }: Pick<QuotaInput, "path" | "role">,
  storage: Storage,
): Promise<string> {
  const path = withoutSlash(written);
  if (path === "") {
    if (role !== "") throw invalidRequest("a quota with a role needs the path of an auth method");
    return "";
  }
  const { namespace: own, whole } = scopeOf(storage);
  const place = await resolvePlace(own.path.slice(0, -1), path.endsWith("/") ? path : `${path}/`, whole);
  const way = wayDown(own, place.namespace);
  if (place.path === "") return way;
  return way + (await pathOfMount(path.slice(way.length), role, storageOf(place.namespace, whole)));
}

async function pathOfMount(path: string, role: string, storage: Storage): Promise<string> {
  const isSystem = path === "sys" || path.startsWith("sys/");
  const mount = isSystem ? systemEntry : (await readMountTable(storage)).owning(path);
  if (!mount) throw invalidRequest(`invalid mount path ${JSON.stringify(path)}`);
  const inside = path.slice(mount.path.length).replace(/\/+$/, "");
  if (role !== "") requireLogin(mount, inside);
  return mount.path + inside;
}

function requireLogin(mount: MountEntry, inside: string): void {
  if (inside !== "") {
    throw invalidRequest(
      "Quotas cannot contain both a path suffix and a role. If a role is provided, path must be a valid auth mount with a concept of roles",
    );
  }
  if (!isAuth(mount)) {
    throw invalidRequest("a quota with a role needs the path of an auth method");
  }
}

const withoutSlash = (path: string): string => (path.startsWith("/") ? path.slice(1) : path);
