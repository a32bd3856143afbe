/** Declares secret ids: made or brought along, looked up and destroyed by themselves or by their accessors. */
import { invalidRequest, notFound } from "../../api/errors.ts";
import { dictionary, duration, integer, list, sensitive, text, type Values, writeOnly } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { randomUuid } from "../../lib/random-name.ts";
import { requireCidrs, requireSubset } from "./cidr-rules.ts";
import { parseMetadata } from "./metadata.ts";
import { roleParams } from "./role.paths.ts";
import type { Role } from "./role.ts";
import { type FoundSecretId, isExpired, type SecretId } from "./secret-id.ts";
import type { ApproleServices } from "./services.ts";

const path = pathsFor<ApproleServices>();

const longestSecretId = 4096;

const wishes = {
  metadata: text("Kept with tokens that it gives: a JSON object of strings, as one text").default(""),
  cidr_list: list("Where logins with it may come from; within those of the role").default([]),
  token_bound_cidrs: list("Where its tokens may be used from; within those of the role").default([]),
  num_uses: integer("Logins that it is good for; as the role says if not given").default(0),
  ttl: duration("Its lifetime; as the role says if not given").default(0),
};

const made = {
  secret_id: sensitive(text("The secret id; shown this once")),
  secret_id_accessor: text("Names the secret id without giving it away"),
  secret_id_ttl: duration("Its lifetime; 0 for no end"),
  secret_id_num_uses: integer("Logins that it is good for; 0 for no limit"),
};

const shown = {
  secret_id_accessor: made.secret_id_accessor,
  secret_id_num_uses: integer("Logins that it is still good for; 0 for no limit"),
  secret_id_ttl: made.secret_id_ttl,
  creation_time: text("When it was made (RFC 3339)"),
  expiration_time: text("When it ends (RFC 3339); the year 1 for never"),
  last_updated_time: text("When it last changed (RFC 3339)"),
  metadata: dictionary("Kept with tokens that it gives"),
  cidr_list: wishes.cidr_list,
  token_bound_cidrs: wishes.token_bound_cidrs,
};

const secretIds = path({
  pattern: "role/:role_name/secret-id",
  summary: "Secret ids of a role",
  params: roleParams,
  list: {
    summary: "List the accessors of secret ids",
    input: pageFields,
    output: keysField,
    async handler({ role_name, ...page }, { services }) {
      const role = await services.roles.require(role_name);
      return { keys: await services.secretIds.listAccessors(role, pageOf(page)) };
    },
  },
  write: {
    summary: "Make a secret id",
    input: wishes,
    output: made,
    async handler({ role_name, ...input }, { services, given, now }) {
      const role = await services.roles.require(role_name);
      return register(services, role, randomUuid(services.random), secretOf(role, input, given, services, now));
    },
  },
  examples: [{ operation: "write", request: { metadata: '{"host":"web-1"}', num_uses: 1, ttl: "10m" } }],
});

const secretIdField = writeOnly(text("The secret id")).default("");

const customSecretId = path({
  pattern: "role/:role_name/custom-secret-id",
  summary: "Secret ids that were made elsewhere",
  params: roleParams,
  write: {
    summary: "Bring a secret id along",
    input: { secret_id: secretIdField, ...wishes },
    output: made,
    async handler({ role_name, secret_id, ...input }, { services, given, now }) {
      const secretId = requireSecretId(secret_id);
      const role = await services.roles.require(role_name);
      const existing = await services.secretIds.find(role, secretId);
      if (existing && !isExpired(existing.secret, now)) throw invalidRequest("SecretID is already registered");
      if (existing) services.secretIds.remove(role.folder, existing);
      return register(services, role, secretId, secretOf(role, input, given, services, now));
    },
  },
  examples: [{ operation: "write", request: { secret_id: "chosen-by-somebody-else", ttl: "1h" } }],
});

const lookup = path({
  pattern: "role/:role_name/secret-id/lookup",
  summary: "What is known of a secret id",
  params: roleParams,
  write: {
    summary: "Look a secret id up",
    input: { secret_id: secretIdField },
    output: shown,
    async handler({ role_name, secret_id }, { services, now }) {
      const secretId = requireSecretId(secret_id);
      const role = await services.roles.require(role_name);
      const found = await services.secretIds.find(role, secretId);
      return found && !isExpired(found.secret, now) ? shownSecretId(found) : undefined;
    },
  },
});

const destroyOne = {
  summary: "Destroy a secret id",
  input: { secret_id: secretIdField },
  async handler(
    { role_name, secret_id }: { role_name: string; secret_id: string },
    { services }: { services: ApproleServices },
  ) {
    const secretId = requireSecretId(secret_id);
    const role = await services.roles.require(role_name);
    const found = await services.secretIds.find(role, secretId);
    if (found) services.secretIds.remove(role.folder, found);
  },
};

const destroy = path({
  pattern: "role/:role_name/secret-id/destroy",
  summary: "Destroy a secret id",
  params: roleParams,
  write: destroyOne,
  delete: destroyOne,
});

const accessorField = text("Accessor of the secret id").default("");

