/** `policy explain`: which rule of which policy decides about a path. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { askDecision, decisionText } from "../../decision.ts";
import { exitCodes } from "../../failure.ts";
import { choiceFlag } from "../../flags.ts";
import { readSecretArgument } from "../../input.ts";
import { cleanPath } from "../../path.ts";

const operations = ["read", "create", "update", "patch", "delete", "list", "scan"] as const;

export const policyExplain = clientCommand({
  summary: "Say which rule of which policy allows or denies something",
  description: [
    "Without a TOKEN, the current one is meant; another one needs sudo. A TOKEN of - is read from standard input.",
    "The exit code is 0 if it is allowed, and 2 if not.",
  ],
  parameters: "[TOKEN] PATH",
  examples: [
    { purpose: "Why can I not write here?", line: "policy explain -operation=update secret/data/shop/database" },
  ],
  flags: {
    ...outputFlags,
    operation: choiceFlag(operations, "What would be done", { default: "read" }),
  },
  async run({ client, print, during, positionals, terminal, flags: { operation } }) {
    const typed = cleanPath(positionals.at(-1));
    const isListing = operation === "list" || operation === "scan";
    const path = isListing || positionals.at(-1)?.trim().endsWith("/") ? `${typed}/` : typed;
    const token = positionals.length > 1 ? await readSecretArgument(positionals[0], terminal) : undefined;
    const answer = await during("asking for the decision", askDecision(client, { path, operation }, token));
    if (print.hasField || !print.isForPeople) print.secret(answer);
    else print.text(decisionText(answer.data, { path, operation }), answer.data);
    return answer.data["allowed"] === true ? exitCodes.ok : exitCodes.refused;
  },
});
