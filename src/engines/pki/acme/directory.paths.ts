/** Declares the directory, where a client begins, and the source of nonces. */
import { type Context, pathsFor } from "../../../api/path.ts";
import { RawReply } from "../../../api/reply.ts";
import { bindingPolicy, type WithAcme } from "./acme.ts";
import { type Directory, type DirectoryPlace, directoryParams, openDirectory, under } from "./directory.ts";
import { answering, jsonReply } from "./reply.ts";

const path = pathsFor<WithAcme>();

/** For requests that nobody signs. */
function openly(place: DirectoryPlace, context: Context<WithAcme>, work: (directory: Directory) => RawReply) {
  const { acme } = context.services;
  return answering(place, context, async () =>
    work(await openDirectory(place, { settings: await acme.settings.get(), authority: acme.authority })),
  );
}

const directory = path({
  pattern: under("directory"),
  summary: "Where an ACME client begins",
  access: "public",
  params: directoryParams,
  read: {
    summary: "Read where everything is",
    handler: (place, context) =>
      openly(place, context, ({ url, settings }) => {
        const { caa_identities } = settings;
        return jsonReply({
          newNonce: url("new-nonce"),
          newAccount: url("new-account"),
          newOrder: url("new-order"),
          revokeCert: url("revoke-cert"),
          keyChange: url("key-change"),
          renewalInfo: url("renewal-info"),
          meta: {
            externalAccountRequired: bindingPolicy(context.services.acme, settings) !== "not-required",
            ...(caa_identities.length > 0 && { caaIdentities: caa_identities }),
          },
        });
      }),
  },
});

const newNonce = path({
  pattern: under("new-nonce"),
  summary: "A fresh nonce",
  access: "public",
  params: directoryParams,
  head: {
    summary: "Get a nonce",
    handler: (place, context) => openly(place, context, () => new RawReply(undefined, undefined)),
  },
  read: {
    summary: "Get a nonce",
    handler: (place, context) => openly(place, context, () => new RawReply(undefined, undefined, { status: 204 })),
  },
});

export const directoryPaths = [directory, newNonce];
