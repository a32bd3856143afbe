/** An answer as rows of a table: wrapping token, new token, lease and data, under the names that people know. */
import type { Secret, TokenGrant, WrappingToken } from "../../client/secret.ts";
import { humanDuration, namedCellText, sortedKeys } from "./cell.ts";
import type { Row } from "./table.ts";

/** Values stay what they are, for `-field` with JSON; `rowsOf` makes text of them. */
export type Field = readonly [name: string, value: unknown];

function fieldsOf(secret: Secret): readonly Field[] {
  const { wrap_info, auth, data, lease_id, lease_duration, renewable } = secret;
  if (wrap_info !== null) return wrappingFields(wrap_info);
  if (auth !== null) return tokenFields(auth);
  const fields = data === null ? [] : sortedKeys(data).map((name): Field => [name, data[name]]);
  if (lease_id !== "") {
    return [["lease_id", lease_id], ["lease_duration", lease_duration], ["lease_renewable", renewable], ...fields];
  }
  return lease_duration > 0 ? [["refresh_interval", lease_duration], ...fields] : fields;
}

const wrappingFields = (wrapping: WrappingToken): Field[] => [
  ["wrapping_token", wrapping.token],
  ["wrapping_accessor", wrapping.accessor],
  ["wrapping_token_ttl", wrapping.ttl],
  ["wrapping_token_creation_time", wrapping.creation_time],
  ["wrapping_token_creation_path", wrapping.creation_path],
  ...(wrapping.wrapped_accessor ? [["wrapped_accessor", wrapping.wrapped_accessor] satisfies Field] : []),
];

const tokenFields = (auth: TokenGrant): Field[] => [
  ["token", auth.client_token],
  ["token_accessor", auth.accessor],
  ["token_duration", auth.lease_duration],
  ["token_renewable", auth.renewable],
  ["token_policies", auth.token_policies ?? []],
  ["identity_policies", auth.identity_policies ?? []],
  ["policies", auth.policies ?? []],
  ...sortedKeys(auth.metadata ?? {}).map((name): Field => [`token_meta_${name}`, auth.metadata?.[name]]),
];

const everlasting = "∞";

export const rowsOf = (secret: Secret): Row[] =>
  fieldsOf(secret).map(([name, value]) => [name, fieldText(name, value)]);

function fieldText(name: string, value: unknown): string {
  if (name === "token_duration") return value === 0 ? everlasting : humanDuration(Number(value));
  if (name === "refresh_interval") return humanDuration(Number(value));
  if (name.endsWith("policies") && Array.isArray(value))
    return `[${value.map((one) => JSON.stringify(one)).join(" ")}]`;
  return typeof value === "string" ? value : namedCellText(name, value);
}

/** Finds a field by the name that the table shows, or by its name in the data. */
export function findField(secret: Secret, name: string): Field | undefined {
  const shown = fieldsOf(secret).find(([known]) => known === name);
  if (shown !== undefined) return shown;
  return secret.data !== null && Object.hasOwn(secret.data, name) ? [name, secret.data[name]] : undefined;
}

/** The envelope without what is empty, for machines. */
export function machineForm({ auth, wrap_info, ...rest }: Secret): object {
  const { request_id, lease_id, lease_duration, renewable, data, warnings } = rest;
  return {
    request_id,
    lease_id,
    lease_duration,
    renewable,
    data,
    warnings,
    ...(auth !== null && { auth }),
    ...(wrap_info !== null && { wrap_info }),
  };
}
