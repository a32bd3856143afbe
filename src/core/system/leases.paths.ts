/** Declares `sys/leases`: what was handed out for a time can be looked up, prolonged and ended. */
import { ApiError, absent, invalidRequest } from "../../api/errors.ts";
import { duration, flag, integer, named, object, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { Answered, Leased } from "../../api/reply.ts";
import { describeLease } from "../leases/lease.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { wayDown } from "../namespaces/namespace.ts";
import { allBelow } from "../namespaces/namespace-list.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import { describeTokenLease } from "../tokens/token-lease.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const leaseId = text("Id of the lease").default("");
const sync = flag("Answer when it is done, not when it has begun").default(true);

const lookup = path({
  pattern: "leases/lookup",
  summary: "What a lease is",
  write: {
    summary: "Look up a lease",
    input: { lease_id: leaseId },
    output: {
      id: text("Id of the lease"),
      issue_time: text("When it was given"),
      expire_time: text("When it ends"),
      last_renewal: text("When it was prolonged last").nullable(),
      renewable: flag("Whether it can be prolonged"),
      ttl: duration("Seconds left"),
      path: text("Path that gave it"),
      namespace_path: text("Namespace that it is in, if not the root").optional(),
      revoke_error: text("Why it could not be ended").optional(),
    },
    async handler({ lease_id }, { services, now }) {
      if (lease_id === "") throw invalidRequest("lease_id must be specified");
      const lease = await services.leases.find(lease_id, services.storage);
      const { path } = services.exchange.namespace;
      const place = path === "" ? {} : { namespace_path: path };
      if (lease) return { ...describeLease(lease, now), ...place };
      const key = await services.leases.tokenBehind(lease_id, services.storage);
      const token = key === undefined ? undefined : await services.tokens.byKey(key, services.storage);
      if (!token) throw invalidRequest("invalid lease");
      return { ...describeTokenLease(token, now), ...place };
    },
  },
});

const lookupPrefix = path({
  pattern: "leases/lookup/:prefix*",
  summary: "Leases below a path",
  params: { prefix: text("Path, or the beginning of one") },
  list: {
    summary: "List leases below a path",
    sudo: true,
    input: pageFields,
    output: keysField,
    handler: async ({ prefix, ...page }, { services }) => ({
      keys: await services.leases.list(`${prefix.replace(/\/$/, "")}/`, services.storage, pageOf(page)),
    }),
  },
});

const renew = path({
  pattern: ["leases/renew", "leases/renew/:url_lease_id*"],
  summary: "Prolong a lease",
  params: { url_lease_id: text("Id of the lease").default("") },
  write: {
    summary: "Renew a lease",
    effects: true,
    input: {
      lease_id: leaseId,
      increment: duration("How much longer, from now; the lease's own lifetime when 0").default(0),
    },
    output: {},
    async handler({ url_lease_id, lease_id, increment }, context) {
      const id = lease_id || url_lease_id;
      if (id === "") throw invalidRequest("lease_id must be specified");
      const { seconds, renewable, warnings } = await context.services.leaseRenewal.renew(
        id,
        increment,
        context.services.exchange.namespace,
        context.now,
      );
      warnings.forEach(context.warn);
      const lease = { kind: "", seconds, renewable, secret: {} };
      return new Leased({}, lease, { id, seconds, renewable });
    },
  },
});

const revoke = path({
  pattern: ["leases/revoke", "leases/revoke/:url_lease_id*"],
  summary: "End a lease",
  params: { url_lease_id: text("Id of the lease").default("") },
  write: {
    summary: "Revoke a lease",
    effects: true,
    input: { lease_id: leaseId, sync },
    async handler({ url_lease_id, lease_id, sync }, context) {
      const id = lease_id || url_lease_id;
      if (id === "") throw invalidRequest("lease_id must be specified");
      if (!sync) return later(context, [id]);
      await endNow(context, id);
      return undefined;
    },
  },
});

const revokePrefix = path({
  pattern: "leases/revoke-prefix/:prefix*",
  summary: "End all leases below a path",
  params: { prefix: text("Path, or the beginning of one") },
  write: {
    summary: "Revoke all leases below a path",
    sudo: true,
    effects: true,
    input: { sync },
    handler: ({ prefix, sync }, context) => revokeBelow(prefix, sync, context, false),
  },
});

const revokeForce = path({
  pattern: "leases/revoke-force/:prefix*",
  summary: "Forget all leases below a path, also those that cannot be ended",
  params: { prefix: text("Path, or the beginning of one") },
  write: {
    summary: "Forget all leases below a path",
    sudo: true,
    effects: true,
    handler: ({ prefix }, context) => revokeBelow(prefix, true, context, true),
  },
});

const perRound = 100;

async function revokeBelow(prefix: string, sync: boolean, context: Context<SystemServices>, force: boolean) {
  if (!sync) return postpone(prefix, context);
  const failures = await context.services.leaseEnding.endBelow(prefix, {
    force,
    namespace: context.services.exchange.namespace,
  });
  if (failures.length > 0) throw notEnded(`${failures.length} leases could not be ended, and will be tried again`);
  return undefined;
}

/** Makes everything below the path due, page by page, for whichever process leads to end it. */
async function postpone(prefix: string, context: Context<SystemServices>) {
  for (let seen = 0; ; ) {
    const ids = await context.transaction(({ leases, storage }) => leases.below(prefix, storage, seen + perRound));
    if (ids.length === seen) return new Answered(202, undefined);
    await later(context, ids.slice(seen));
    seen = ids.length;
  }
}

async function endNow({ services }: Context<SystemServices>, id: string): Promise<void> {
  try {
    await services.leaseEnding.end(id, { namespace: services.exchange.namespace });
  } catch {
    throw notEnded("the lease could not be ended, and will be tried again; its lookup says why");
  }
}

const notEnded = (message: string) => new ApiError(502, message);

/** Makes leases due now, for whichever process leads to end them. */
async function later({ transaction, now }: Context<SystemServices>, ids: readonly string[]) {
  const expires = now.getTime();
  await transaction(async ({ leases, tokens, storage }) => {
    for (const id of ids) {
      const lease = await leases.find(id, storage);
      if (lease && !lease.irrevocable) leases.replace(lease, { ...lease, expires }, storage);
      const key = await leases.tokenBehind(id, storage);
      const token = key === undefined ? undefined : await tokens.byKey(key, storage);
      if (token) tokens.replace(token, { ...token, expires }, storage);
    }
  });
  return new Answered(202, undefined);
}

const tidy = path({
  pattern: "leases/tidy",
  summary: "Look for leases that are due and were not ended",
  write: {
    summary: "Tidy leases",
    effects: true,
    output: {},
    async handler(_input, { services, warn }) {
      await services.expiry.runOnce();
      warn(
        "Tidy operation successfully started. Any information from the operation will be printed to the server logs.",
      );
      return new Answered(202, {});
    },
  },
});

const troubleFields = { type: text("Which leases; only irrevocable ones are counted").default("") };

const count = path({
  pattern: "leases/count",
  summary: "How many leases nobody could end",
  read: {
    summary: "Count irrevocable leases",
    input: {
      ...troubleFields,
      include_child_namespaces: flag("Count those of the namespaces below as well").default(false),
    },
    output: { lease_count: integer("How many"), counts: object("How many, by mount") },
    async handler({ type, include_child_namespaces }, { services }) {
      if (type !== "irrevocable") throw absent();
      const counts: Record<string, number> = {};
      for await (const { way, storage } of placesOf(services, include_child_namespaces)) {
        const table = await readMountTable(storage);
        for (const { id, mount } of await services.leases.irrevocable(storage)) {
          const path = way + (table.withUuid(mount)?.path ?? `${id.split("/", 1)[0]}/`);
          counts[path] = (counts[path] ?? 0) + 1;
        }
      }
      return { lease_count: Object.values(counts).reduce((sum, each) => sum + each, 0), counts };
    },
  },
});

/** The records of the request's own namespace and, if wanted, of those below. */
async function* placesOf({ storage }: SystemServices, isDeep: boolean) {
  yield { way: "", storage };
  const { namespace, whole } = scopeOf(storage);
  if (!isDeep) return;
  for await (const each of allBelow(namespace, whole)) {
    yield { way: wayDown(namespace, each), storage: storageOf(each, whole) };
  }
}

const irrevocable = path({
  pattern: "leases",
  summary: "Leases that nobody could end",
  read: {
    summary: "List irrevocable leases",
    sudo: true,
    input: { ...troubleFields, include_child_namespaces: flag("Accepted").default(false), ...pageFields },
    output: {
      lease_count: integer("How many"),
      leases: named("By lease id", { error: text("Why it could not be ended") }),
    },
    async handler({ type, after, limit }, { services }) {
      if (type !== "irrevocable") throw absent();
      const found = await services.leases.irrevocable(services.storage, pageOf({ after, limit }));
      const leases = Object.fromEntries(found.map(({ id, revoke_error }) => [id, { error: revoke_error }]));
      return { lease_count: found.length, leases };
    },
  },
});

export const leasePaths = [lookup, lookupPrefix, renew, revoke, revokePrefix, revokeForce, tidy, count, irrevocable];
