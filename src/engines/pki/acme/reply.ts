/** Answers of ACME: JSON of its own, with a fresh nonce and the way back to the directory in the headers (RFC 8555, 6.5 and 7.1). */
import type { Context } from "../../../api/path.ts";
import { RawReply } from "../../../api/reply.ts";
import type { WithAcme } from "./acme.ts";
import { type DirectoryPlace, directoryPath } from "./directory.ts";
import { Problem, problemOf } from "./problem.ts";

interface JsonReplyOptions {
  readonly status?: number;
  readonly location?: string;
  /** Beside the directory, which is always linked. */
  readonly links?: readonly string[];
  readonly retryAfter?: number | undefined;
}

export const linkTo = (url: string, relation: string): string => `<${url}>;rel="${relation}"`;

export function jsonReply(
  body: object,
  { status = 200, location, links, retryAfter }: JsonReplyOptions = {},
): RawReply {
  const headers: Record<string, string | readonly string[]> = {};
  if (location !== undefined) headers["location"] = location;
  if (links !== undefined) headers["link"] = links;
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return new RawReply(JSON.stringify(body), "application/json", { status, headers });
}

/** Runs the work of a request and completes what comes back, be it an answer or a problem. */
export async function answering(
  place: DirectoryPlace,
  context: Context<WithAcme>,
  work: () => Promise<RawReply>,
): Promise<RawReply> {
  const reply = await work().catch((error: unknown) => problemReply(error, context));
  return completed(reply, place, context);
}

function problemReply(error: unknown, { services, request }: Context<WithAcme>): RawReply {
  const problem = problemOf(error) ?? unexpected(error, services, request.id);
  services.acme.host.metrics.count("acme_problems_total", "Requests of ACME that were refused");
  return new RawReply(JSON.stringify(problem.document()), "application/problem+json", {
    status: problem.status,
    headers: { ...problem.headers },
  });
}

function unexpected(error: unknown, { acme }: WithAcme, requestId: string): Problem {
  acme.host.log.error("a request of ACME failed", { request: requestId, error: described(error) });
  return new Problem("serverInternal", "internal error");
}

const described = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

async function completed(reply: RawReply, place: DirectoryPlace, { services, now }: Context<WithAcme>) {
  const { nonces, authority } = services.acme;
  const [nonce, clusterPath] = [await nonces.make(now), await authority.clusterPath()];
  const index = clusterPath === "" ? [] : [linkTo(`${clusterPath}/${directoryPath(place)}/directory`, "index")];
  const links = [...index, ...[reply.headers["link"] ?? []].flat()];
  return new RawReply(reply.body, undefined, {
    status: reply.status,
    headers: {
      ...reply.headers,
      ...(links.length > 0 && { link: links }),
      ...(nonce !== undefined && { "replay-nonce": nonce }),
    },
  });
}
