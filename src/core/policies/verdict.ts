/** What is asked of an access control list, and what it answers. */
import type { JsonObject } from "../../lib/json.ts";
import type { AccessOperation } from "./capability.ts";
import type { KeyFilter } from "./key-filter.ts";

export interface AccessRequest {
  readonly operation: AccessOperation;
  /** Without a leading slash; the path of a list or scan ends in one. */
  readonly path: string;
  /** The body of a write, or the query of anything else. */
  readonly body?: Readonly<JsonObject>;
  /** Seconds for which the caller wants the answer wrapped; nothing or 0 for an answer in the open. */
  readonly wrapTtl?: number | undefined;
  readonly now: Date;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Whether root-protected paths are open as well. */
  readonly sudo: boolean;
  /** The `root` policy: no rule was asked. */
  readonly root: boolean;
  /** Path of the rule that decided, as its policy writes it (with templates filled in). */
  readonly rule: string | undefined;
  /** Names of the policies that grant the operation; of a refusal, those that the rule comes from. */
  readonly policies: readonly string[];
  /** Why not, for the caller's own eyes; empty when allowed. */
  readonly reason: string;
  /** The page size that a list must use, whatever limit it was asked for. */
  readonly limit: number | undefined;
  /** Which keys of a list the caller may see. */
  readonly keyFilter: KeyFilter | undefined;
  /** Seconds; 0 for no bound. */
  readonly wrapping: { readonly min: number; readonly max: number };
  readonly mfaMethods: readonly string[];
}

const noBounds = { min: 0, max: 0 };

export const rootVerdict: Verdict = {
  allowed: true,
  sudo: true,
  root: true,
  rule: undefined,
  policies: ["root"],
  reason: "",
  limit: undefined,
  keyFilter: undefined,
  wrapping: noBounds,
  mfaMethods: [],
};

export const noRuleVerdict: Verdict = {
  ...rootVerdict,
  allowed: false,
  sudo: false,
  root: false,
  policies: [],
  reason: "no rule of any policy matches the path",
};
