/** Makes the token of a login: finds or makes the entity, applies the role and the mount, and answers with `auth`. */
import type { Storage } from "../../api/engine.ts";
import { permissionDenied } from "../../api/errors.ts";
import { Authenticated, Login } from "../../api/reply.ts";
import type { IdentityLink } from "../identity-link.ts";
import { type MountLifetimes, tunedLifetimes } from "../mounts/mount-entry.ts";
import { entered } from "../namespaces/entered.ts";
import type { Records } from "../storage/records.ts";
import { planLogin } from "../tokens/login-token.ts";
import { authOf } from "../tokens/token-services.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { Exchange } from "./exchange.ts";
import type { After } from "./pipeline.ts";

export interface LoginParts {
  readonly tokens: Tokens;
  readonly identity: IdentityLink;
  readonly records: Records;
  readonly lifetimes: MountLifetimes;
}

export const issueLogin = (parts: LoginParts): After => ({
  after(exchange, answer) {
    if (!(answer instanceof Login)) return answer;
    const transaction = exchange.transaction!;
    const issue = (storage: Storage) => issueToken(exchange, answer, storage, parts);
    if (!transaction.isFinished) return issue(exchange.storage!);
    return parts.records.transaction(async (whole) => issue(await entered(exchange.namespace, whole)));
  },
});

async function issueToken(exchange: Exchange, { grant }: Login, storage: Storage, parts: LoginParts) {
  const { request, warnings } = exchange;
  const mount = exchange.mount!.entry;
  const { tokens, identity, lifetimes } = parts;
  const { now } = request;
  const entityId = grant.alias
    ? await identity.login(
        {
          mountAccessor: mount.accessor,
          name: grant.alias.name,
          metadata: grant.alias.metadata ?? {},
          groupAliases: grant.groupAliases,
        },
        storage,
        now,
      )
    : "";
  if (entityId === undefined) throw permissionDenied();
  const planned = planLogin(grant, {
    mount,
    lifetimes: tunedLifetimes(mount, lifetimes),
    entityId,
    remoteAddress: request.source.remoteAddress,
    path: request.path,
    now,
  });
  warnings.push(...planned.warnings);
  const issued = await tokens.issue(planned.settings, now, storage);
  const identityPolicies = entityId === "" ? [] : (await identity.of(entityId, storage, now)).policies;
  return new Authenticated(authOf(issued, now, identityPolicies));
}
