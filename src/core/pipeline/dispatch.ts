/** The last stage: reads the input as declared, calls the handler, and lets only declared data out. */
import { ApiError, unsupportedOperation } from "../../api/errors.ts";
import { declaredOutput, readInput } from "../../api/input.ts";
import type { Context } from "../../api/path.ts";
import { entered } from "../namespaces/entered.ts";
import type { Records } from "../storage/records.ts";
import { callerIdentity, filledTemplate } from "./caller-identity.ts";
import type { Exchange } from "./exchange.ts";
import type { Stage } from "./pipeline.ts";

const noBytes = new Uint8Array();

export const dispatch =
  (records: Records): Stage =>
  async (exchange) => {
    const compiled = exchange.match?.route.operations[exchange.request.operation];
    if (!compiled) throw unsupportedOperation();
    if (exchange.request.rawBody && !exchange.match!.route.path.rawBody) {
      throw new ApiError(415, "this path takes a JSON object");
    }
    if (compiled.operation.effects) await exchange.transaction!.finish();
    return callHandler(exchange, records);
  };

export async function callHandler(exchange: Exchange, records?: Records): Promise<unknown> {
  const { match, request, warnings } = exchange;
  const { operation, ...compiled } = match!.route.operations[request.operation]!;
  const { values, given, warnings: about } = readInput({ operation, ...compiled }, match!.params, exchange.body);
  const context = contextFor(exchange, given, records);
  const answer = declaredOutput(operation, await operation.handler(values, context));
  // Remarks on fields alone make no body for an answer that has none: clients look for its 204.
  if (answer !== undefined || warnings.length > 0) warnings.unshift(...about);
  return answer;
}

export function contextFor(exchange: Exchange, given: ReadonlySet<string>, records?: Records): Context<unknown> {
  const { request, mount, token, warnings } = exchange;
  const mountPath = mount!.path;
  return {
    services: servicesOf(exchange),
    caller: token && {
      key: token.key,
      accessor: token.accessor,
      displayName: token.display_name,
      entityId: token.entity_id,
      policies: token.policies,
      sudo: exchange.sudo,
    },
    request: {
      id: request.id,
      path: request.path.slice(mountPath.length),
      mountPath,
      remoteAddress: request.source.remoteAddress,
      header: (name) => request.source.header(name),
      clientCertificates: () => request.source.clientCertificates(),
    },
    body: exchange.body,
    rawBody: request.rawBody ?? noBytes,
    identity: async () => callerIdentity(await exchange.identity?.()),
    fillTemplate: async (text) => {
      const filled = filledTemplate(text, await exchange.identity?.(), request.now);
      return filled === undefined ? [] : [filled];
    },
    given: (field) => given.has(field),
    now: request.now,
    warn: (message) => void warnings.push(message),
    transaction: (work) => {
      if (!records) throw new Error("this path answers without the store");
      return records.transaction(async (transaction) =>
        work(mount!.services(await entered(exchange.namespace, transaction), exchange)),
      );
    },
  };
}

/** Built once per attempt, for the check whether a thing exists and for the handler alike. */
function servicesOf(exchange: Exchange): unknown {
  exchange.services ??= exchange.mount!.services(exchange.storage!, exchange);
  return exchange.services;
}
