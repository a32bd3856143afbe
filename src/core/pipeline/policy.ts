/** May this caller do that? Decided before anybody learns whether the path exists. */
import { deniedByPolicy, notFound, unsupportedOperation, unsupportedPath } from "../../api/errors.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { Acl } from "../policies/acl.ts";
import type { AccessOperation } from "../policies/capability.ts";
import { visibleKeys } from "../policies/key-filter.ts";
import type { Verdict } from "../policies/verdict.ts";
import type { Access } from "./access.ts";
import { HandlerContext } from "./context.ts";
import type { Exchange } from "./exchange.ts";
import type { After, Before } from "./pipeline.ts";

export const authorize = (access: Access): Before => ({
  before(exchange) {
    const isOpen = exchange.match !== undefined && exchange.match.route.path.access !== "token";
    if (isOpen) return requireOperation(exchange);
    const { request, token, storage } = exchange;
    exchange.identity = async () => access.identityOf(token!, exchange.storage!, request.now);
    return withValue(access.aclOf(token!, storage!, request.now), (acl) =>
      withValue(accessOperation(exchange), (operation) => judge(exchange, acl, operation)),
    );
  },
});

function judge(exchange: Exchange, acl: Acl, operation: AccessOperation): void {
  const { request, match } = exchange;
  const verdict = acl.allows({
    operation,
    path: request.path,
    body: request.body,
    wrapTtl: request.wrapSeconds,
    now: request.now,
  });
  exchange.accessOperation = operation;
  exchange.granting = verdict.allowed ? verdict.policies : [];
  const needsSudo = match?.route.operations[request.operation]?.operation.sudo === true;
  exchange.verdictAllowed = verdict.allowed && (!needsSudo || verdict.sudo);
  if (!exchange.verdictAllowed) throw deniedByPolicy();
  exchange.sudo = verdict.sudo;
  if (verdict.limit !== undefined) exchange.body = { ...exchange.body, limit: verdict.limit };
  if (verdict.keyFilter) exchange.filterAnswer = (answer) => filtered(answer, verdict, acl, exchange);
  requireOperation(exchange);
}

/** Takes out of a list what policy lets nobody see, before anything else is done with the answer. */
export const filterAnswer: After = {
  after: ({ filterAnswer }, answer) => (filterAnswer ? filterAnswer(answer) : answer),
};

function requireOperation({ match, mount, request }: Exchange): void {
  if (!mount) throw notFound(`no handler for route ${JSON.stringify(request.path)}. route entry not found.`);
  if (!match) throw unsupportedPath();
  if (!match.route.operations[request.operation]) throw unsupportedOperation();
}

const nothingGiven: ReadonlySet<string> = new Set();

/** A write creates what is not there yet, where the path can tell; else it always updates. */
function accessOperation(exchange: Exchange): AtHand<AccessOperation> {
  const { operation } = exchange.request;
  if (operation === "head") return "read";
  if (operation !== "write") return operation;
  const declared = exchange.match?.route.operations.write;
  if (!declared?.operation.exists) return "update";
  const params = declared.readParams(exchange.match!.params);
  const context = new HandlerContext(exchange, nothingGiven);
  return declared.operation.exists(params, context).then((exists) => (exists ? "update" : "create"));
}

/** Takes the keys that the caller may not see out of a list. */
function filtered(answer: unknown, { keyFilter }: Verdict, acl: Parameters<typeof visibleKeys>[0], exchange: Exchange) {
  if (!isJsonObject(answer) || !Array.isArray(answer["keys"])) return answer;
  const { path, now } = exchange.request;
  const keys = visibleKeys(acl, keyFilter!, path, answer["keys"] as string[], now);
  const info = answer["key_info"];
  if (!isJsonObject(info)) return { ...answer, keys };
  return { ...answer, keys, key_info: Object.fromEntries(keys.map((key) => [key, info[key]])) };
}
