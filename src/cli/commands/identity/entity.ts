/** `identity entity …`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag, outputFlags } from "../../client-flags.ts";
import type { CommandGroup } from "../../command.ts";
import { UsageError } from "../../failure.ts";
import { pairsFlag, repeatedFlag, switchFlag, textFlag } from "../../flags.ts";
import { pageFlags, pageQuery } from "../../listing.ts";
import { cellText } from "../../output/cell.ts";
import { cleanPath, nothingAt } from "../../path.ts";
import { aliasText, detailRows, idOf, listedInfo, targetPath } from "./target.ts";

const settingFlags = {
  policy: repeatedFlag("Policy that its tokens have besides their own; may be given several times"),
  metadata: pairsFlag("Note to keep with it; may be given several times"),
};

interface Settings {
  readonly policy: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
}

const settingsOf = ({ policy, metadata }: Settings) => ({
  ...(policy.length > 0 && { policies: policy }),
  ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
});

const list = clientCommand({
  summary: "List entities, with what auth methods call them",
  flags: { ...formatFlag, ...pageFlags },
  async run({ client, print, during, flags }) {
    const answer = await during("listing entities", client.list("identity/entity/id", pageQuery(flags)));
    const rows = listedInfo(answer).map(([id, { name, aliases }]) => [
      cellText(name),
      id,
      (Array.isArray(aliases) ? aliases : []).map(aliasText).join(", "),
    ]);
    if (rows.length === 0) return print.text("There are no entities.", []);
    return print.table(["Name", "ID", "Aliases"], rows, answer!.data);
  },
});

const read = clientCommand({
  summary: "Read an entity",
  parameters: "NAME_OR_ID",
  flags: outputFlags,
  async run({ client, print, during, positionals }) {
    const path = targetPath("entity", positionals[0]);
    const answer = await during(`reading ${path}`, client.find(path));
    if (answer === undefined) throw nothingAt(path);
    return print.data(answer.data, detailRows(answer.data));
  },
});

const create = clientCommand({
  summary: "Make an entity",
  parameters: "[NAME]",
  examples: [{ purpose: "An entity with a policy", line: "identity entity create -policy=team-web ada" }],
  flags: { ...outputFlags, ...settingFlags },
  async run({ client, print, during, positionals, flags }) {
    const name = positionals[0]?.trim();
    const body = { ...(name !== undefined && { name }), ...settingsOf(flags) };
    const answer = await during("making the entity", client.post("identity/entity", body));
    return answer.isEmpty ? print.done(`Success! Updated entity: ${name}`) : print.secret(answer);
  },
});

const update = clientCommand({
  summary: "Change an entity; what is not named stays",
  parameters: "NAME_OR_ID",
  flags: {
    ...formatFlag,
    ...settingFlags,
    name: textFlag("New name; only with an id"),
    disabled: switchFlag("Refuse its tokens and logins; -disabled=false lets them in again"),
  },
  async run({ client, print, during, positionals, flags, given }) {
    const path = targetPath("entity", positionals[0]);
    if (flags.name !== undefined && !path.includes("/id/")) throw new UsageError("-name goes only with an id");
    const body = {
      ...settingsOf(flags),
      ...(flags.name !== undefined && { name: flags.name }),
      ...(given.has("disabled") && { disabled: flags.disabled }),
    };
    await during(`changing ${path}`, client.post(path, body));
    return print.done(`Success! Updated entity: ${cleanPath(positionals[0])}`);
  },
});

const remove = clientCommand({
  summary: "Delete an entity; its tokens are refused from then on",
  parameters: "NAME_OR_ID",
  flags: formatFlag,
  async run({ client, print, during, positionals }) {
    const path = targetPath("entity", positionals[0]);
    await during(`deleting ${path}`, client.delete(path));
    return print.done(`Success! Deleted entity (if it existed): ${cleanPath(positionals[0])}`);
  },
});

const merge = clientCommand({
  summary: "Make one entity of several: the first stays, the others become part of it",
  parameters: "INTO FROM...",
  examples: [{ purpose: "Two accounts of one person", line: "identity entity merge ada ada-old" }],
  flags: {
    ...formatFlag,
    force: switchFlag("Where two have an alias on one mount, keep that of the entity that stays"),
    "keep-alias": repeatedFlag("Id of an alias to keep where two are on one mount; may be given several times"),
  },
  async run({ client, print, during, positionals, flags }) {
    const [into, ...from] = positionals;
    if (from.length === 0) throw new UsageError("name the entity that stays, and at least one that goes into it");
    const ids = await during(
      "looking for the entities",
      Promise.all([into!, ...from].map((typed) => idOf(client, "entity", cleanPath(typed)))),
    );
    const body = {
      to_entity_id: ids[0],
      from_entity_ids: ids.slice(1),
      force: flags.force,
      ...(flags["keep-alias"].length > 0 && { conflicting_alias_ids_to_keep: flags["keep-alias"] }),
    };
    await during("merging entities", client.post("identity/entity/merge", body));
    return print.done(`Success! Merged ${from.length} into: ${into}`);
  },
});

export const entityCommands: CommandGroup = {
  summary: "People and machines",
  commands: { list, read, create, update, delete: remove, merge },
};
