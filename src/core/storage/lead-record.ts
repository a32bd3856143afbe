/** What a store remembers of leads: who holds one, how often it has changed hands, and who is alive. */

export interface LeadRecord {
  readonly epoch: number;
  /** Undefined when the last one gave it back. */
  readonly holder: string | undefined;
}

export function leadKey(name: string): string {
  return `store/lead/${name}`;
}

export function encodeLead(record: LeadRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

export function decodeLead(value: Uint8Array | undefined): LeadRecord {
  if (value === undefined) return { epoch: 0, holder: undefined };
  const { epoch, holder } = JSON.parse(Buffer.from(value).toString()) as Partial<LeadRecord>;
  return { epoch: Number(epoch), holder };
}

/** Where a process shows that it is alive: each write of this record gives it another version. */
export function beatKey(member: string): string {
  return `store/beat/${member}`;
}

export const signOfLife: Uint8Array = Buffer.from("alive");
