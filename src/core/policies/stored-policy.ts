/** A policy as the store keeps it, and its parsed form beside it for as long as that version is current. */
import { parseRecord } from "../../api/collection.ts";
import { ApiError } from "../../api/errors.ts";
import { parsePolicy } from "./parse-policy.ts";
import type { Policy } from "./policy.ts";
import type { TemplateFreedom } from "./templating.ts";

export interface PolicyRecord {
  readonly name: string;
  /** The text; never base64. */
  readonly policy: string;
  /** Grows by one with each change. */
  readonly version: number;
  readonly cas_required: boolean;
  /** RFC 3339; null for what was never written, such as `root`. */
  readonly modified: string | null;
  /** RFC 3339; null for one that stays. */
  readonly expiration: string | null;
  readonly allow_wildcards_in_identity_templates: boolean;
  readonly allow_slashes_in_identity_templates: boolean;
}

let parsedSoFar = 0;

export class StoredPolicy {
  /** Names this very parse of this very version in this process. */
  readonly id: number;
  readonly record: PolicyRecord;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  readonly freedom: TemplateFreedom;
  #policy: Policy | undefined;

  constructor(record: PolicyRecord) {
    parsedSoFar += 1;
    this.id = parsedSoFar;
    this.record = record;
    this.expires = record.expiration === null ? Number.POSITIVE_INFINITY : Date.parse(record.expiration);
    this.freedom = {
      slashes: record.allow_slashes_in_identity_templates,
      wildcards: record.allow_wildcards_in_identity_templates,
    };
  }

  /** Parsed when it is first used, so that a text that a later version refuses can still be read and replaced. */
  get policy(): Policy {
    this.#policy ??= parseStored(this.record);
    return this.#policy;
  }
}

function parseStored({ name, policy }: PolicyRecord): Policy {
  try {
    return parsePolicy(name, policy);
  } catch (error) {
    throw new ApiError(500, `the stored policy ${JSON.stringify(name)} cannot be read: write it again`, {
      cause: error,
    });
  }
}

/** One function for all policies, since the cache keeps a parsed value by the function that parsed it. */
export const parseStoredPolicy = (bytes: Uint8Array): StoredPolicy =>
  new StoredPolicy(parseRecord(bytes) as PolicyRecord);
