/** What a rule can grant, kept as bits so that rules merge and answer with one operation. */

/** A set of capabilities; 0 grants nothing. */
export type Capabilities = number;

export const capabilityBits = {
  create: 1,
  read: 2,
  update: 4,
  delete: 8,
  list: 16,
  scan: 32,
  patch: 64,
  sudo: 128,
  deny: 256,
} as const;

export type CapabilityName = keyof typeof capabilityBits;

/** What a request does, in the words of policies: a write is a `create` or an `update`. */
export type AccessOperation = Exclude<CapabilityName, "sudo" | "deny">;

export const sudo = capabilityBits.sudo;
export const deny = capabilityBits.deny;

const sortedNames = (Object.keys(capabilityBits) as CapabilityName[]).sort();

export const isCapabilityName = (name: string): name is CapabilityName => Object.hasOwn(capabilityBits, name);

/** A deny wipes whatever stands beside it. */
export function withoutDenied(capabilities: Capabilities): Capabilities {
  return (capabilities & deny) === 0 ? capabilities : deny;
}

/** Sorted, as `sys/capabilities` shows them; nothing granted shows as a deny. */
export function capabilityList(capabilities: Capabilities): CapabilityName[] {
  const effective = withoutDenied(capabilities) || deny;
  return sortedNames.filter((name) => (effective & capabilityBits[name]) !== 0);
}
