/** The readable record that says how a store is sealed, and the rules for numbers of shares. */
import { invalidRequest } from "../../api/errors.ts";
import type { Store, Version } from "../storage/store.ts";
import { decodeRecord, encodeRecord } from "./json-record.ts";
import { mostShares } from "./shamir.ts";
import { storedAt } from "./stored-at.ts";

export interface Quorum {
  readonly shares: number;
  readonly threshold: number;
}

export interface SealConfig {
  readonly type: string;
  /** Of the unseal key; zeros for a seal that opens by itself. */
  readonly unseal: Quorum;
  /** Of the recovery key; zeros where there is none. */
  readonly recovery: Quorum;
}

export const noQuorum: Quorum = { shares: 0, threshold: 0 };

export const encodeSealConfig = (config: SealConfig): Uint8Array => encodeRecord(config);

/** Undefined when the store was never initialized. */
export async function readSealConfig(
  store: Store,
): Promise<{ readonly config: SealConfig; readonly version: Version } | undefined> {
  const entry = await store.get(storedAt.config);
  if (entry === undefined) return undefined;
  const { type, unseal, recovery } = decodeRecord<SealConfig>(storedAt.config, entry.value);
  return { config: { type, unseal, recovery }, version: entry.version };
}

export async function requireSealConfig(store: Store) {
  const found = await readSealConfig(store);
  if (found === undefined) throw invalidRequest("Vault is not initialized");
  return found;
}

/** Refuses numbers that make no quorum; `what` names them in the error. */
export function checkQuorum(what: string, { shares, threshold }: Quorum): void {
  const wrong = quorumProblem(shares, threshold);
  if (wrong !== undefined) throw invalidRequest(`invalid ${what} configuration: ${wrong}`);
}

function quorumProblem(shares: number, threshold: number): string | undefined {
  if (!Number.isInteger(shares) || shares < 1) return "shares must be at least one";
  if (!Number.isInteger(threshold) || threshold < 1) return "threshold must be at least one";
  if (shares > mostShares) return `shares must be at most ${mostShares}`;
  if (threshold > shares) return "threshold cannot be larger than shares";
  if (shares > 1 && threshold === 1) return "threshold must be greater than one for multiple shares";
  return undefined;
}

/** Keys for PGP are refused wherever the interface takes them: shares are handed out readable, or not at all. */
export function refusePgp(fields: Readonly<Record<string, string | readonly string[] | undefined>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value.length === 0) continue;
    throw invalidRequest(
      `${name} is not supported: this server does not encrypt what it hands out with PGP; leave it out`,
    );
  }
}
