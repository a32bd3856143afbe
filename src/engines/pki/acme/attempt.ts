/** One try of a challenge, and what follows from its outcome. Made right after the client's request, and by a job where that failed. */
import type { Host, Tick } from "../../../api/engine.ts";
import type { Acme, WithAcme } from "./acme.ts";
import { authorizationStatus, challengeOf, doubted, proven, refuted } from "./authorization.ts";
import { requireAuthorityAllowed } from "./caa.ts";
import type { Proof } from "./challenges/proof.ts";
import { validators } from "./challenges/validators.ts";
import { failureSubject } from "./new-order.ts";
import { Problem, problemOf } from "./problem.ts";
import type { Validation } from "./validation.ts";

export interface Attempt extends Omit<Proof, "network" | "signal"> {
  /** In the queue. */
  readonly name: string;
  readonly validation: Validation;
  readonly wildcard: boolean;
}

type Transaction = Tick<WithAcme>["transaction"];

const tryMs = 12_000;
/** How long to wait after each failure; after the last one it is final. */
const pausesMs = [1000, 3000, 6000];

/** Never fails: what goes wrong on our side leaves the entry in the queue, where it is found again. */
export async function attempt(task: Attempt, host: Host, transaction: Transaction): Promise<void> {
  try {
    const problem = await outcome(task, host);
    await transaction(({ acme }) => record(task, problem, acme));
  } catch (error) {
    host.log.warn("a challenge could not be tried, and will be again", { error: String(error) });
  }
}

async function outcome(task: Attempt, { network, metrics }: Host): Promise<Problem | undefined> {
  metrics.count("acme_validations_total", "Tries to validate a challenge");
  try {
    if (!network) throw new Problem("serverInternal", "this server has no network to validate challenges with");
    const proof = { ...task, network, signal: AbortSignal.timeout(tryMs) };
    await validators[task.validation.type](proof);
    await requireAuthorityAllowed(proof, task.wildcard);
    return undefined;
  } catch (error) {
    metrics.count("acme_failed_validations_total", "Tries to validate a challenge that failed");
    return problemOf(error) ?? new Problem("connection", `the challenge failed: ${(error as Error).message}`);
  }
}

async function record({ name, validation }: Attempt, problem: Problem | undefined, acme: Acme): Promise<void> {
  const now = new Date(acme.host.clock.now());
  const { type, failures } = validation;
  const found = await acme.authorizations.get(validation.authorization);
  const isOpen =
    found && authorizationStatus(found, now) === "pending" && challengeOf(found, type)?.status === "processing";
  // Another process may have taken the entry over, because this one took too long.
  if (!(await acme.validations.has(name))) return;
  if (!isOpen) {
    acme.validations.remove(name);
    return;
  }
  if (!problem) {
    acme.validations.remove(name);
    acme.authorizations.put(proven(found, type, now));
    return;
  }
  const pause = pausesMs[failures];
  if (pause !== undefined) {
    acme.validations.postpone(name, { ...validation, failures: failures + 1 }, now.getTime() + pause);
    acme.authorizations.put(doubted(found, type, problem.document()));
    return;
  }
  acme.validations.remove(name);
  acme.authorizations.put(refuted(found, type, problem.document()));
  acme.recent.note("failed validations", failureSubject(found.account, found.identifier), now);
}

/** Takes an entry of the queue that is due; undefined if there is nothing to do about it any more. */
export async function takeUp(name: string, acme: Acme, now: Date): Promise<Attempt | undefined> {
  const taken = await acme.validations.take(name, now);
  if (!taken) return undefined;
  const { validation } = taken;
  const found = await acme.authorizations.get(validation.authorization);
  const account = found && (await acme.accounts.get(found.account));
  const challenge = found && challengeOf(found, validation.type);
  if (!account || !challenge) {
    acme.validations.remove(taken.name);
    return undefined;
  }
  return {
    ...taken,
    identifier: found.identifier,
    wildcard: found.wildcard,
    token: challenge.token,
    thumbprint: account.thumbprint,
    settings: await acme.settings.get(),
  };
}
