/** `identity …`: people and machines, what auth methods call them, and their groups. */
import type { CommandGroup } from "../command.ts";
import { aliasCommands } from "./identity/alias.ts";
import { entityCommands } from "./identity/entity.ts";
import { groupCommands } from "./identity/group.ts";

export const command: CommandGroup = {
  summary: "Manage entities, their aliases, and groups",
  commands: {
    entity: entityCommands,
    alias: aliasCommands({ path: "identity/entity-alias", owner: "entity" }),
    group: groupCommands,
    "group-alias": aliasCommands({ path: "identity/group-alias", owner: "group" }),
  },
};
