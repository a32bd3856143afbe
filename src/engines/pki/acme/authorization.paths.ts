/** Declares authorizations and their challenges: read, answered, given up (RFC 8555, section 7.5). */
import { text } from "../../../api/fields.ts";
import type { Context } from "../../../api/path.ts";
import type { RawReply } from "../../../api/reply.ts";
import type { Acme, WithAcme } from "./acme.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { type Authorization, accepted, authorizationStatus, type Challenge, challengeOf } from "./authorization.ts";
import { type Directory, type DirectoryPlace, directoryParams, openDirectory, under } from "./directory.ts";
import { isBeingTried } from "./order-view.ts";
import { malformed, Problem } from "./problem.ts";
import { answering, jsonReply, linkTo } from "./reply.ts";
import { type AccountRequest, byAccount } from "./signed.ts";
import { signedPath } from "./signed-path.ts";
import { within } from "./within.ts";

/** Seconds after which a client may look again. */
const lookAgain = 1;
/** How long the answer waits for the first try: most end sooner, and the client need not ask again. */
const patienceMs = 1000;

async function requireAuthorization({ acme, account }: AccountRequest, id: string): Promise<Authorization> {
  const found = await acme.authorizations.get(id);
  if (!found) throw malformed("there is no such authorization", { status: 404 });
  if (found.account !== account.id) {
    throw new Problem("unauthorized", "this is the authorization of another account", { status: 403 });
  }
  return found;
}

const challengeView = (authorization: Authorization, challenge: Challenge, { url }: Directory) => ({
  type: challenge.type,
  url: url(`challenge/${authorization.id}/${challenge.type}`),
  status: challenge.status,
  token: challenge.token,
  ...(challenge.validated !== undefined && { validated: challenge.validated }),
  ...(challenge.error !== undefined && { error: challenge.error }),
});

function authorizationReply(authorization: Authorization, directory: Directory, now: Date): RawReply {
  const { identifier, wildcard, expires, challenges } = authorization;
  const status = authorizationStatus(authorization, now);
  const body = {
    identifier,
    status,
    expires: new Date(expires).toISOString(),
    // Of one that is proven, what proved it; the others are of no use any more.
    challenges: challenges
      .filter((challenge) => status !== "valid" || challenge.status === "valid")
      .map((challenge) => challengeView(authorization, challenge, directory)),
    ...(wildcard && { wildcard }),
  };
  return jsonReply(body, { retryAfter: isBeingTried(authorization) ? lookAgain : undefined });
}

const authorization = signedPath({
  pattern: under("authorization/:id"),
  summary: "The proof that an account holds a name",
  params: { ...directoryParams, id: text("Authorization") },
  post: "Read an authorization, or give it up",
  handler: byAccount(async (request, { id }) => {
    const found = await requireAuthorization(request, id);
    const { acme, directory, payload = {}, now } = request;
    if (payload["status"] === undefined) return authorizationReply(found, directory, now);
    if (payload["status"] !== "deactivated") {
      throw malformed("the status of an authorization can only be changed to deactivated");
    }
    const status = authorizationStatus(found, now);
    if (status !== "pending" && status !== "valid") throw malformed(`the authorization is ${status} already`);
    const given = { ...found, status: "deactivated" } as const;
    acme.authorizations.put(given);
    return authorizationReply(given, directory, now);
  }),
});

const challenge = signedPath({
  pattern: under("challenge/:id/:type"),
  summary: "One way to prove a name",
  params: { ...directoryParams, id: text("Authorization"), type: text("http-01, dns-01 or tls-alpn-01") },
  post: "Read a challenge, or say that it can be tried",
  handler: answerChallenge,
});

interface ChallengePlace extends DirectoryPlace {
  readonly id: string;
  readonly type: string;
}

/** The try is recorded with the request, so that it is made even if this process dies; then made at once. */
async function answerChallenge(place: ChallengePlace, context: Context<WithAcme>): Promise<RawReply> {
  let begun: Attempt | undefined;
  const answer = byAccount<ChallengePlace>(async (request, { id, type }) => {
    begun = undefined;
    const found = await requireAuthorization(request, id);
    const current = requireChallenge(found, type);
    if (request.payload === undefined || current.status === "processing")
      return reply(found, current, request.directory);
    if (found.status === "valid" && current.status === "valid") return reply(found, current, request.directory);
    requireOpen(found, current, request.now);
    const changed = accepted(found, current.type);
    begun = begin(request, changed, current);
    return reply(changed, challengeOf(changed, type)!, request.directory);
  });
  const first = await answer(place, context);
  if (!begun) return first;
  await within(patienceMs, attempt(begun, context.services.acme.host, context.transaction));
  const later = await answering(place, context, () => context.transaction(({ acme }) => view(place, acme)));
  return later.status === 200 ? later : first;
}

const reply = (found: Authorization, current: Challenge, directory: Directory): RawReply =>
  jsonReply(challengeView(found, current, directory), {
    links: [linkTo(directory.url(`authorization/${found.id}`), "up")],
    retryAfter: current.status === "processing" ? lookAgain : undefined,
  });

async function view(place: ChallengePlace, acme: Acme): Promise<RawReply> {
  const directory = await openDirectory(place, { settings: await acme.settings.get(), authority: acme.authority });
  const found = await acme.authorizations.get(place.id);
  return reply(found!, requireChallenge(found!, place.type), directory);
}

function requireChallenge(found: Authorization, type: string): Challenge {
  const current = challengeOf(found, type);
  if (!current) throw malformed(`the authorization has no challenge of type ${JSON.stringify(type)}`, { status: 404 });
  return current;
}

function requireOpen(found: Authorization, current: Challenge, now: Date): void {
  const status = authorizationStatus(found, now);
  if (status !== "pending") throw malformed(`the authorization is ${status}: there is nothing left to prove`);
  if (current.status !== "pending") throw malformed(`the challenge is ${current.status} already`);
}

function begin({ acme, account, directory, now }: AccountRequest, changed: Authorization, current: Challenge): Attempt {
  acme.authorizations.put(changed);
  const validation = { authorization: changed.id, type: current.type, failures: 0 };
  const name = acme.validations.add(validation, now);
  return {
    name,
    validation,
    identifier: changed.identifier,
    wildcard: changed.wildcard,
    token: current.token,
    thumbprint: account.thumbprint,
    settings: directory.settings,
  };
}

export const authorizationPaths = [authorization, challenge];
