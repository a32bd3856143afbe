/** Settings of the tokens that an auth role gives out: the same ten for every auth method. */
import { parseCidr } from "../lib/cidr.ts";
import { invalidRequest } from "./errors.ts";
import { choice, duration, flag, integer, list, type Values } from "./fields.ts";

export const tokenFields = {
  token_ttl: duration("Lifetime of tokens; the mount's default when 0").default(0),
  token_max_ttl: duration("Longest life of tokens, renewals included; the mount's when 0").default(0),
  token_explicit_max_ttl: duration("A hard end that no renewal passes; 0 for none").default(0),
  token_period: duration("Renew for this long again and again; 0 for not periodic").default(0),
  token_policies: list("Policies of tokens").default([]),
  token_bound_cidrs: list("Where logins may come from, and tokens be used from").default([]),
  token_strictly_bind_ip: flag("Tie tokens to the address that the login came from").default(false),
  token_no_default_policy: flag("Leave the default policy out").default(false),
  token_num_uses: integer("Requests that tokens are good for; 0 for no limit").default(0),
  token_type: choice(
    ["", "default", "service", "batch", "default-service", "default-batch"],
    "Kind of tokens; as the mount is tuned when empty or default",
  ).default(""),
};

export type TokenFieldValues = Values<typeof tokenFields>;

/** What a role without any of these settings has. */
export const plainTokenFields: TokenFieldValues = {
  token_ttl: 0,
  token_max_ttl: 0,
  token_explicit_max_ttl: 0,
  token_period: 0,
  token_policies: [],
  token_bound_cidrs: [],
  token_strictly_bind_ip: false,
  token_no_default_policy: false,
  token_num_uses: 0,
  token_type: "",
};

/** Refuses settings that contradict each other; called when a role is written. */
export function requireSoundTokenFields(values: TokenFieldValues): void {
  for (const name of ["token_ttl", "token_max_ttl", "token_explicit_max_ttl", "token_period"] as const) {
    if (values[name] < 0) throw invalidRequest(`'${name}' cannot be negative`);
  }
  if (values.token_num_uses < 0) throw invalidRequest("'token_num_uses' cannot be negative");
  if (values.token_max_ttl > 0 && values.token_ttl > values.token_max_ttl) {
    throw invalidRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  for (const cidr of values.token_bound_cidrs) requireCidr(cidr);
  if (values.token_strictly_bind_ip && values.token_bound_cidrs.length > 0) {
    throw invalidRequest("'token_strictly_bind_ip' cannot be used together with 'token_bound_cidrs'");
  }
  if (values.token_type === "batch" || values.token_type === "default-batch") requireBatchable(values);
}

function requireBatchable({ token_period, token_num_uses }: TokenFieldValues): void {
  if (token_period > 0) throw invalidRequest("'token_type' cannot be 'batch' when set to generate periodic tokens");
  if (token_num_uses > 0) {
    throw invalidRequest("'token_type' cannot be 'batch' when set to generate tokens with limited use count");
  }
}

function requireCidr(text: string): void {
  try {
    parseCidr(text);
  } catch {
    throw invalidRequest(`invalid CIDR ${JSON.stringify(text)}: expected a block such as 10.0.0.0/8, or an address`);
  }
}
