/** Declares how certificates are revoked. */
import { type Fields, integer, sensitive, text } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { Answered } from "../../api/reply.ts";
import { reasonCode, requireKeyOf, revoke, type Target, targetOf } from "./revoke.ts";
import type { PkiServices } from "./services.ts";
import { shownTime } from "./shown-time.ts";

const path = pathsFor<PkiServices>();

const revokeFields = {
  serial_number: text("Serial number, as octets with colons or hyphens between").default(""),
  certificate: text("The certificate itself, in PEM, in place of its serial number").default(""),
  reason: text("Why, by the names of RFC 5280: keyCompromise, superseded, and so on").default(""),
} satisfies Fields;

const revokedFields = {
  revocation_time: integer("When it was revoked, in seconds since 1970"),
  revocation_time_rfc3339: text("When it was revoked"),
  state: text("revoked"),
} satisfies Fields;

const revokePath = path({
  pattern: "revoke",
  summary: "Revoke a certificate",
  write: {
    summary: "Revoke a certificate by its serial number, or by itself",
    input: revokeFields,
    output: revokedFields,
    async handler(input, context) {
      const code = reasonCode(input.reason);
      const target = await targetOf(context.services, input, context.given);
      return answer(context, target, code);
    },
  },
  examples: [{ operation: "write", request: { serial_number: "39:dd:2e:90:b7:23:1f:8d" } }],
});

const revokeWithKey = path({
  pattern: "revoke-with-key",
  summary: "Revoke one's own certificate",
  write: {
    summary: "Revoke a certificate whose private key the caller shows",
    input: { ...revokeFields, private_key: sensitive(text("Private key of the certificate, in PEM")).default("") },
    output: revokedFields,
    async handler(input, context) {
      const code = reasonCode(input.reason);
      const target = await targetOf(context.services, input, context.given);
      requireKeyOf(target, input.private_key);
      return answer(context, target, code);
    },
  },
  examples: [
    { operation: "write", request: { serial_number: "39:dd:2e", private_key: "-----BEGIN PRIVATE KEY-----\n…" } },
  ],
});

async function answer({ services, now, warn }: Context<PkiServices>, target: Target, reason: number) {
  const revocation = await revoke(services, target, reason, now, warn);
  if (!revocation) return new Answered(200, undefined);
  return { ...shownTime(revocation.at), state: "revoked" };
}

export const revokePaths = [revokePath, revokeWithKey];
