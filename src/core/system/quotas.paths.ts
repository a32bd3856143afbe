/** Declares `sys/quotas`: how often clients may ask, and how many leases there may be. */
import { absent } from "../../api/errors.ts";
import { duration, flag, integer, list, number, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { deleteLeaseQuota, putLeaseQuota } from "../quotas/lease-quota-administration.ts";
import { leaseCount, storedLeaseQuotas } from "../quotas/lease-quotas.ts";
import { deleteQuota, putQuota, putQuotaSettings } from "../quotas/quota-administration.ts";
import { readQuotas } from "../quotas/quota-table.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const settingsFields = {
  rate_limit_exempt_paths: list("Paths that no quota counts; one that ends in * stands for all that begin so").default(
    [],
  ),
  enable_rate_limit_audit_logging: flag("Audit requests that a quota refused").default(false),
  enable_rate_limit_response_headers: flag("Tell a client that was refused when to come back, in headers").default(
    false,
  ),
};

const settings = path({
  pattern: "quotas/config",
  summary: "What all quotas have in common",
  read: {
    summary: "Read the settings of quotas",
    output: settingsFields,
    handler: async (_input, { services }) => (await readQuotas(services.storage)).settings,
  },
  write: {
    summary: "Set what all quotas have in common",
    input: settingsFields,
    handler: (input, { services }) => putQuotaSettings(input, services.storage),
  },
  examples: [{ operation: "write", request: { enable_rate_limit_response_headers: true } }],
});

const quotas = path({
  pattern: "quotas/rate-limit",
  summary: "All quotas",
  list: {
    summary: "List quotas",
    input: pageFields,
    output: keysField,
    async handler(page, { services }) {
      const { after = "", limit } = pageOf(page);
      const names = (await readQuotas(services.storage)).rules.map(({ name }) => name);
      return { keys: names.filter((name) => name > after).slice(0, limit) };
    },
  },
});

const ruleFields = {
  path: text("Mount, path, or beginning of a path that ends in *; empty for all requests").default(""),
  role: text("Count only logins with this role, at an auth method whose logins name one").default(""),
  rate: number("Requests that one client address may make in one interval; above 0").default(0),
  interval: duration("The interval").default(1),
  block_interval: duration(
    "How long a client that asked too often is refused; until the interval is over if 0",
  ).default(0),
};

const quota = path({
  pattern: "quotas/rate-limit/:name",
  summary: "How often one client may ask; each server process counts for itself",
  params: { name: text("Name of the quota") },
  read: {
    summary: "Read a quota",
    output: {
      type: text("Always rate-limit"),
      name: text("Name of the quota"),
      ...ruleFields,
      inheritable: flag("Whether namespaces below obey it"),
    },
    async handler({ name }, { services }) {
      const rule = (await readQuotas(services.storage)).named(name);
      if (!rule) throw absent();
      return { type: "rate-limit", ...rule };
    },
  },
  write: {
    summary: "Write a quota",
    input: {
      ...ruleFields,
      inheritable: flag("Whether namespaces below obey it; true if not said and the path is empty").optional(),
      type: text("Accepted; always rate-limit").optional(),
    },
    handler: (input, { services }) => putQuota(input, services.random, services.storage),
  },
  delete: {
    summary: "Delete a quota",
    handler: ({ name }, { services }) => deleteQuota(name, services.storage),
  },
  examples: [{ operation: "write", request: { path: "secret/", rate: 100, interval: "1s" } }],
});

const leaseQuotas = path({
  pattern: "quotas/lease-count",
  summary: "All quotas of leases",
  list: {
    summary: "List quotas of leases",
    input: pageFields,
    output: keysField,
    async handler(page, { services }) {
      const { after = "", limit } = pageOf(page);
      const names = ((await storedLeaseQuotas(services.storage)) ?? []).map(({ name }) => name);
      return { keys: names.filter((name) => name > after).slice(0, limit) };
    },
  },
});

const leaseRuleFields = {
  path: text("Mount, path, or beginning of a path that ends in *; empty for all leases of the namespace").default(""),
  max_leases: integer("How many leases may be alive at a time, those of tokens among them; above 0").default(0),
  role: text("Must be empty").default(""),
};

const leaseQuota = path({
  pattern: "quotas/lease-count/:name",
  summary: "How many leases may be alive at a time; counted exactly, for all servers together",
  params: { name: text("Name of the quota") },
  read: {
    summary: "Read a quota of leases",
    output: {
      type: text("Always lease-count"),
      name: text("Name of the quota"),
      ...leaseRuleFields,
      counter: integer("How many leases are alive"),
      inheritable: flag("Always false: each namespace has quotas of its own"),
    },
    async handler({ name }, { services: { storage } }) {
      const rule = ((await storedLeaseQuotas(storage)) ?? []).find((each) => each.name === name);
      if (!rule) throw absent();
      const counter = (await leaseCount(rule.id, storage)) ?? 0;
      return { type: "lease-count", ...rule, counter, role: "", inheritable: false };
    },
  },
  write: {
    summary: "Write a quota of leases, and count those that are there already",
    effects: true,
    input: { ...leaseRuleFields, type: text("Accepted; always lease-count").optional() },
    async handler({ type: _type, ...input }, { services, transaction }) {
      const id = await transaction(({ random, storage }) => putLeaseQuota(input, random, storage));
      await services.leaseRecount.finish(id);
    },
  },
  delete: {
    summary: "Delete a quota of leases",
    effects: true,
    async handler({ name }, { services, transaction }) {
      const id = await transaction(({ storage }) => deleteLeaseQuota(name, storage));
      if (id !== undefined) await services.leaseRecount.finish(id);
    },
  },
  examples: [{ operation: "write", request: { path: "database/", max_leases: 1000 } }],
});

export const quotaPaths = [settings, quotas, quota, leaseQuotas, leaseQuota];
