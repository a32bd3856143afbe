/** `identity group …`. */
import type { Client } from "../../../client/client.ts";
import { clientCommand } from "../../client-command.ts";
import { formatFlag, outputFlags } from "../../client-flags.ts";
import type { CommandGroup } from "../../command.ts";
import { choiceFlag, pairsFlag, repeatedFlag } from "../../flags.ts";
import { pageFlags, pageQuery } from "../../listing.ts";
import { cellText } from "../../output/cell.ts";
import { cleanPath, nothingAt } from "../../path.ts";
import { aliasText, detailRows, idOf, listedInfo, targetPath } from "./target.ts";

const settingFlags = {
  policy: repeatedFlag("Policy that its members have; may be given several times"),
  metadata: pairsFlag("Note to keep with it; may be given several times"),
  entity: repeatedFlag("Name or id of an entity in the group: all of them, each with a flag of its own"),
  group: repeatedFlag("Name or id of a group in the group: all of them, each with a flag of its own"),
};

interface Settings {
  readonly policy: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly entity: readonly string[];
  readonly group: readonly string[];
}

async function settingsOf(client: Client, { policy, metadata, entity, group }: Settings) {
  const ids = (kind: "entity" | "group", typed: readonly string[]) =>
    Promise.all(typed.map((each) => idOf(client, kind, each)));
  return {
    ...(policy.length > 0 && { policies: policy }),
    ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
    ...(entity.length > 0 && { member_entity_ids: await ids("entity", entity) }),
    ...(group.length > 0 && { member_group_ids: await ids("group", group) }),
  };
}

const list = clientCommand({
  summary: "List groups",
  flags: { ...formatFlag, ...pageFlags },
  async run({ client, print, during, flags }) {
    const answer = await during("listing groups", client.list("identity/group/id", pageQuery(flags)));
    const rows = listedInfo(answer).map(([id, { name, num_member_entities, num_parent_groups, alias }]) => [
      cellText(name),
      id,
      cellText(num_member_entities),
      cellText(num_parent_groups),
      aliasText(alias),
    ]);
    if (rows.length === 0) return print.text("There are no groups.", []);
    return print.table(["Name", "ID", "Entities", "Parents", "Alias"], rows, answer!.data);
  },
});

const read = clientCommand({
  summary: "Read a group",
  parameters: "NAME_OR_ID",
  flags: outputFlags,
  async run({ client, print, during, positionals }) {
    const path = targetPath("group", positionals[0]);
    const answer = await during(`reading ${path}`, client.find(path));
    if (answer === undefined) throw nothingAt(path);
    return print.data(answer.data, detailRows(answer.data));
  },
});

const create = clientCommand({
  summary: "Make a group",
  parameters: "[NAME]",
  examples: [
    { purpose: "A group with two members", line: "identity group create -policy=team-web -entity=ada -entity=bob web" },
    { purpose: "A group whose members an auth method tells", line: "identity group create -type=external staff" },
  ],
  flags: {
    ...outputFlags,
    ...settingFlags,
    type: choiceFlag(["internal", "external"], "Who tells the members: you, or an auth method", {
      default: "internal",
    }),
  },
  async run({ client, print, during, positionals, flags }) {
    const name = positionals[0]?.trim();
    const settings = await during("looking for the members", settingsOf(client, flags));
    const body = { ...(name !== undefined && { name }), type: flags.type, ...settings };
    const answer = await during("making the group", client.post("identity/group", body));
    return answer.isEmpty ? print.done(`Success! Updated group: ${name}`) : print.secret(answer);
  },
});

const update = clientCommand({
  summary: "Change a group; what is not named stays",
  parameters: "NAME_OR_ID",
  flags: { ...formatFlag, ...settingFlags },
  async run({ client, print, during, positionals, flags }) {
    const path = targetPath("group", positionals[0]);
    const settings = await during("looking for the members", settingsOf(client, flags));
    await during(`changing ${path}`, client.post(path, settings));
    return print.done(`Success! Updated group: ${cleanPath(positionals[0])}`);
  },
});

const remove = clientCommand({
  summary: "Delete a group; its members stay",
  parameters: "NAME_OR_ID",
  flags: formatFlag,
  async run({ client, print, during, positionals }) {
    const path = targetPath("group", positionals[0]);
    await during(`deleting ${path}`, client.delete(path));
    return print.done(`Success! Deleted group (if it existed): ${cleanPath(positionals[0])}`);
  },
});

export const groupCommands: CommandGroup = {
  summary: "Groups of entities and of other groups",
  commands: { list, read, create, update, delete: remove },
};
