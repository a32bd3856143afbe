/** Declares `sys/locked-users`: who is locked out after failed logins. */
import { invalidRequest } from "../../api/errors.ts";
import { groups, integer, items, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { LockoutAdministration } from "../lockout/locked-users.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const counts = integer("How many users are locked out");

const lockedUsers = path({
  pattern: "locked-users",
  summary: "Users who are locked out after failed logins",
  read: {
    summary: "Read who is locked out",
    input: { mount_accessor: text("Only users of the auth method with this accessor").default("") },
    output: {
      by_namespace: groups("Locked users by namespace", {
        namespace_id: text("Identifier of the namespace"),
        namespace_path: text("Path of the namespace"),
        counts,
        mount_accessors: groups("Locked users by auth method", {
          mount_accessor: text("Accessor of the auth method"),
          counts,
          alias_identifiers: items("Names of the users in the auth method"),
        }),
      }),
      total: counts,
    },
    async handler({ mount_accessor }, { services, now }) {
      const { live, exchange, storage } = services;
      const found = await new LockoutAdministration(live).list(mount_accessor, now, exchange, storage);
      const total = found.reduce((sum, { alias_identifiers }) => sum + alias_identifiers.length, 0);
      const mount_accessors = found.map((each) => ({ ...each, counts: each.alias_identifiers.length }));
      const { id: namespace_id, path: namespace_path } = exchange.namespace;
      const here = { namespace_id, namespace_path, counts: total, mount_accessors };
      return { by_namespace: total === 0 ? [] : [here], total };
    },
  },
});

const unlock = path({
  pattern: "locked-users/:mount_accessor/unlock/:alias_identifier*",
  summary: "Let a user in again",
  params: {
    mount_accessor: text("Accessor of the auth method"),
    alias_identifier: text("Name of the user in the auth method"),
  },
  write: {
    summary: "Unlock a user; one who is not locked out is left alone",
    async handler({ mount_accessor, alias_identifier }, { services }) {
      const { live, exchange, storage } = services;
      const administration = new LockoutAdministration(live);
      if (!(await administration.unlock(mount_accessor, alias_identifier, exchange, storage))) {
        throw invalidRequest("no auth method that locks users out has this accessor");
      }
    },
  },
});

export const lockedUserPaths = [lockedUsers, unlock];
