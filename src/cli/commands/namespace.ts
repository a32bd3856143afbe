/** `namespace …`: manages namespaces. */
import type { Answer } from "../../client/client.ts";
import { clientCommand, type Session } from "../client-command.ts";
import { formatFlag, outputFlags } from "../client-flags.ts";
import type { Command, CommandGroup } from "../command.ts";
import { type Flags, pairsFlag, repeatedFlag, textFlag } from "../flags.ts";
import { pageFlags, pageQuery, printKeys } from "../listing.ts";
import { cleanPath, nothingAt, trimSlashes } from "../path.ts";

const metadataFlag = { "custom-metadata": pairsFlag("Facts to keep with the namespace; may be given several times") };

/** Commands about one namespace differ in the request alone. */
function aboutOne<Declared extends Flags>(
  summary: string,
  verb: string,
  flags: Declared,
  ask: (session: Session<Declared>, path: string) => Promise<Answer | undefined>,
  done: (path: string) => string = (path) => `Success! Namespace: ${path}`,
): Command {
  return clientCommand<Declared & typeof outputFlags>({
    summary,
    parameters: "PATH",
    flags: { ...outputFlags, ...flags },
    async run(session) {
      const { print, during, positionals } = session;
      const path = cleanPath(positionals[0]);
      const answer = await during(`${verb} namespace ${path}`, ask(session as unknown as Session<Declared>, path));
      if (answer === undefined) throw nothingAt(path);
      return answer.isEmpty ? print.done(done(`${path}/`)) : print.secret(answer);
    },
  });
}

const lister = (summary: string, verb: "list" | "scan") =>
  clientCommand({
    summary,
    flags: { ...formatFlag, ...pageFlags },
    async run({ client, print, during, flags }) {
      const answer = await during("listing namespaces", client[verb]("sys/namespaces", pageQuery(flags)));
      return printKeys(print, answer, "sys/namespaces");
    },
  });

const below = (path: string, typed: string): string =>
  trimSlashes(typed) === "" ? path : `${path}/${cleanPath(typed)}`;

const metadataPatch = (set: ReadonlyMap<string, string>, removed: readonly string[]) => ({
  custom_metadata: Object.fromEntries<string | null>([...removed.map((name) => [name, null] as const), ...set]),
});

export const command: CommandGroup = {
  summary: "Manage namespaces",
  commands: {
    list: lister("List the namespaces below the current one", "list"),
    scan: lister("List all namespaces below the current one, however deep they are", "scan"),
    lookup: aboutOne("Read a namespace", "reading", {}, ({ client }, path) => client.find(`sys/namespaces/${path}`)),
    create: aboutOne("Make a namespace", "creating", metadataFlag, ({ client, flags }, path) =>
      client.post(`sys/namespaces/${path}`, { custom_metadata: Object.fromEntries(flags["custom-metadata"]) }),
    ),
    patch: aboutOne(
      "Change what is kept with a namespace",
      "changing",
      { ...metadataFlag, "remove-custom-metadata": repeatedFlag("Fact to take away; may be given several times") },
      ({ client, flags }, path) =>
        client.patch(
          `sys/namespaces/${path}`,
          metadataPatch(flags["custom-metadata"], flags["remove-custom-metadata"]),
        ),
    ),
    delete: aboutOne(
      "Delete a namespace and all that is in it",
      "deleting",
      {},
      ({ client }, path) => client.delete(`sys/namespaces/${path}`),
      (path) => `Success! Deleted namespace (if it existed): ${path}`,
    ),
    lock: clientCommand({
      summary: "Close a namespace to requests; the current one if none is named",
      parameters: "[PATH]",
      flags: outputFlags,
      async run({ client, print, during, positionals: [typed = ""] }) {
        const answer = await during("locking the namespace", client.post(below("sys/namespaces/api-lock/lock", typed)));
        return print.secret(answer);
      },
    }),
    unlock: clientCommand({
      summary: "Open a namespace to requests again; the current one if none is named",
      parameters: "[PATH]",
      flags: { ...outputFlags, "unlock-key": textFlag("Key that lock printed") },
      async run({ client, print, during, flags, positionals: [typed = ""] }) {
        const body = { unlock_key: flags["unlock-key"] ?? "" };
        const target = below("sys/namespaces/api-lock/unlock", typed);
        const answer = await during("unlocking the namespace", client.post(target, body));
        return answer.isEmpty ? print.done("Success! Unlocked the namespace") : print.secret(answer);
      },
    }),
  },
};
