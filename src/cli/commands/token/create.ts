/** `token create`. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { choiceFlag, durationFlag, integerFlag, pairsFlag, repeatedFlag, switchFlag, textFlag } from "../../flags.ts";
import { cleanPath } from "../../path.ts";
import { bodyOf } from "../../request-body.ts";

const bodyFlags = {
  id: textFlag("Text of the token; random by default, and only sudo may choose it"),
  "display-name": textFlag("Name for lists and audit"),
  ttl: durationFlag("How long the token lives unless it is renewed"),
  "explicit-max-ttl": durationFlag("How long the token lives at most, however often it is renewed"),
  period: durationFlag("Live this long after each renewal, for ever"),
  renewable: switchFlag("Allow renewal", { default: true }),
  orphan: switchFlag("Outlive the token that makes it"),
  "no-default-policy": switchFlag("Leave the default policy out"),
  "use-limit": integerFlag("How often the token may be used; 0 for any number"),
  type: choiceFlag(["service", "batch"], "Kind of token", { default: "service" }),
  metadata: pairsFlag("Facts to keep with the token; may be given several times"),
  policy: repeatedFlag("Policy of the token; may be given several times"),
  "entity-alias": textFlag("Alias of the entity to act for; the role must allow it"),
};

const names = {
  "display-name": "display_name",
  "explicit-max-ttl": "explicit_max_ttl",
  orphan: "no_parent",
  "no-default-policy": "no_default_policy",
  "use-limit": "num_uses",
  metadata: "meta",
  policy: "policies",
  "entity-alias": "entity_alias",
};

export const tokenCreate = clientCommand({
  summary: "Make a token",
  description: ["Without -policy, the token gets the policies of the one that makes it."],
  examples: [
    {
      purpose: "Make a token for one hour that may do what a policy says",
      line: "token create -policy=reader -ttl=1h",
    },
    { purpose: "Make a token after a role", line: "token create -role=ci" },
  ],
  flags: { ...outputFlags, ...bodyFlags, role: textFlag("Role that shapes the token") },
  async run({ client, print, during, flags, given }) {
    const path = flags.role === undefined ? "auth/token/create" : `auth/token/create/${cleanPath(flags.role)}`;
    const answer = await during("creating a token", client.post(path, bodyOf(bodyFlags, flags, given, names)));
    return print.secret(answer);
  },
});
