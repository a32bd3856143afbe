/** Declares how a root token is made by a quorum of key holders, for callers with a token and for those without. */
import { flag, integer, sensitive, text } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { decodeToken } from "../seal/generate-root.ts";
import { cancellationNonce } from "./cancel-right.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const statusFields = {
  nonce: text("Names the attempt; empty when there is none"),
  started: flag("Whether an attempt is under way"),
  progress: integer("Shares given so far"),
  required: integer("Shares that are needed"),
  complete: flag("Whether the token is made"),
  encoded_token: sensitive(text("The token, encrypted with the one-time password")),
  encoded_root_token: sensitive(text("Another name of encoded_token")),
  pgp_fingerprint: text("Always empty"),
  otp: sensitive(text("The one-time password, if it was made here; shown once")),
  otp_length: integer("Length of the one-time password"),
};

const startFields = {
  otp: sensitive(text("One-time password of the caller's own")).optional(),
  pgp_key: text("Not supported").optional(),
};

const shareFields = {
  key: sensitive(text("One key share, hexadecimal or base64")).optional(),
  nonce: text("Nonce of the attempt").optional(),
};

const nonceField = { nonce: text("Nonce of the attempt; whichever is under way when empty").optional() };

const attemptOperations = (isPrivileged: boolean) => ({
  read: {
    summary: "Read how far it is",
    output: statusFields,
    handler: (_input: unknown, { services }: { services: SystemServices }) => services.seal.generateRoot.status(),
  },
  write: {
    summary: "Start an attempt",
    effects: true,
    input: startFields,
    output: statusFields,
    handler: (request: { otp?: string | undefined; pgp_key?: string | undefined }, { services }: Served) =>
      services.seal.generateRoot.start(request),
  },
  delete: {
    summary: "Cancel the attempt under way",
    effects: true,
    input: nonceField,
    handler: async ({ nonce }: { nonce?: string | undefined }, context: Context<SystemServices>) => {
      const authenticatedPath = "sys/generate-root-token/attempt";
      const required = isPrivileged ? nonce : await cancellationNonce(nonce, authenticatedPath, context);
      await context.services.seal.generateRoot.cancel(required);
    },
  },
});

interface Served {
  readonly services: SystemServices;
}

const updateOperation = {
  summary: "Give one key share",
  effects: true,
  input: shareFields,
  output: statusFields,
  handler: (request: { key?: string | undefined; nonce?: string | undefined }, { services }: Served) =>
    services.seal.generateRoot.update(request),
};

const attempt = path({
  pattern: "generate-root-token/attempt",
  summary: "Make a root token with the agreement of key holders",
  ...attemptOperations(true),
});

const update = path({
  pattern: "generate-root-token/update",
  summary: "Agree to a root token",
  write: updateOperation,
});

const openAttempt = path({
  pattern: "generate-root/attempt",
  summary: "Make a root token with the agreement of key holders, without a token",
  access: "public",
  bare: true,
  ...attemptOperations(false),
});

const openUpdate = path({
  pattern: "generate-root/update",
  summary: "Agree to a root token, without a token",
  access: "public",
  bare: true,
  write: updateOperation,
});

const decode = path({
  pattern: ["decode-token", "generate-root-token/decode"],
  summary: "Decrypt a root token with its one-time password",
  access: "public",
  write: {
    summary: "Decode an encoded token",
    input: {
      encoded_token: sensitive(text("The encrypted token")).default(""),
      otp: sensitive(text("The one-time password")).default(""),
    },
    output: { token: sensitive(text("The token")) },
    handler: async (request) => ({ token: decodeToken(request) }),
  },
});

export const generateRootPaths = [attempt, update, decode];

/** Served only where a listener says so: whoever reaches it can disturb an attempt. */
export const unauthenticatedGenerateRootPaths = [openAttempt, openUpdate];
