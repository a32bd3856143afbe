/** Declares `sys/seal-status`, `sys/unseal` and `sys/seal`. */
import { flag, integer, items, sensitive, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const statusFields = {
  type: text("Kind of seal"),
  initialized: flag("Whether the store was initialized"),
  sealed: flag("Whether the server is sealed"),
  t: integer("Shares that unseal"),
  n: integer("Shares that exist"),
  progress: integer("Shares given so far"),
  nonce: text("Names the attempt under way; empty when there is none"),
  recovery_seal: flag("Whether recovery keys take the place of unseal keys"),
  recovery_seal_type: text("Kind of recovery keys").optional(),
  version: text("Version of the server"),
  build_date: text("When this version was made"),
  commit_date: text("When this version was made"),
  migration: flag("Whether a change of seal is under way"),
  cluster_name: text("Name of the cluster").optional(),
  cluster_id: text("Identifier of the cluster").optional(),
  storage_type: text("Kind of store"),
  warnings: items("What the operator should know").optional(),
};

async function statusOf({ seal, version, buildDate, clusterName }: SystemServices) {
  const status = await seal.status();
  const cluster = status.sealed ? {} : { cluster_name: clusterName };
  return { ...status, version, build_date: buildDate, commit_date: buildDate, ...cluster };
}

const status = path({
  pattern: "seal-status",
  summary: "Whether the server is sealed, and how it is unsealed",
  access: "public",
  whileSealed: true,
  bare: true,
  read: {
    summary: "Read the seal's status",
    output: statusFields,
    handler: (_input, { services }) => statusOf(services),
  },
});

const unseal = path({
  pattern: "unseal",
  summary: "Give one share of the unseal key",
  access: "public",
  whileSealed: true,
  bare: true,
  write: {
    summary: "Unseal the server",
    input: {
      key: sensitive(text("One share, hexadecimal or base64")).optional(),
      reset: flag("Forget the shares given so far").default(false),
      migrate: flag("Change the seal; not supported").default(false),
    },
    output: statusFields,
    async handler(request, { services }) {
      const wasSealed = services.seal.barrier.isSealed;
      const { sealed } = await services.seal.unseal(request);
      if (wasSealed && !sealed) await services.afterUnseal();
      return statusOf(services);
    },
  },
});

const seal = path({
  pattern: "seal",
  summary: "Seal the server",
  write: {
    summary: "Forget all keys until somebody unseals the server again",
    sudo: true,
    effects: true,
    handler: (_input, { services }) => services.seal.seal(),
  },
});

export const sealPaths = [status, unseal, seal];
