/** The fields of a role, written once: for the whole role, and for the paths of single settings. */
import { invalidRequest } from "../../api/errors.ts";
import { deprecated, duration, flag, integer, list, type Values } from "../../api/fields.ts";
import {
  changedTokenFields,
  olderTokenFields,
  shownOlderFields,
  shownTokenFields,
} from "../../api/kept-token-fields.ts";
import { tokenFields } from "../../api/token-fields.ts";
import { formatDuration } from "../../lib/duration.ts";
import { requireCidrs } from "./cidr-rules.ts";
import type { RoleSettings } from "./role.ts";

const ownFields = {
  bind_secret_id: flag("Whether a login needs a secret id").default(true),
  secret_id_bound_cidrs: list("Where logins may come from").default([]),
  secret_id_num_uses: integer("Logins that a secret id is good for; 0 for no limit").default(0),
  secret_id_ttl: duration("Lifetime of secret ids; 0 for no end").default(0),
  local_secret_ids: flag("Accepted; secret ids are stored like everything else").default(false),
};

const older = {
  policies: olderTokenFields.policies,
  period: olderTokenFields.period,
  bound_cidr_list: deprecated(list("Another name of secret_id_bound_cidrs")).default([]),
};

export const roleFields = { ...ownFields, ...tokenFields, ...older };

export const shownRoleFields = {
  ...ownFields,
  ...tokenFields,
  policies: shownOlderFields.policies,
  period: shownOlderFields.period,
};

/** What the paths of single settings show. */
export const shownSettingFields = { ...shownRoleFields, bound_cidr_list: older.bound_cidr_list };

type RoleValues = Values<typeof roleFields>;
export type RoleInput = { readonly [Name in keyof RoleValues]?: RoleValues[Name] | undefined };

/** What the caller sent replaces what was there. */
export function changedSettings<Settings extends RoleSettings>(
  before: Settings,
  input: RoleInput,
  given: (field: string) => boolean,
): Settings {
  const changes: Record<string, unknown> = {};
  if (given("bound_cidr_list")) changes["secret_id_bound_cidrs"] = input.bound_cidr_list;
  for (const name of Object.keys(ownFields) as (keyof typeof ownFields)[]) {
    if (given(name)) changes[name] = input[name];
  }
  const after = { ...before, ...changes, ...changedTokenFields(before, input, given) };
  requireSound(after);
  return after;
}

/** All that reading a role shows. */
export function shownSettings({ token, older, ...role }: RoleSettings) {
  const { bind_secret_id, secret_id_bound_cidrs, secret_id_num_uses, secret_id_ttl, local_secret_ids } = role;
  return {
    bind_secret_id,
    local_secret_ids,
    secret_id_bound_cidrs,
    bound_cidr_list: secret_id_bound_cidrs,
    secret_id_num_uses,
    secret_id_ttl,
    ...shownTokenFields({ token, older }),
  };
}

function requireSound({ token, ...role }: RoleSettings): void {
  requireCidrs("secret_id_bound_cidrs", role.secret_id_bound_cidrs);
  if (role.secret_id_num_uses < 0) throw invalidRequest("secret_id_num_uses cannot be negative");
  if (role.secret_id_ttl < 0) throw invalidRequest("secret_id_ttl cannot be negative");
  if (!role.bind_secret_id && role.secret_id_bound_cidrs.length === 0 && token.token_bound_cidrs.length === 0) {
    throw invalidRequest("at least one constraint should be enabled on the role");
  }
}

export function requirePeriodWithin({ token }: RoleSettings, maxSeconds: number): void {
  if (token.token_period <= maxSeconds) return;
  throw invalidRequest(
    `period of ${JSON.stringify(formatDuration(token.token_period))} is greater than the backend's ` +
      `maximum lease TTL of ${JSON.stringify(formatDuration(maxSeconds))}`,
  );
}
