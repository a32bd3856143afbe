/** `seal`: what protects the root key. Without the stanza, key shares that people hold. */
import { flag, text } from "./kinds.ts";
import type { Report } from "./report.ts";
import type { Stanza, StanzaDeclaration, StanzaValues } from "./stanza.ts";

export const sealTypes = {
  shamir: {},
  static: {
    current_key_id: text("Name of the key. A different key needs a different name").required(),
    current_key: text(
      "Key of 32 bytes, as 64 hexadecimal digits, as base64, or where to find it: `file:///path` or `env://NAME`",
    ).required(),
    previous_key_id: text("Name of the key that was current before"),
    previous_key: text("The key that was current before: it still opens, and is replaced on the next unseal"),
    disabled: flag("Leave this seal, for key shares").default(false),
  },
};

export type SealConfig = StanzaValues<typeof sealTypes>;

export const sealStanza: StanzaDeclaration<typeof sealTypes> = { name: "seal", types: sealTypes };

export function checkSeal({ values, section, place }: Stanza<typeof sealTypes>, report: Report): void {
  if (values.type !== "static" || !section.isSound) return;
  const { current_key_id, previous_key_id, previous_key } = values;
  if ((previous_key_id === undefined) !== (previous_key === undefined)) {
    report.problem(place, "previous_key_id and previous_key: set both, or neither");
  }
  if (previous_key_id !== undefined && previous_key_id === current_key_id) {
    report.problem(place, "previous_key_id: must differ from current_key_id");
  }
}
