/** `unwrap`: takes out what a wrapping token holds. */
import { clientCommand } from "../client-command.ts";
import { outputFlags } from "../client-flags.ts";
import { readSecretArgument } from "../input.ts";

export const command = clientCommand({
  summary: "Take out what a wrapping token holds, once",
  description: ["Without a TOKEN, the current token is the wrapping one. A TOKEN of - is read from standard input."],
  parameters: "[TOKEN]",
  examples: [{ purpose: "Unwrap and print one field", line: "unwrap -field=password s.KV1PxtRLlJ5yXNCDjV2xv1zA" }],
  flags: outputFlags,
  async run({ client, print, during, positionals, terminal }) {
    const token = await readSecretArgument(positionals[0], terminal);
    const hasOwn = (client.settings.token ?? "") !== "";
    const body = token === undefined || !hasOwn ? undefined : { token };
    const work = client.put("sys/wrapping/unwrap", body, hasOwn ? {} : { token });
    const answer = await during("unwrapping", work);
    return answer.isEmpty ? print.done("The wrapping token held an empty answer.") : print.secret(answer);
  },
});
