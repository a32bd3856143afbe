/** `identity alias …` and `identity group-alias …`: what auth methods call entities and groups. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag, outputFlags } from "../../client-flags.ts";
import type { Command, CommandGroup } from "../../command.ts";
import { textFlag } from "../../flags.ts";
import { pageFlags, pageQuery } from "../../listing.ts";
import { cellText } from "../../output/cell.ts";
import { cleanPath, nothingAt } from "../../path.ts";
import { detailRows, idOf, listedInfo } from "./target.ts";

interface AliasKind {
  readonly path: string;
  readonly owner: "entity" | "group";
}

const list = ({ path, owner }: AliasKind): Command =>
  clientCommand({
    summary: `List what auth methods call each ${owner}`,
    flags: { ...formatFlag, ...pageFlags },
    async run({ client, print, during, flags }) {
      const answer = await during("listing aliases", client.list(`${path}/id`, pageQuery(flags)));
      const rows = listedInfo(answer).map(([id, { name, mount_path, mount_accessor, canonical_id }]) => [
        cellText(name),
        cellText(mount_path || mount_accessor),
        id,
        cellText(canonical_id),
      ]);
      if (rows.length === 0) return print.text("There are no aliases.", []);
      return print.table(["Name", "Mount", "ID", `${owner === "entity" ? "Entity" : "Group"} ID`], rows, answer!.data);
    },
  });

const read = ({ path }: AliasKind): Command =>
  clientCommand({
    summary: "Read an alias",
    parameters: "ID",
    flags: outputFlags,
    async run({ client, print, during, positionals }) {
      const target = `${path}/id/${cleanPath(positionals[0])}`;
      const answer = await during(`reading ${target}`, client.find(target));
      if (answer === undefined) throw nothingAt(target);
      return print.data(answer.data, detailRows(answer.data));
    },
  });

const create = ({ path, owner }: AliasKind): Command =>
  clientCommand({
    summary: `Tell what an auth method calls ${owner === "entity" ? "an entity" : "a group"}`,
    parameters: "NAME ACCESSOR",
    flags: { ...outputFlags, of: textFlag(`Name or id of the ${owner}; a new one is made without it`) },
    async run({ client, print, during, positionals, flags: { of } }) {
      const canonical_id =
        of === undefined ? undefined : await during(`looking for the ${owner}`, idOf(client, owner, of));
      const body = {
        name: positionals[0],
        mount_accessor: positionals[1],
        ...(canonical_id !== undefined && { canonical_id }),
      };
      const answer = await during("making the alias", client.post(path, body));
      return answer.isEmpty ? print.done("Success! The alias is as it was.") : print.secret(answer);
    },
  });

const remove = ({ path }: AliasKind): Command =>
  clientCommand({
    summary: "Delete an alias",
    parameters: "ID",
    flags: formatFlag,
    async run({ client, print, during, positionals }) {
      const id = cleanPath(positionals[0]);
      await during(`deleting the alias ${id}`, client.delete(`${path}/id/${id}`));
      return print.done(`Success! Deleted alias (if it existed): ${id}`);
    },
  });

export const aliasCommands = (kind: AliasKind): CommandGroup => ({
  summary: `What auth methods call ${kind.owner === "entity" ? "entities" : "groups"}`,
  commands: { list: list(kind), read: read(kind), create: create(kind), delete: remove(kind) },
});
