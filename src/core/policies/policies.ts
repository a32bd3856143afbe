/** Stores ACL policies, and makes access control lists of them. */
import { recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { type AtHand, allAtHand, withValue } from "../../lib/at-hand.ts";
import { readAtHand } from "../storage/read-at-hand.ts";
import { Acl } from "./acl.ts";
import { AclCache } from "./acl-cache.ts";
import { defaultPolicyText, wrappingPolicyText } from "./default-policy.ts";
import { parsePolicy, policyText } from "./parse-policy.ts";
import { policyFor } from "./policy.ts";
import {
  defaultPolicyName,
  normalizedPolicyName,
  requireChangeable,
  requireDeletable,
  rootPolicyName,
  wrappingPolicyName,
} from "./policy-name.ts";
import { policyWarnings } from "./policy-warnings.ts";
import { type PolicyRecord, parseStoredPolicy, StoredPolicy } from "./stored-policy.ts";
import type { IdentityView } from "./templating.ts";

const prefix = "sys/policy/acl/";

export interface PolicySettings {
  /** HCL, JSON, or base64 of either. */
  readonly policy: string;
  /** Milliseconds since the epoch. */
  readonly expiration?: number | null | undefined;
  /** Seconds from now, in place of an expiration. */
  readonly ttl?: number | undefined;
  /** The version that this replaces; -1 if there must be none. */
  readonly cas?: number | undefined;
  readonly cas_required?: boolean | undefined;
  readonly allow_wildcards_in_identity_templates?: boolean | undefined;
  readonly allow_slashes_in_identity_templates?: boolean | undefined;
}

export interface WrittenPolicy {
  readonly record: PolicyRecord;
  readonly warnings: readonly string[];
}

const builtIn = (name: string, policy: string): PolicyRecord => ({
  name,
  policy,
  version: 0,
  cas_required: false,
  modified: null,
  expiration: null,
  allow_wildcards_in_identity_templates: false,
  allow_slashes_in_identity_templates: false,
});

/** Never in the store, so that nobody can change them. */
const builtIns: ReadonlyMap<string, StoredPolicy> = new Map(
  [builtIn(rootPolicyName, ""), builtIn(wrappingPolicyName, wrappingPolicyText)].map((record) => [
    record.name,
    new StoredPolicy(record),
  ]),
);

const rootAcl = new Acl([builtIns.get(rootPolicyName)!.policy]);

export class Policies {
  readonly #acls = new AclCache();

  /** Written once, when the store is initialized. */
  initialize(storage: Storage, now: Date): void {
    const record = builtIn(defaultPolicyName, defaultPolicyText);
    storage.put(keyOf(record.name), recordBytes({ ...record, version: 1, modified: now.toISOString() }));
  }

  async get(name: string, storage: Storage, now: Date): Promise<PolicyRecord | undefined> {
    return (await this.#find(normalizedPolicyName(name), storage, now))?.record;
  }

  /** Replaces all of the policy: what is not said gets its default, `cas_required` too. */
  async put(name: string, settings: PolicySettings, storage: Storage, now: Date): Promise<WrittenPolicy> {
    const normalized = normalizedPolicyName(name);
    requireChangeable(normalized);
    const before = (await this.#find(normalized, storage, now))?.record;
    return this.#write(name, settings, before, storage, now);
  }

  /** Changes what is said and keeps the rest; undefined if there is no such policy. */
  async patch(
    name: string,
    changes: Partial<PolicySettings>,
    storage: Storage,
    now: Date,
  ): Promise<WrittenPolicy | undefined> {
    const normalized = normalizedPolicyName(name);
    requireChangeable(normalized);
    const before = (await this.#find(normalized, storage, now))?.record;
    return before && this.#write(name, { ...kept(before, changes), ...given(changes) }, before, storage, now);
  }

  delete(name: string, storage: Storage): void {
    const normalized = normalizedPolicyName(name);
    requireDeletable(normalized);
    storage.delete(keyOf(normalized));
  }

  /** Names in order, `root` among them. */
  async list(storage: Storage, { after, limit }: PageRequest = {}): Promise<string[]> {
    const page = { after: after === undefined ? undefined : encoded(after), limit };
    const names = (await storage.list(prefix, page)).map(decodeURIComponent);
    if (after !== undefined && after >= rootPolicyName) return names;
    const place = names.findIndex((name) => name > rootPolicyName);
    return names.toSpliced(place === -1 ? names.length : place, 0, rootPolicyName).slice(0, limit);
  }

  /**
   * Takes those out of the store whose time is over; nobody could use them any more. Looks at one page, and answers what to
   * go on after; undefined at the end.
   */
  async removeExpired(storage: Storage, now: Date, page: PageRequest = {}): Promise<string | undefined> {
    const names = await storage.list(prefix, page);
    for (const name of names) {
      const stored = await storage.read(prefix + name, parseStoredPolicy);
      if (stored && now.getTime() >= stored.expires) storage.delete(prefix + name);
    }
    return page.limit !== undefined && names.length >= page.limit ? names.at(-1) : undefined;
  }

  /**
   * What these policies together permit; names without a policy add nothing. The caller's identity is asked for only
   * if a policy has templates. `way` leads from the policies' namespace to the one that is asked about.
   */
  aclFor(names: readonly string[], identity: () => IdentityView, storage: Storage, now: Date, way = ""): AtHand<Acl> {
    if (names.includes(rootPolicyName)) return rootAcl;
    return withValue(this.#findAll(names, storage, now), (policies) => this.#aclOf(policies, identity, way));
  }

  #aclOf(policies: readonly StoredPolicy[], identity: () => IdentityView, way: string): Acl {
    const isTemplated = policies.some(({ policy }) => policy.selectors.length > 0);
    const view = isTemplated ? identity() : noIdentity;
    const key = way + policies.map((each) => cacheKey(each, view)).join(";");
    const known = this.#acls.get(key);
    if (known) return known;
    const rules = policies.map(({ policy, freedom }) => policyFor(policy, view, freedom));
    const acl = new Acl(rules, way);
    this.#acls.set(key, acl);
    return acl;
  }

  #find(name: string, storage: Storage, now: Date): AtHand<StoredPolicy | undefined> {
    return withValue(builtIns.get(name) ?? readAtHand(storage, keyOf(name), parseStoredPolicy), (stored) =>
      stored && now.getTime() < stored.expires ? stored : undefined,
    );
  }

  #findAll(names: readonly string[], storage: Storage, now: Date): AtHand<readonly StoredPolicy[]> {
    const found = names.map((name) => this.#find(normalizedPolicyName(name), storage, now));
    return withValue(allAtHand(found), (all) => [...new Set(all)].filter((stored) => stored !== undefined));
  }

  #write(
    name: string,
    settings: PolicySettings,
    before: PolicyRecord | undefined,
    storage: Storage,
    now: Date,
  ): WrittenPolicy {
    checkVersion(settings, before);
    const text = policyText(settings.policy);
    if (text === "") throw invalidRequest("'policy' parameter not supplied or empty");
    const record: PolicyRecord = {
      name: normalizedPolicyName(name),
      policy: text,
      version: (before?.version ?? 0) + 1,
      cas_required: settings.cas_required ?? false,
      modified: now.toISOString(),
      expiration: expirationOf(settings, now),
      allow_wildcards_in_identity_templates: settings.allow_wildcards_in_identity_templates ?? false,
      allow_slashes_in_identity_templates: settings.allow_slashes_in_identity_templates ?? false,
    };
    const warnings = policyWarnings(parsePolicy(record.name, text), now);
    if (record.name !== name) warnings.unshift(`policy name was converted to ${record.name}`);
    storage.put(keyOf(record.name), recordBytes(record));
    return { record, warnings };
  }
}

/** A slash in a name must not make a folder of it. */
const encoded = (name: string): string => name.replaceAll("%", "%25").replaceAll("/", "%2F");
const keyOf = (name: string): string => prefix + encoded(name);

const noIdentity: IdentityView = { groups: { ids: {}, names: {} }, now: new Date(0) };

/** The version of the policy and the values for its templates: all that its rules for this caller depend on. */
function cacheKey({ id, policy }: StoredPolicy, identity: IdentityView): string {
  let key = String(id);
  for (const selector of policy.selectors) {
    const value = selector.value(identity);
    // With its length, so that no value can be taken for two.
    key += value === undefined ? ",-" : `,${value.length}:${value}`;
  }
  return key;
}

function checkVersion({ cas, cas_required }: PolicySettings, before: PolicyRecord | undefined): void {
  if (cas === undefined) {
    if (!cas_required && !before?.cas_required) return;
    throw invalidRequest("check-and-set parameter required for this call");
  }
  if (cas === -1 && before) throw invalidRequest("check-and-set parameter is -1, but the policy exists already");
  if (cas !== -1 && cas !== (before?.version ?? 0)) {
    throw invalidRequest("check-and-set parameter did not match the current version");
  }
}

function expirationOf({ expiration, ttl = 0 }: PolicySettings, now: Date): string | null {
  if (ttl !== 0 && expiration != null) throw invalidRequest("give either expiration or ttl, not both");
  if (ttl === 0 && expiration == null) return null;
  const time = expiration ?? now.getTime() + ttl * 1000;
  if (time <= now.getTime()) throw invalidRequest("the policy would have expired already");
  return new Date(time).toISOString();
}

/** What a patch leaves as it was. A new ttl takes the place of the expiration. */
function kept(before: PolicyRecord, { ttl }: Partial<PolicySettings>): PolicySettings {
  const { expiration } = before;
  return { ...before, expiration: expiration === null || ttl !== undefined ? null : Date.parse(expiration) };
}

function given(changes: Partial<PolicySettings>): Partial<PolicySettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
