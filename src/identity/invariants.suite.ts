/** What must hold of all that identity keeps, whatever happened: told from the stored keys, without the code under test. */
import { hash } from "node:crypto";
import type { Storage } from "../api/engine.ts";
import type { Entity } from "./entity.ts";
import type { Group } from "./group.ts";

export async function storedRecords(storage: Storage, prefix = ""): Promise<Map<string, unknown>> {
  const records = new Map<string, unknown>();
  for (const name of await storage.list(prefix)) {
    const key = prefix + name;
    if (name.endsWith("/")) for (const [below, record] of await storedRecords(storage, key)) records.set(below, record);
    else records.set(key, parsed((await storage.get(key))!));
  }
  return records;
}

export const parsed = (record: Uint8Array): unknown => JSON.parse(Buffer.from(record).toString());

/** A sentence for each invariant that does not hold. */
export function brokenInvariants(records: ReadonlyMap<string, unknown>): string[] {
  const check = new Check(records);
  for (const entity of check.entities.values()) checkEntity(entity, check);
  for (const group of check.groups.values()) checkGroup(group, check);
  check.claims();
  return check.faults;
}

class Check {
  readonly faults: string[] = [];
  readonly entities: ReadonlyMap<string, Entity>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly #records: ReadonlyMap<string, unknown>;
  readonly #claimed = new Set<string>();

  constructor(records: ReadonlyMap<string, unknown>) {
    this.#records = records;
    this.entities = below(records, "entity/");
    this.groups = below(records, "group/");
  }

  that(holds: boolean, otherwise: string): void {
    if (!holds) this.faults.push(otherwise);
  }

  /** An index entry that must be there, and is nobody else's. */
  claim(key: string, value: object): void {
    this.that(!this.#claimed.has(key), `${key} belongs to two records`);
    this.#claimed.add(key);
    const stored = JSON.stringify(this.#records.get(key));
    this.that(stored === JSON.stringify(value), `${key} is ${stored} and not ${JSON.stringify(value)}`);
  }

  /** Nothing is left over. */
  claims(): void {
    for (const key of this.#records.keys()) {
      const [kind = "", id = ""] = key.split("/");
      if (kind === "entity" || kind === "group") continue;
      const isKnown = kind === "members-changed" ? this.groups.has(id) : this.#claimed.has(key);
      this.that(isKnown, `${key} belongs to nobody`);
    }
  }
}

function checkEntity({ id, name, aliases, group_ids, merged_entity_ids }: Entity, check: Check): void {
  check.claim(`entity-name/${written(name)}`, { id, name });
  for (const alias of aliases) {
    const entry = { entity: id, alias: alias.id };
    check.claim(`alias/${alias.id}`, entry);
    check.claim(`alias-name/${hashed(alias.mount_accessor, alias.name)}`, entry);
  }
  const mounts = new Set(aliases.map(({ mount_accessor }) => mount_accessor));
  check.that(mounts.size === aliases.length, `${name} has two aliases on one mount`);
  for (const group of group_ids) {
    check.that(check.groups.has(group), `${name} is in ${group}, which is gone`);
    check.claim(`member/${group}/${id}`, {});
  }
  for (const merged of merged_entity_ids) {
    check.that(!check.entities.has(merged), `${merged} was merged into ${name} and is still there`);
    check.claim(`merged/${merged}`, { entity: id });
  }
}

function checkGroup({ id, name, alias, type, member_group_ids, parent_group_ids }: Group, check: Check): void {
  check.claim(`group-name/${written(name)}`, { id, name });
  if (alias) {
    check.that(type === "external", `${name} has an alias and is ${type}`);
    check.claim(`group-alias/${alias.id}`, { group: id });
    check.claim(`group-alias-name/${hashed(alias.mount_accessor, alias.name)}`, { group: id });
  }
  for (const child of member_group_ids) {
    check.that(isOnce(id, check.groups.get(child)?.parent_group_ids), `${child} does not know that it is in ${name}`);
  }
  for (const parent of parent_group_ids) {
    check.that(isOnce(id, check.groups.get(parent)?.member_group_ids), `${parent} does not know that it has ${name}`);
  }
  check.that(!isBelowItself(id, check.groups), `${name} is below itself`);
}

const isOnce = (id: string, ids: readonly string[] = []) => ids.filter((each) => each === id).length === 1;

function isBelowItself(id: string, groups: ReadonlyMap<string, Group>): boolean {
  const seen = new Set(groups.get(id)!.member_group_ids);
  for (const child of seen) for (const next of groups.get(child)?.member_group_ids ?? []) seen.add(next);
  return seen.has(id);
}

const below = <T>(records: ReadonlyMap<string, unknown>, prefix: string): Map<string, T> =>
  new Map(
    [...records].flatMap(([key, record]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), record as T] as const] : [],
    ),
  );

const written = (name: string) => name.toLowerCase().replaceAll(".", ".0").replaceAll("/", ".1");
const hashed = (accessor: string, name: string) => hash("sha256", `${accessor}\0${name.toLowerCase()}`);
