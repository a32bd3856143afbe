/** The basic constraints extension: whether this is an authority, and how many may follow it. RFC 5280, 4.2.1.9. */
import { Fields } from "../der/fields.ts";
import { booleanOf, readElement, smallIntegerOf } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import { boolean, integer, sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { reading } from "./x509-error.ts";

export interface BasicConstraints {
  readonly isAuthority: boolean;
  readonly maxPathLength?: number | undefined;
}

/** Critical. */
export function basicConstraints({ isAuthority, maxPathLength }: BasicConstraints): Extension {
  const parts = isAuthority ? [boolean(true)] : [];
  // Without an authority there is no path whose length could be limited.
  if (isAuthority && maxPathLength !== undefined) parts.push(integer(maxPathLength));
  return extension(extensionIds.basicConstraints, true, sequence(...parts));
}

export const parseBasicConstraints = (value: Uint8Array): BasicConstraints =>
  reading("basic constraints extension", () => {
    const members = new Fields(readElement(value));
    const flag = members.optional(tags.boolean);
    const length = members.optional(tags.integer);
    members.end();
    return {
      isAuthority: flag !== undefined && booleanOf(flag),
      maxPathLength: length && smallIntegerOf(length),
    };
  });
