/** Declares how tokens end: `revoke`, `revoke-self`, `revoke-accessor`, `revoke-orphan` and `tidy`. */
import { invalidRequest } from "../../api/errors.ts";
import { sensitive, text } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { Answered } from "../../api/reply.ts";
import { homeStorage } from "./home-storage.ts";
import type { Token } from "./token.ts";
import type { TokenServices } from "./token-services.ts";

const path = pathsFor<TokenServices>();

const tokenField = { token: sensitive(text("Token to revoke")).default("") };

/** Kills the token in one commit; what hangs on it follows before the answer. */
async function revokeTree({ transaction, services }: Context<TokenServices>, token: Token): Promise<void> {
  if (token.type === "batch") throw invalidRequest("batch tokens cannot be revoked");
  await transaction(async ({ core, storage }) => {
    const home = homeStorage(token, storage);
    const current = await core.tokens.byKey(token.key, home);
    if (current) core.revocation.begin(current, home);
  });
  await services.core.revocation.finish(token.key);
}

const revoke = path({
  pattern: ["revoke", "revoke/:token"],
  summary: "End a token and all that was made with it",
  params: tokenField,
  write: {
    summary: "Revoke a token and its children",
    effects: true,
    input: tokenField,
    async handler({ token }, context) {
      if (token === "") throw invalidRequest("missing token ID");
      const { own, core, storage } = context.services;
      // The caller's own may be of another namespace, and is found all the same.
      const found = token === own.id ? own.token : await core.tokens.find(token, storage);
      if (found) await revokeTree(context, found);
    },
  },
});

const revokeSelf = path({
  pattern: "revoke-self",
  summary: "End the caller's own token and all that was made with it",
  write: {
    summary: "Revoke the caller's own token",
    effects: true,
    input: tokenField,
    handler: (_input, context) => revokeTree(context, context.services.own.token),
  },
});

const revokeAccessor = path({
  pattern: ["revoke-accessor", "revoke-accessor/:accessor"],
  summary: "End the token behind an accessor",
  params: { accessor: text("Accessor of the token").default("") },
  write: {
    summary: "Revoke a token by its accessor",
    effects: true,
    input: { accessor: text("Accessor of the token").default("") },
    async handler({ accessor }, context) {
      if (accessor === "") throw invalidRequest("missing accessor");
      const { core, storage } = context.services;
      const token = await core.tokens.byAccessor(accessor, storage);
      if (!token) return context.warn("No token found with this accessor");
      await revokeTree(context, token);
    },
  },
});

const revokeOrphan = path({
  pattern: ["revoke-orphan", "revoke-orphan/:token"],
  summary: "End a token and leave its children as orphans",
  params: tokenField,
  write: {
    summary: "Revoke a token, not its children",
    effects: true,
    input: tokenField,
    async handler({ token }, { services, caller, transaction }) {
      if (!caller?.sudo) throw invalidRequest("root or sudo privileges required to revoke and orphan");
      if (token === "") throw invalidRequest("missing token ID");
      const found = await services.core.tokens.find(token, services.storage);
      if (!found) return;
      if (found.type === "batch") throw invalidRequest("batch tokens cannot be revoked");
      await orphanChildren(found, transaction);
      await transaction(async ({ core, storage }) => {
        const current = await core.tokens.byKey(found.key, storage);
        if (current) core.revocation.begin(current, storage);
      });
      await services.core.revocation.finish(found.key);
    },
  },
});

async function orphanChildren(parent: Token, transaction: Context<TokenServices>["transaction"]): Promise<void> {
  const most = 50;
  for (let orphaned = most; orphaned === most; ) {
    orphaned = await transaction(async ({ core: { tokens }, storage }) => {
      const children = await tokens.childrenOf(parent.key, storage, { limit: most });
      for (const key of children) {
        const child = await tokens.byKey(key, storage);
        if (child) tokens.makeOrphan(child, storage);
        else tokens.forgetChild(parent.key, key, storage);
      }
      return children.length;
    });
  }
}

const tidy = path({
  pattern: "tidy",
  summary: "Clear away what expired tokens left behind",
  write: {
    summary: "Tidy the token store",
    effects: true,
    output: {},
    async handler(_input, { services, warn }) {
      await services.core.revocation.resume();
      warn(
        "Tidy operation successfully started. Any information from the operation will be printed to the server logs.",
      );
      return new Answered(202, {});
    },
  },
});

export const revokePaths = [revoke, revokeSelf, revokeAccessor, revokeOrphan, tidy];
