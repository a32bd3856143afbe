/** `lease …`: looks up, lists, renews and revokes leases. */
import { clientCommand } from "../client-command.ts";
import { formatFlag, outputFlags } from "../client-flags.ts";
import type { CommandGroup } from "../command.ts";
import { UsageError } from "../failure.ts";
import { durationFlag, switchFlag } from "../flags.ts";
import { pageFlags, pageQuery, printKeys } from "../listing.ts";
import { cleanPath } from "../path.ts";

const lookup = clientCommand({
  summary: "Look up a lease",
  parameters: "LEASE_ID",
  flags: outputFlags,
  async run({ client, print, during, positionals }) {
    const lease_id = cleanPath(positionals[0]);
    return print.secret(await during(`looking up lease ${lease_id}`, client.put("sys/leases/lookup", { lease_id })));
  },
});

const list = clientCommand({
  summary: "List leases below a path",
  parameters: "PATH",
  examples: [{ purpose: "Every credential of a role", line: "lease list database/creds/reader" }],
  flags: { ...formatFlag, ...pageFlags },
  async run({ client, print, during, positionals, flags }) {
    const path = `sys/leases/lookup/${cleanPath(positionals[0])}`;
    return printKeys(print, await during(`listing ${path}`, client.list(path, pageQuery(flags))), path);
  },
});

const renew = clientCommand({
  summary: "Renew a lease",
  parameters: "LEASE_ID",
  flags: {
    ...outputFlags,
    increment: durationFlag("How long the lease should last from now; the server may give less", { default: 0 }),
  },
  async run({ client, print, during, positionals, flags: { increment } }) {
    const lease_id = cleanPath(positionals[0]);
    const work = client.put("sys/leases/renew", { lease_id, increment });
    return print.secret(await during(`renewing lease ${lease_id}`, work));
  },
});

const revoke = clientCommand({
  summary: "Revoke a lease, or all leases below a path",
  parameters: "LEASE_ID",
  examples: [{ purpose: "Revoke every credential of a role", line: "lease revoke -prefix database/creds/reader" }],
  flags: {
    ...formatFlag,
    prefix: switchFlag("The argument is a path: revoke all leases below it"),
    force: switchFlag("Forget the leases even if what they stand for cannot be removed; only with -prefix"),
    sync: switchFlag("Wait until all is done"),
  },
  async run({ client, print, during, positionals, flags: { prefix, force, sync } }) {
    if (force && !prefix) throw new UsageError("-force goes only with -prefix");
    const id = cleanPath(positionals[0]);
    const path = prefix ? `sys/leases/revoke-${force ? "force" : "prefix"}/${id}` : "sys/leases/revoke";
    await during(`revoking ${id}`, client.put(path, prefix ? { sync } : { lease_id: id, sync }));
    if (!sync) return print.done("Success! Revocation is under way");
    return print.done(prefix ? `Success! Revoked the leases below: ${id}` : `Success! Revoked lease: ${id}`);
  },
});

export const command: CommandGroup = {
  summary: "Look up, list, renew and revoke leases",
  commands: { lookup, list, renew, revoke },
};
