/** What people do in several steps: the same operations, whether the progress is kept in this process or in another. */
import { type CeremonyName, type Companions, elsewhere, type Step } from "./companions.ts";
import type { GenerateRoot } from "./generate-root.ts";
import type { Rekey } from "./rekey.ts";
import type { Unsealing } from "./unsealing.ts";

const unsealOperations = ["provide", "attempt"] as const;
const rekeyOperations = [
  "status",
  "start",
  "update",
  "verificationStatus",
  "verify",
  "restartVerification",
  "cancel",
] as const;
const generateRootOperations = ["status", "start", "update", "cancel"] as const;

export type RekeyCeremony = Pick<Rekey, (typeof rekeyOperations)[number]>;
export type GenerateRootCeremony = Pick<GenerateRoot, (typeof generateRootOperations)[number]>;

export interface Ceremonies {
  readonly unseal: Pick<Unsealing, (typeof unsealOperations)[number]>;
  readonly "rekey-root": RekeyCeremony;
  readonly "rekey-recovery": RekeyCeremony;
  readonly "generate-root": GenerateRootCeremony;
}

const operations: Readonly<Record<CeremonyName, readonly string[]>> = {
  unseal: unsealOperations,
  "rekey-root": rekeyOperations,
  "rekey-recovery": rekeyOperations,
  "generate-root": generateRootOperations,
};

export const ceremoniesElsewhere = (companions: Companions): Ceremonies => ({
  unseal: elsewhere(companions, "unseal", unsealOperations),
  "rekey-root": elsewhere(companions, "rekey-root", rekeyOperations),
  "rekey-recovery": elsewhere(companions, "rekey-recovery", rekeyOperations),
  "generate-root": elsewhere(companions, "generate-root", generateRootOperations),
});

export async function takeStep(here: Ceremonies, { ceremony, operation, input }: Step): Promise<unknown> {
  if (!operations[ceremony]?.includes(operation)) throw new Error(`there is no step ${ceremony} ${operation}`);
  const kept = here[ceremony] as unknown as Record<string, (...input: readonly unknown[]) => Promise<unknown>>;
  return kept[operation]!(...input);
}
