/** Changes of keys that need nobody's shares: a new term of the keyring, or a new root key under the same seal. */
import type { Version } from "../storage/store.ts";
import type { Foundation } from "./foundation.ts";
import { encodeHandoff, handoffFrom } from "./handoff.ts";
import { newKey, wipe } from "./key-material.ts";
import type { Keyring, Term } from "./keyring.ts";
import { unwrapRootKey, wrapRootKey } from "./root-key-record.ts";
import { changedRotation, type RotationSettings } from "./rotation-settings.ts";
import type { Seal } from "./seal.ts";
import { ShamirSeal } from "./shamir-seal.ts";
import { storedAt } from "./stored-at.ts";

export interface KeyStatus {
  readonly term: number;
  readonly install_time: string;
  readonly encryptions: number;
}

/** Values are written with a new key from now on; old keys stay, for reading. */
export function rotateKeyring({ keyrings, random, clock }: Foundation): Promise<void> {
  return keyrings.change((draft) => {
    draft.add(newKey(random), clock.now());
    return {};
  });
}

/** Of the term that writes; the count is what all processes have reported, and what this one has not yet. */
export function keyStatus({ barrier }: Foundation): KeyStatus {
  const { active } = barrier.keyring;
  return {
    term: active.term,
    install_time: new Date(active.installed).toISOString(),
    encryptions: encryptions(active),
  };
}

export const readRotation = ({ barrier }: Foundation): RotationSettings => barrier.keyring.rotation;

export function writeRotation({ keyrings }: Foundation, change: Partial<RotationSettings>): Promise<void> {
  return keyrings.change((draft) => {
    draft.rotation = changedRotation(draft.rotation, change);
    return {};
  });
}

/** For a periodic job in each process: reports its count, and rotates when the settings say so. True when it rotated. */
export async function maintainKeyring({ keyrings, barrier, random, clock }: Foundation): Promise<boolean> {
  const counted = [...barrier.keyring.terms.values()].some(({ unsaved }) => unsaved > 0);
  if (!counted && !isDue(barrier.keyring, clock.now())) return false;
  let rotated = false;
  await keyrings.change((draft) => {
    rotated = isDue(draft, clock.now(), barrier.keyring.active.unsaved);
    if (rotated) draft.add(newKey(random), clock.now());
    return {};
  });
  return rotated;
}

function isDue({ active, rotation }: Keyring, now: number, unsaved = 0): boolean {
  if (!rotation.enabled) return false;
  if (encryptions(active) + unsaved >= rotation.max_operations) return true;
  return rotation.interval > 0 && now - active.installed >= rotation.interval * 1000;
}

const encryptions = ({ saved, unsaved }: Term) => saved + unsaved;

/** A new root key, wrapped by the same seal: shares of the unseal key stay good. */
export function rotateRootKey(foundation: Foundation): Promise<void> {
  const { store, keyrings } = foundation;
  return keyrings.change(async (draft) => {
    const wrapped = await store.get(storedAt.rootKey);
    if (wrapped === undefined) throw new Error("the root key is no longer in the store");
    const { seal, wipeSeal } = await currentSeal(foundation);
    try {
      // Proves that the seal opens what is stored, before anything depends on it alone.
      const { rootKey } = await unwrapRootKey(seal, wrapped.value);
      wipe(rootKey.key);
      return await replaceRootKey(foundation, draft, seal, wrapped.version);
    } finally {
      wipeSeal();
    }
  });
}

/** Puts a new root key into the draft; returns what must be stored with it. */
export async function replaceRootKey(
  { clock, random }: Foundation,
  draft: Keyring,
  seal: Seal,
  version: Version,
): Promise<{ expect: Map<string, Version>; puts: Map<string, Uint8Array> }> {
  const next = { generation: draft.rootKey.generation + 1, key: newKey(random) };
  const puts = new Map<string, Uint8Array>([
    [storedAt.rootKey, await wrapRootKey(seal, next)],
    [handoffFrom(draft.rootKey.generation), encodeHandoff(draft.rootKey, next, clock, random)],
  ]);
  draft.replaceRootKey(next);
  return { expect: new Map([[storedAt.rootKey, version]]), puts };
}

async function currentSeal({ autoSeal, store, barrier, random }: Foundation) {
  if (autoSeal !== undefined) return { seal: autoSeal, wipeSeal: () => {} };
  const entry = await store.get(storedAt.unsealKey);
  if (entry === undefined) throw new Error("the unseal key is no longer in the store");
  const key = barrier.decrypt(storedAt.unsealKey, entry.value);
  return { seal: new ShamirSeal(key, random), wipeSeal: () => wipe(key) };
}
