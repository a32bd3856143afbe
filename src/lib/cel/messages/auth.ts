/** What a program of a JWT role makes: a login. Durations are counted in nanoseconds. */
import type { FieldType, MessageType } from "../message.ts";

const text: FieldType = { kind: "string" };
const flag: FieldType = { kind: "bool" };
const integer: FieldType = { kind: "int64" };
const texts: FieldType = { kind: { list: "string" } };
const pairs: FieldType = { kind: { map: ["string", "string"] } };

const alias: MessageType = {
  name: "logical.Alias",
  fields: {
    mount_type: text,
    mount_accessor: text,
    name: text,
    metadata: pairs,
    ID: text,
    namespace_id: text,
    custom_metadata: pairs,
    local: flag,
  },
};

const leaseOptions: MessageType = {
  name: "pb.LeaseOptions",
  fields: {
    TTL: integer,
    renewable: flag,
    increment: integer,
    issue_time: { kind: "timestamp" },
    MaxTTL: integer,
  },
};

const auth: MessageType = {
  name: "pb.Auth",
  fields: {
    lease_options: { kind: { message: "pb.LeaseOptions" } },
    internal_data: text,
    display_name: text,
    policies: texts,
    metadata: pairs,
    client_token: text,
    accessor: text,
    period: integer,
    num_uses: integer,
    entity_id: text,
    alias: { kind: { message: "logical.Alias" } },
    group_aliases: { kind: { list: { message: "logical.Alias" } } },
    bound_cidrs: texts,
    token_policies: texts,
    identity_policies: texts,
    explicit_max_ttl: integer,
    token_type: { kind: "uint32" },
    no_default_policy: flag,
  },
};

export const authMessages: readonly MessageType[] = [alias, leaseOptions, auth];
