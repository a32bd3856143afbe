/** What a supervisor and its workers ask each other. It travels in memory, through a pipe that only the two hold. */
import type { AddressInfo } from "node:net";
import type { FamilySnapshot } from "../core/metrics/across-processes.ts";
import type { RateRule, RateVerdict } from "../core/quotas/rate-limiter.ts";
import type { Step } from "../core/seal/companions.ts";
import type { LogLevelChange } from "../core/system/server-node.ts";
import type { RequestsUnderWay } from "../core/system/under-way.ts";

interface Question<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

export interface SentRootKey {
  readonly generation: number;
  readonly key: Uint8Array;
}

/** What a worker must know to begin. */
export interface Role {
  /** How many there are. */
  readonly workers: number;
  /** Whether it makes the store ready; the others are started when it has. */
  readonly isFirst: boolean;
  /** That the first one got for its listeners, if it has started. */
  readonly ports: readonly number[];
  /** Levels that were set while the node runs. */
  readonly logLevels: readonly LogLevelChange[];
}

export interface Ready {
  /** Of the listeners, in the order of the configuration. */
  readonly addresses: readonly AddressInfo[];
  /** For development: how to get in. */
  readonly prepared: { readonly rootToken: string; readonly unsealKey: string | undefined } | undefined;
}

/** `round` counts how often the node was sealed: who has not heard of the last time must not open it again. */
export interface SealState {
  readonly round: number;
  readonly rootKey: SentRootKey | undefined;
  /** Somebody sealed it, and nobody has unsealed it since. */
  readonly wasSealed: boolean;
}

export interface AskedOfSupervisor {
  readonly role: Question<undefined, Role>;
  readonly ready: Question<Ready, void>;
  readonly sealState: Question<undefined, SealState>;
  readonly opened: Question<{ readonly round: number; readonly rootKey: SentRootKey }, void>;
  /** Answers the new round. */
  readonly sealed: Question<undefined, number>;
  readonly take: Question<Step, unknown>;
  readonly othersMetrics: Question<undefined, readonly (readonly FamilySnapshot[])[]>;
  readonly othersUnderWay: Question<undefined, readonly RequestsUnderWay[]>;
  readonly setLogLevel: Question<LogLevelChange, void>;
  readonly countRequest: Question<{ rule: RateRule; client: string; now: number }, RateVerdict>;
}

export interface AskedOfWorker {
  readonly open: Question<undefined, void>;
  readonly seal: Question<number, void>;
  readonly take: Question<Step, unknown>;
  readonly metrics: Question<undefined, readonly FamilySnapshot[]>;
  readonly underWay: Question<undefined, RequestsUnderWay>;
  readonly setLogLevel: Question<LogLevelChange, void>;
  /** Whether it is the one that tells what the reading of the configuration gave. */
  readonly reload: Question<{ readonly speaks: boolean }, void>;
  readonly reopenLog: Question<undefined, void>;
  /** It finishes its requests and ends. */
  readonly stop: Question<undefined, void>;
}
