/** Declares a path for each setting of a role, to read, set and reset it alone. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { defaultOf } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { roleParams } from "./role.paths.ts";
import { changedSettings, requirePeriodWithin, roleFields, shownSettingFields, shownSettings } from "./role-fields.ts";
import type { ApproleServices } from "./services.ts";

const path = pathsFor<ApproleServices>();

type Name = keyof typeof roleFields;

interface Setting {
  readonly segment: string;
  readonly name: Name;
  readonly older?: Name;
}

const settings: readonly Setting[] = [
  { segment: "policies", name: "token_policies", older: "policies" },
  { segment: "period", name: "token_period", older: "period" },
  { segment: "token-ttl", name: "token_ttl" },
  { segment: "token-max-ttl", name: "token_max_ttl" },
  { segment: "token-num-uses", name: "token_num_uses" },
  { segment: "token-bound-cidrs", name: "token_bound_cidrs" },
  { segment: "bind-secret-id", name: "bind_secret_id" },
  { segment: "secret-id-ttl", name: "secret_id_ttl" },
  { segment: "secret-id-num-uses", name: "secret_id_num_uses" },
  { segment: "secret-id-bound-cidrs", name: "secret_id_bound_cidrs" },
  { segment: "bound-cidr-list", name: "bound_cidr_list" },
];

function pathOf({ segment, name, older }: Setting) {
  const names = older ? [name, older] : [name];
  return path({
    pattern: `role/:role_name/${segment}`,
    summary: `The setting ${name} of a role`,
    params: roleParams,
    read: readOf(name, names),
    write: {
      summary: `Set ${name}`,
      input: picked(roleFields, names),
      async handler({ role_name, ...input }, { services, given }) {
        const role = await services.roles.require(role_name);
        if (!names.some(given)) throw invalidRequest(`missing ${name}`);
        const after = changedSettings(role, input, given);
        requirePeriodWithin(after, services.mount.maxLeaseSeconds);
        await services.roles.save(after, role);
      },
    },
    delete: {
      summary: `Reset ${name} to what a new role has`,
      async handler({ role_name }, { services }) {
        const role = await services.roles.find(role_name);
        if (!role) return;
        const after = changedSettings(role, { [name]: defaultOf(roleFields[name]) }, (field) => field === name);
        await services.roles.save(after, role);
      },
    },
  });
}

const readOf = (name: Name, names: readonly Name[]) => ({
  summary: `Read ${name}`,
  output: picked(shownSettingFields, names),
  async handler({ role_name }: { role_name: string }, { services }: { services: ApproleServices }) {
    const role = await services.roles.find(role_name);
    if (!role) throw absent();
    return picked(shownSettings(role), names);
  },
});

/** Typed as all of them: those that are missing are neither taken nor given, so nobody looks at them. */
function picked<Values extends object>(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as Values;
}

const localSecretIds = path({
  pattern: "role/:role_name/local-secret-ids",
  summary: "The setting local_secret_ids of a role, which only its creation sets",
  params: roleParams,
  read: readOf("local_secret_ids", ["local_secret_ids"]),
});

export const roleSettingPaths = [...settings.map(pathOf), localSecretIds];
