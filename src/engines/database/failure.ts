/** What goes wrong between us and a database, in words for the caller, and whether it may have happened all the same. */
import { ApiError } from "../../api/errors.ts";

export type FailureReason = "refused" | "unreachable" | "busy";

const statuses = { refused: 400, unreachable: 502, busy: 503 } as const;

export class DatabaseFailure extends ApiError {
  readonly reason: FailureReason;
  /** Whether it is certain that the database changed nothing: an answer that was lost says neither yes nor no. */
  readonly isCertain: boolean;

  constructor(reason: FailureReason, message: string, { isCertain }: { isCertain: boolean }) {
    super(statuses[reason], message);
    this.reason = reason;
    this.isCertain = isCertain;
  }
}

/** The database answered, and its answer was no. */
export const refused = (message: string) => new DatabaseFailure("refused", message, { isCertain: true });

/** Nothing was sent. */
export const unreachable = (message: string) => new DatabaseFailure("unreachable", message, { isCertain: true });

/** Something was sent, and nobody knows what became of it. */
export const unanswered = (message: string) => new DatabaseFailure("unreachable", message, { isCertain: false });

export const busy = (message: string) => new DatabaseFailure("busy", message, { isCertain: true });

const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ERR_INVALID_URL"]);

/** A failure of the network by its code. */
export const networkFailure = (message: string, code: string | undefined) =>
  code !== undefined && neverSent.has(code) ? unreachable(message) : unanswered(message);

/** The same failure, with the connection's name in front and no secret in its words. */
export function attributed(error: unknown, connection: string, secrets: readonly string[]): unknown {
  if (error instanceof DatabaseFailure) {
    const message = `connection ${JSON.stringify(connection)}: ${without(error.message, secrets)}`;
    return new DatabaseFailure(error.reason, message, error);
  }
  if (error instanceof ApiError) return new ApiError(error.status, without(error.message, secrets));
  return error;
}

/** Short secrets would turn words into stars, and are guessed anyway. */
const shortest = 4;

function without(message: string, secrets: readonly string[]): string {
  let text = message;
  for (const spelling of secrets.flatMap(spellings)) text = text.replaceAll(spelling, "***");
  return text;
}

/** As it is, and as it stands in SQL, in JSON and in URLs. */
function spellings(secret: string): string[] {
  if (secret.length < shortest) return [];
  const doubled = secret.replaceAll("'", "''");
  const escaped = doubled.replaceAll("\\", "\\\\");
  return [escaped, doubled, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), secret];
}
