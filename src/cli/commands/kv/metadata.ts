/** `kv metadata …`: what is kept about a secret beside its data. */
import type { Answer } from "../../../client/client.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { clientCommand, type Session } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import type { CommandGroup } from "../../command.ts";
import { durationFlag, type Flags, integerFlag, pairsFlag, repeatedFlag, switchFlag } from "../../flags.ts";
import { sortedKeys } from "../../output/cell.ts";
import type { Printer } from "../../output/printer.ts";
import { nothingAt } from "../../path.ts";
import { bodyOf } from "../../request-body.ts";
import { apiPath, locate, mountFlag, requireVersions } from "./location.ts";
import { metadataText } from "./print-metadata.ts";

const settingFlags = {
  "max-versions": integerFlag("How many versions to keep; 0 for the engine's own setting"),
  "cas-required": switchFlag("Refuse writes that do not name the version that they replace"),
  "delete-version-after": durationFlag("Delete a version this long after it was written; 0s for never"),
  "custom-metadata": pairsFlag("Fact to keep with the secret; may be given several times"),
};

const patchFlags = {
  ...settingFlags,
  "remove-custom-metadata": repeatedFlag("Fact to take away; may be given several times"),
};

/** Commands about metadata differ in the request and in what they print. */
function onMetadata<Declared extends Flags>(
  summary: string,
  verb: string,
  flags: Declared,
  ask: (session: Session<Declared>, path: string) => Promise<Answer | undefined>,
  show: (print: Printer, answer: Answer, path: string) => number,
) {
  return clientCommand<Declared & typeof outputFlags & typeof mountFlag>({
    summary,
    parameters: "PATH",
    flags: { ...outputFlags, ...mountFlag, ...flags },
    async run(session) {
      const { client, print, during, positionals } = session;
      const { mount } = session.flags as { readonly mount: string | undefined };
      const typed = positionals[0]!;
      const location = await during(`${verb} ${typed}`, locate(client, typed, mount));
      requireVersions(location);
      const path = apiPath(location, "metadata");
      const answer = await during(`${verb} ${path}`, ask(session as unknown as Session<Declared>, path));
      if (answer === undefined) throw nothingAt(path);
      return show(print, answer, path);
    },
  });
}

const written = (print: Printer, answer: Answer, path: string) =>
  answer.isEmpty ? print.done(`Success! Data written to: ${path}`) : print.secret(answer);

function shown(print: Printer, answer: Answer, path: string): number {
  if (print.format !== "table" || print.hasField) return print.secret(answer);
  print.warn(answer.secret.warnings);
  return print.text(metadataText(answer.data, path), undefined);
}

function patchBody({ flags, given }: Session<typeof patchFlags>): JsonObject {
  const body = bodyOf(settingFlags, flags, given);
  const removed = flags["remove-custom-metadata"].map((name) => [name, null] as const);
  const set = isJsonObject(body["custom_metadata"]) ? body["custom_metadata"] : {};
  const facts = { ...Object.fromEntries(removed), ...set };
  return sortedKeys(facts).length > 0 ? { ...body, custom_metadata: facts } : body;
}

export const kvMetadata: CommandGroup = {
  summary: "Read and change what is kept about a secret beside its data",
  commands: {
    get: onMetadata(
      "Print the versions and settings of a secret",
      "reading",
      {},
      ({ client }, path) => client.find(path),
      shown,
    ),
    put: onMetadata(
      "Set the settings of a secret",
      "writing",
      settingFlags,
      ({ client, flags, given }, path) => client.put(path, bodyOf(settingFlags, flags, given)),
      written,
    ),
    patch: onMetadata(
      "Change some settings of a secret, and leave the others",
      "changing",
      patchFlags,
      (session, path) => session.client.orNothing(session.client.patch(path, patchBody(session))),
      written,
    ),
    delete: onMetadata(
      "Delete a secret with all its versions",
      "deleting",
      {},
      ({ client }, path) => client.delete(path),
      (print, _answer, path) => print.done(`Success! Data deleted (if it existed) at: ${path}`),
    ),
  },
};
