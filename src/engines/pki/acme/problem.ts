/** Errors of ACME: problem documents (RFC 7807) with the types of RFC 8555, section 6.7. A single place turns all others into them. */
import { ApiError } from "../../../api/errors.ts";
import { JsonError } from "../../../lib/json.ts";
import { JwsError, type JwsProblem } from "../../../lib/jws/error.ts";
import type { Identifier } from "./identifier.ts";

/** The status that goes with each type, where the case at hand has none of its own. */
const statuses = {
  accountDoesNotExist: 400,
  alreadyReplaced: 409,
  alreadyRevoked: 400,
  badCSR: 400,
  badNonce: 400,
  badPublicKey: 400,
  badRevocationReason: 400,
  badSignatureAlgorithm: 400,
  caa: 403,
  connection: 400,
  dns: 400,
  externalAccountRequired: 401,
  incorrectResponse: 403,
  invalidContact: 400,
  invalidProfile: 400,
  malformed: 400,
  orderNotReady: 403,
  rateLimited: 429,
  rejectedIdentifier: 400,
  serverInternal: 500,
  tls: 400,
  unauthorized: 401,
  unsupportedContact: 400,
  unsupportedIdentifier: 400,
} as const;

export type ProblemType = keyof typeof statuses;

export interface ProblemDetail {
  readonly status?: number;
  readonly identifier?: Identifier;
  readonly subproblems?: readonly Problem[];
  /** Further members of the document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Problem extends Error {
  override readonly name = "Problem";
  readonly type: ProblemType;
  readonly status: number;
  readonly #detail: ProblemDetail;

  constructor(type: ProblemType, message: string, detail: ProblemDetail = {}) {
    super(message);
    this.type = type;
    this.status = detail.status ?? statuses[type];
    this.#detail = detail;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#detail.headers ?? {};
  }

  /** As it is sent, and as it is kept with a challenge or order that failed. */
  document(): ProblemDocument {
    const { identifier, subproblems, members } = this.#detail;
    return {
      type: `urn:ietf:params:acme:error:${this.type}`,
      detail: this.message,
      status: this.status,
      ...(identifier && { identifier }),
      ...(subproblems && { subproblems: subproblems.map((each) => each.document()) }),
      ...members,
    };
  }
}

export interface ProblemDocument {
  readonly type: string;
  readonly detail: string;
  readonly status: number;
  readonly [member: string]: unknown;
}

export const malformed = (message: string, detail?: ProblemDetail): Problem =>
  new Problem("malformed", message, detail);

const jwsProblems = {
  malformed: "malformed",
  unsupported: "malformed",
  key: "badPublicKey",
} as const satisfies Record<JwsProblem, ProblemType>;

/** Words leave only from errors that were written for callers. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof JsonError) return malformed(`the JSON is not valid: ${error.message}`);
  if (error instanceof JwsError) return new Problem(jwsProblems[error.code], error.message);
  if (!(error instanceof ApiError)) return undefined;
  const { status, headers } = error;
  const words = error.messages.join("; ") || "there is nothing here";
  return new Problem(status >= 500 ? "serverInternal" : "malformed", words, { status, headers });
}