const lookupAccessor = path({
  pattern: "role/:role_name/secret-id-accessor/lookup",
  summary: "What is known of the secret id behind an accessor",
  params: roleParams,
  write: {
    summary: "Look a secret id up by its accessor",
    input: { secret_id_accessor: accessorField },
    output: shown,
    async handler({ role_name, secret_id_accessor }, { services, now }) {
      const { found } = await behind(secret_id_accessor, role_name, services, now);
      return shownSecretId(found);
    },
  },
});

const destroyBehind = {
  summary: "Destroy a secret id by its accessor",
  input: { secret_id_accessor: accessorField },
  async handler(
    { role_name, secret_id_accessor }: { role_name: string; secret_id_accessor: string },
    { services, now }: { services: ApproleServices; now: Date },
  ) {
    const { role, found } = await behind(secret_id_accessor, role_name, services, now);
    services.secretIds.remove(role.folder, found);
  },
};

const destroyAccessor = path({
  pattern: "role/:role_name/secret-id-accessor/destroy",
  summary: "Destroy the secret id behind an accessor",
  params: roleParams,
  write: destroyBehind,
  delete: destroyBehind,
});

async function behind(accessor: string, roleName: string, { roles, secretIds }: ApproleServices, now: Date) {
  if (accessor === "") throw invalidRequest("missing secret_id_accessor");
  const role = await roles.require(roleName);
  const found = await secretIds.withAccessor(role, accessor);
  if (!found || isExpired(found.secret, now)) {
    throw notFound(`failed to find accessor entry for secret_id_accessor: ${JSON.stringify(accessor)}`);
  }
  return { role, found };
}

function requireSecretId(given: string): string {
  // A login's secret id is trimmed: one with spaces around it could never be used.
  const secretId = given.trim();
  if (secretId === "") throw invalidRequest("missing secret_id");
  if (Buffer.byteLength(secretId) > longestSecretId) {
    throw invalidRequest(`secret_id is longer than maximum of ${longestSecretId} bytes`);
  }
  return secretId;
}

/** What a caller wishes, within what the role allows. */
function secretOf(
  role: Role,
  input: Values<typeof wishes>,
  given: (field: string) => boolean,
  { mount, random }: ApproleServices,
  now: Date,
): SecretId {
  if (!role.bind_secret_id) throw invalidRequest("bind_secret_id is not set on the role");
  requireCidrs("cidr_list", input.cidr_list);
  requireCidrs("token_bound_cidrs", input.token_bound_cidrs);
  requireSubset(role.secret_id_bound_cidrs, input.cidr_list);
  requireSubset(role.token.token_bound_cidrs, input.token_bound_cidrs);
  const uses = given("num_uses") ? input.num_uses : role.secret_id_num_uses;
  const asked = given("ttl") ? input.ttl : role.secret_id_ttl;
  requireWithin(role, uses, asked);
  const ttl = Math.min(asked, mount.maxLeaseSeconds);
  return {
    accessor: randomUuid(random),
    uses,
    ttl,
    created: now.getTime(),
    updated: now.getTime(),
    expires: ttl > 0 ? now.getTime() + ttl * 1000 : null,
    metadata: parseMetadata(input.metadata),
    cidr_list: input.cidr_list,
    token_bound_cidrs: input.token_bound_cidrs,
  };
}

/** Zero stands for no limit, which is more than any. */
function requireWithin({ secret_id_num_uses, secret_id_ttl }: Role, uses: number, ttl: number): void {
  if (uses < 0) throw invalidRequest("num_uses cannot be negative");
  if (ttl < 0) throw invalidRequest("ttl cannot be negative");
  if (secret_id_num_uses > 0 && (uses === 0 || uses > secret_id_num_uses)) {
    throw invalidRequest("num_uses cannot be higher than the role's secret_id_num_uses");
  }
  if (secret_id_ttl > 0 && (ttl === 0 || ttl > secret_id_ttl)) {
    throw invalidRequest("ttl cannot be longer than the role's secret_id_ttl");
  }
}

function register({ secretIds }: ApproleServices, role: Role, secret_id: string, secret: SecretId) {
  secretIds.add(role, secret_id, secret);
  return {
    secret_id,
    secret_id_accessor: secret.accessor,
    secret_id_num_uses: secret.uses,
    secret_id_ttl: secret.ttl,
  };
}

const shownSecretId = ({ secret }: FoundSecretId) => ({
  cidr_list: secret.cidr_list,
  creation_time: new Date(secret.created).toISOString(),
  expiration_time: secret.expires === null ? "0001-01-01T00:00:00Z" : new Date(secret.expires).toISOString(),
  last_updated_time: new Date(secret.updated).toISOString(),
  metadata: secret.metadata,
  secret_id_accessor: secret.accessor,
  secret_id_num_uses: secret.uses,
  secret_id_ttl: secret.ttl,
  token_bound_cidrs: secret.token_bound_cidrs,
});

export const secretIdPaths = [secretIds, customSecretId, lookup, destroy, lookupAccessor, destroyAccessor];
