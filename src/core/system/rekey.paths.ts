/** Declares how key shares are replaced by a quorum of their holders: `sys/rotate/{root,recovery}/…` and `sys/rekey…`. */
import { invalidRequest } from "../../api/errors.ts";
import { flag, integer, items, sensitive, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { RekeyCeremony } from "../seal/ceremonies.ts";
import { cancellationNonce } from "./cancel-right.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const progressFields = {
  nonce: text("Names the operation; empty when there is none"),
  started: flag("Whether an operation is under way").optional(),
  t: integer("New shares that will be needed").optional(),
  n: integer("New shares that will exist").optional(),
  progress: integer("Shares given so far").optional(),
  required: integer("Shares that are needed").optional(),
  complete: flag("Whether the new shares are made").optional(),
  keys: sensitive(items("New shares, hexadecimal; shown once")).optional(),
  keys_base64: sensitive(items("New shares, base64; shown once")).optional(),
  pgp_fingerprints: items("Always null").nullable().optional(),
  backup: flag("Always false").optional(),
  verification_required: flag("Whether the new shares must be proved first").optional(),
  verification_nonce: text("Nonce for proving the new shares").optional(),
};

const startFields = {
  secret_shares: integer("Into how many shares the new key is split").optional(),
  secret_threshold: integer("How many of the new shares will be needed").optional(),
  pgp_keys: items("Not supported").optional(),
  backup: flag("Not supported; it needs PGP").default(false),
  require_verification: flag("Replace the old shares only when the new ones were proved").default(false),
};

const shareFields = {
  key: sensitive(text("One key share, hexadecimal or base64")).optional(),
  nonce: text("Nonce of the operation").optional(),
};

const nonceField = { nonce: text("Nonce of the operation; whichever is under way when empty").optional() };

type Which = (services: SystemServices) => RekeyCeremony;

/** The same four resources for the unseal key and the recovery key, with a token and without. */
function rekeyPaths(prefix: string, which: Which, access: "token" | "public", what: "unseal" | "recovery") {
  const authenticatedPath = `sys/rotate/${what === "unseal" ? "root" : "recovery"}/init`;
  const traits = { access, bare: access === "public" };
  const isPrivileged = access === "token";
  return [
    path({
      pattern: `${prefix}/init`,
      summary: `Replace the shares of the ${what} key`,
      ...traits,
      read: {
        summary: "Read how far it is",
        output: progressFields,
        handler: (_input, { services }) => which(services).status(),
      },
      write: {
        summary: "Start replacing shares",
        effects: true,
        input: startFields,
        output: progressFields,
        handler: (request, { services }) => which(services).start(request, isPrivileged),
      },
      delete: {
        summary: "Cancel the operation under way",
        effects: true,
        input: nonceField,
        handler: async ({ nonce }, context) => {
          const required = isPrivileged ? nonce : await cancellationNonce(nonce, authenticatedPath, context);
          await which(context.services).cancel(required);
        },
      },
    }),
    path({
      pattern: `${prefix}/update`,
      summary: `Agree to new shares of the ${what} key`,
      ...traits,
      write: {
        summary: "Give one of the old shares",
        effects: true,
        input: shareFields,
        output: progressFields,
        handler: (request, { services }) => which(services).update(request),
      },
    }),
    path({
      pattern: `${prefix}/verify`,
      summary: `Prove the new shares of the ${what} key`,
      ...traits,
      read: {
        summary: "Read how far the proof is",
        output: progressFields,
        handler: (_input, { services }) => which(services).verificationStatus(),
      },
      write: {
        summary: "Give one of the new shares",
        effects: true,
        input: shareFields,
        output: progressFields,
        handler: (request, { services }) => which(services).verify(request),
      },
      delete: {
        summary: "Begin the proof again",
        effects: true,
        input: nonceField,
        output: progressFields,
        handler: (_input, { services }) => which(services).restartVerification(),
      },
    }),
  ];
}

/** Shares are backed up only when PGP encrypts them, which is not supported: there is never one to read. */
const backup = path({
  pattern: ["rotate/root/backup", "rotate/recovery/backup", "rekey/backup", "rekey/recovery-key-backup"],
  summary: "Backup of encrypted key shares",
  dataOnTop: true,
  read: {
    summary: "Read the backup; there is never one",
    handler: async () => {
      throw invalidRequest("no backed-up keys found");
    },
  },
  delete: { summary: "Delete the backup; there is never one", handler: async () => undefined },
});

const unsealKey: Which = ({ seal }) => seal.rekey.root;
const recoveryKey: Which = ({ seal }) => seal.rekey.recovery;

export const rekeyingPaths = [
  ...rekeyPaths("rotate/root", unsealKey, "token", "unseal"),
  ...rekeyPaths("rotate/recovery", recoveryKey, "token", "recovery"),
  backup,
];

/** Served only where a listener says so: whoever reaches it can disturb an operation. */
export const unauthenticatedRekeyPaths = [
  ...rekeyPaths("rekey", unsealKey, "public", "unseal"),
  ...rekeyPaths("rekey-recovery-key", recoveryKey, "public", "recovery"),
];
