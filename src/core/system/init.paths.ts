/** Declares `sys/init`: makes an empty store a sealed one, once. */
import { flag, integer, items, sensitive, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { firstRecords } from "./first-records.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const init = path({
  pattern: "init",
  summary: "Initialize the server",
  access: "public",
  whileSealed: true,
  bare: true,
  read: {
    summary: "Tell whether the server is initialized",
    output: { initialized: flag("Whether the store was initialized") },
    handler: async (_input, { services }) => ({ initialized: await services.seal.isInitialized() }),
  },
  write: {
    summary: "Initialize the server and hand out its keys and root token",
    input: {
      secret_shares: integer("Into how many shares the unseal key is split").optional(),
      secret_threshold: integer("How many shares unseal").optional(),
      pgp_keys: items("Not supported").optional(),
      recovery_shares: integer("Into how many shares the recovery key is split, with an automatic seal").optional(),
      recovery_threshold: integer("How many recovery shares authorize").optional(),
      recovery_pgp_keys: items("Not supported").optional(),
      root_token_pgp_key: text("Not supported").optional(),
      stored_shares: integer("Not used; older clients send it").optional(),
    },
    output: {
      keys: sensitive(items("Shares of the unseal key, hexadecimal")),
      keys_base64: sensitive(items("Shares of the unseal key, base64")),
      recovery_keys: sensitive(items("Shares of the recovery key, hexadecimal")).optional(),
      recovery_keys_base64: sensitive(items("Shares of the recovery key, base64")).optional(),
      root_token: sensitive(text("Token that may do everything")),
    },
    async handler(request, { services, now }) {
      const { seal, afterUnseal } = services;
      const first = await firstRecords(services, now);
      const keys = await seal.initialize(request, () => first.entries);
      if (await seal.openAutomatically()) await afterUnseal();
      return { ...keys, root_token: first.rootToken };
    },
  },
});

export const initPaths = [init];
