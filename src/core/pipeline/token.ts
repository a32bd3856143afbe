/** Who calls: the token must be known, alive and used from where it may be, except on public paths. */
import type { Storage } from "../../api/engine.ts";
import { permissionDenied } from "../../api/errors.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { containedInAny, parseCidr } from "../../lib/cidr.ts";
import { mountTableAtHand } from "../mounts/mount-table.ts";
import { isWithin } from "../namespaces/namespace.ts";
import { storageOf } from "../namespaces/namespace-storage.ts";
import type { Records } from "../storage/records.ts";
import { noteAbroad } from "../tokens/abroad.ts";
import { homeStorage } from "../tokens/home-storage.ts";
import type { Revocation } from "../tokens/revocation.ts";
import { isExpired, type Token } from "../tokens/token.ts";
import { homeOfId } from "../tokens/token-home.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { invalidWrapping } from "../wrapping/wrapping.ts";
import type { Exchange, Request } from "./exchange.ts";
import type { Before } from "./pipeline.ts";

export interface TokenParts {
  readonly tokens: Tokens;
  readonly records: Records;
  readonly revocation: Revocation;
}

export const identify = (parts: TokenParts): Before => ({
  before(exchange) {
    const { request, match } = exchange;
    const access = match?.route.path.access ?? "token";
    if (access === "public" || (access === "optional" && request.token === undefined)) return undefined;
    return withValue(homeFor(exchange), (home) => {
      if (match?.route.path.takesWrappingToken) return unused(exchange, home, parts);
      return withValue(aliveToken(request, parts.tokens, home), (token) => admit(exchange, token, parts));
    });
  },
});

/** The records that hold the caller's token: those of the request's namespace, or of one that it lies in. */
function homeFor({ request, namespace, storage, transaction }: Exchange): AtHand<Storage> {
  if (request.token === undefined) return storage!;
  return withValue(homeOfId(request.token, transaction!), (home) => {
    if (!home || !isWithin(namespace, home)) throw permissionDenied();
    return home.id === namespace.id ? storage! : storageOf(home, transaction!);
  });
}

export function aliveToken(request: Request, tokens: Tokens, storage: Storage): AtHand<Token> {
  if (request.token === undefined) throw permissionDenied();
  return withValue(tokens.atHand(request.token, storage), (token) => {
    if (!token || isExpired(token, request.now) || !mayComeFrom(token, request.source.remoteAddress)) {
      throw permissionDenied();
    }
    if (!token.login) return token;
    const { mount } = token.login;
    // One that was issued while its auth method was being disabled, or a batch token, which nothing else can end.
    return withValue(mountTableAtHand(storage), (table) => {
      if (!table.withUuid(mount)) throw permissionDenied();
      return token;
    });
  });
}

function admit(exchange: Exchange, token: Token, parts: TokenParts): AtHand<void> {
  exchange.token = token;
  if (token.num_uses > 0) spend(exchange, token, parts);
  // What it keeps in a cubbyhole of another namespace goes with it too.
  return exchange.mount?.entry.type === "cubbyhole" ? noteAbroad(token, exchange.storage!) : undefined;
}

async function unused(exchange: Exchange, home: Storage, parts: TokenParts): Promise<void> {
  await requireUnused(exchange.request, parts.tokens, home);
  await admit(exchange, await aliveToken(exchange.request, parts.tokens, home), parts);
}

/** Whoever unwraps twice should hear that, and not that policy is in the way. */
async function requireUnused({ token }: Request, tokens: Tokens, storage: Storage): Promise<void> {
  if (token !== undefined && !(await tokens.find(token, storage))) throw invalidWrapping();
}

function mayComeFrom({ bound_cidrs }: Token, address: string): boolean {
  return bound_cidrs.length === 0 || containedInAny(bound_cidrs.map(parseCidr), address);
}

/**
 * A use is part of the request's own commit, so that two requests cannot share one. A request that is refused commits
 * nothing, and yet has used the token: then the use is a commit of its own.
 */
function spend(exchange: Exchange, token: Token, parts: TokenParts): void {
  const transaction = exchange.transaction!;
  useOnce(token, homeStorage(token, transaction), parts);
  if (token.num_uses === 1) exchange.afterCommit.push(() => parts.revocation.finish(token.key));
  exchange.afterFailure.push(async () => {
    // An operation with effects has committed the use before it began.
    if (!transaction.isFinished) await spendAlone(token, parts);
  });
}

async function spendAlone(token: Token, parts: TokenParts): Promise<void> {
  const { key } = token;
  const isLast = await parts.records.transaction(async (whole) => {
    const storage = homeStorage(token, whole);
    const current = await parts.tokens.byKey(key, storage);
    if (current) useOnce(current, storage, parts);
    return current?.num_uses === 1;
  });
  if (isLast) await parts.revocation.finish(key);
}

function useOnce(token: Token, storage: Storage, { tokens, revocation }: TokenParts): void {
  if (token.num_uses > 1) tokens.replace(token, { ...token, num_uses: token.num_uses - 1 }, storage);
  else revocation.begin(token, storage);
}
