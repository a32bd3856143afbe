/** Logs in with a token: looks it up, which proves that it is good. */
import { Answer } from "../../client/client.ts";
import type { TokenGrant } from "../../client/secret.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { Session } from "../client-command.ts";
import { CommandFailure, exitCodes } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { readSecretArgument } from "../input.ts";

export async function tokenLogin({ client, during, positionals, terminal }: Session<Flags>): Promise<Answer> {
  const word = positionals[0]?.replace(/^token=/, "");
  const given = await readSecretArgument(word, terminal);
  const token = (given ?? (await terminal.askSecret("Token (will be hidden): "))).trim();
  if (token === "") throw new CommandFailure("Error logging in: no token was given", exitCodes.local);
  const { data } = await during("logging in", client.get("auth/token/lookup-self", { token }));
  return tokenAnswer(token, data);
}

/** What a lookup says, in the form in which a login answers. */
function tokenAnswer(token: string, data: JsonObject): Answer {
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  const own = texts(data["policies"]);
  const identity = texts(data["identity_policies"]);
  const auth: TokenGrant = {
    client_token: token,
    accessor: String(data["accessor"] ?? ""),
    policies: [...new Set([...own, ...identity])],
    token_policies: own,
    identity_policies: identity,
    metadata: (data["meta"] ?? null) as TokenGrant["metadata"],
    lease_duration: Number(data["ttl"] ?? 0),
    renewable: data["renewable"] === true,
    entity_id: String(data["entity_id"] ?? ""),
    token_type: String(data["type"] ?? ""),
  };
  return new Answer({ request_id: "", data: null, auth }, Buffer.alloc(0));
}
