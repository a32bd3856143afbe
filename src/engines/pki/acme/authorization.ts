/** Authorizations: the proof that an account holds one name, by one of several challenges (RFC 8555, sections 7.1.4 and 7.1.5). */
import { hash } from "node:crypto";
import { Collection } from "../../../api/collection.ts";
import type { Random, Storage } from "../../../api/engine.ts";
import { isId, newId } from "./id.ts";
import { type Identifier, identifierText, isWildcard, provenName } from "./identifier.ts";
import type { ProblemDocument } from "./problem.ts";

const challengeTypes = ["http-01", "dns-01", "tls-alpn-01"] as const;
export type ChallengeType = (typeof challengeTypes)[number];

export interface Challenge {
  readonly type: ChallengeType;
  readonly token: string;
  readonly status: "pending" | "processing" | "valid" | "invalid";
  /** RFC 3339. */
  readonly validated?: string;
  readonly error?: ProblemDocument;
}

export interface Authorization {
  readonly id: string;
  readonly account: string;
  readonly directory: string;
  /** Without its wildcard. */
  readonly identifier: Identifier;
  readonly wildcard: boolean;
  /** As it was last written; time may have passed since: see `authorizationStatus`. */
  readonly status: "pending" | "valid" | "invalid" | "deactivated";
  readonly expires: number;
  readonly challenges: readonly Challenge[];
}

export type AuthorizationStatus = Authorization["status"] | "expired";

/** How long a proof holds, for revoking what was issued on its strength. */
const provenMs = 15 * 86_400_000;
const tokenBytes = 32;

export function authorizationStatus({ status, expires }: Authorization, now: Date): AuthorizationStatus {
  if (now.getTime() < expires) return status;
  if (status === "valid") return "expired";
  return status === "pending" ? "invalid" : status;
}

/** A wildcard can only be proven in the DNS; an address is in no DNS that its holder could write. */
function offeredChallenges(identifier: Identifier): readonly ChallengeType[] {
  if (identifier.type === "ip") return ["http-01"];
  return isWildcard(identifier) ? ["dns-01"] : challengeTypes;
}

export const challengeOf = ({ challenges }: Authorization, type: string): Challenge | undefined =>
  challenges.find((challenge) => challenge.type === type);

/** The client says that it is ready. */
export const accepted = (authorization: Authorization, type: ChallengeType): Authorization =>
  withChallenge(authorization, type, { status: "processing" });

export const proven = (authorization: Authorization, type: ChallengeType, now: Date): Authorization => ({
  ...withChallenge(authorization, type, { status: "valid", validated: now.toISOString() }),
  status: "valid",
  expires: now.getTime() + provenMs,
});

/** It will be tried again; the client can see why it did not work yet. */
export const doubted = (authorization: Authorization, type: ChallengeType, error: ProblemDocument): Authorization =>
  withChallenge(authorization, type, { status: "processing", error });

/** One failed challenge is the end: the client orders anew. */
export const refuted = (authorization: Authorization, type: ChallengeType, error: ProblemDocument): Authorization => ({
  ...withChallenge(authorization, type, { status: "invalid", error }),
  status: "invalid",
});

function withChallenge(authorization: Authorization, type: ChallengeType, change: Partial<Challenge>): Authorization {
  const challenges = authorization.challenges.map((challenge) => {
    if (challenge.type !== type) return challenge;
    const { error: _, ...rest } = challenge;
    return { ...rest, ...change };
  });
  return { ...authorization, challenges };
}

export class Authorizations {
  readonly #records: Collection<Authorization>;
  /** What each account has proven: names by their hash, since they may be longer than a key of the store. */
  readonly #proven: Collection<{ readonly authorization: string }>;
  readonly #random: Random;

  constructor(storage: Storage, random: Random) {
    this.#records = new Collection(storage, "acme/authorizations/");
    this.#proven = new Collection(storage, "acme/proven/");
    this.#random = random;
  }

  async get(id: string): Promise<Authorization | undefined> {
    return isId(id) ? this.#records.get(id) : undefined;
  }

  create(account: string, directory: string, wanted: Identifier, now: Date, expires: number): Authorization {
    const token = () => Buffer.from(this.#random.bytes(tokenBytes)).toString("base64url");
    const authorization: Authorization = {
      id: newId(now, this.#random),
      account,
      directory,
      identifier: { type: wanted.type, value: provenName(wanted) },
      wildcard: isWildcard(wanted),
      status: "pending",
      expires,
      challenges: offeredChallenges(wanted).map((type) => ({ type, token: token(), status: "pending" })),
    };
    this.#records.put(authorization.id, authorization);
    return authorization;
  }

  put(authorization: Authorization): void {
    this.#records.put(authorization.id, authorization);
    const { id, status } = authorization;
    if (status === "valid") this.#proven.put(provenKey(authorization), { authorization: id });
    else if (status === "deactivated") this.#proven.delete(provenKey(authorization));
  }

  async delete(authorization: Authorization): Promise<void> {
    this.#records.delete(authorization.id);
    const key = provenKey(authorization);
    // A later one may have proven the same name.
    if ((await this.#proven.get(key))?.authorization === authorization.id) this.#proven.delete(key);
  }

  /** Whether the account has shown, and not given up, that it holds this name. */
  async isProven(account: string, identifier: Identifier, now: Date): Promise<boolean> {
    const key = `${account}/${hash("sha256", identifierText(identifier), "base64url")}`;
    const found = await this.#proven.get(key);
    const authorization = found && (await this.#records.get(found.authorization));
    return authorization !== undefined && authorizationStatus(authorization, now) === "valid";
  }
}

function provenKey({ account, identifier, wildcard }: Authorization): string {
  const whole = wildcard ? { ...identifier, value: `*.${identifier.value}` } : identifier;
  return `${account}/${hash("sha256", identifierText(whole), "base64url")}`;
}
