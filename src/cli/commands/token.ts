/** `token …`: makes, looks up, renews and revokes tokens. */
import type { CommandGroup } from "../command.ts";
import { tokenCapabilities } from "./token/capabilities.ts";
import { tokenCreate } from "./token/create.ts";
import { tokenLookup } from "./token/lookup.ts";
import { tokenRenew } from "./token/renew.ts";
import { tokenRevoke } from "./token/revoke.ts";

export const command: CommandGroup = {
  summary: "Make, look up, renew and revoke tokens",
  commands: {
    capabilities: tokenCapabilities,
    create: tokenCreate,
    lookup: tokenLookup,
    renew: tokenRenew,
    revoke: tokenRevoke,
  },
};
