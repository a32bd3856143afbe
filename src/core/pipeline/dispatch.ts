/** The last stage: reads the input as declared, calls the handler, and lets only declared data out. */
import { ApiError, unsupportedOperation } from "../../api/errors.ts";
import { declaredOutput, readInput } from "../../api/input.ts";
import type { Records } from "../storage/records.ts";
import { HandlerContext } from "./context.ts";
import type { Exchange } from "./exchange.ts";
import type { Around } from "./pipeline.ts";

export const dispatch =
  (records: Records): Around =>
  async (exchange) => {
    const compiled = exchange.match?.route.operations[exchange.request.operation];
    if (!compiled) throw unsupportedOperation();
    if (exchange.request.rawBody && !exchange.match!.route.path.rawBody) {
      throw new ApiError(415, "this path takes a JSON object");
    }
    if (compiled.operation.effects) await exchange.transaction!.finish();
    return callHandler(exchange, records);
  };

/** With the fields that may come in the query of a write; the body has the last word. */
function bodyOf({ body, request: { query } }: Exchange, names: readonly string[] | undefined): Exchange["body"] {
  if (!query || !names) return body;
  const added = names.filter((name) => Object.hasOwn(query, name) && !Object.hasOwn(body, name));
  return added.length === 0 ? body : { ...body, ...Object.fromEntries(added.map((name) => [name, query[name]])) };
}

export async function callHandler(exchange: Exchange, records?: Records): Promise<unknown> {
  const { match, request, warnings } = exchange;
  const compiled = match!.route.operations[request.operation]!;
  const { operation } = compiled;
  const { values, given, warnings: about } = readInput(compiled, match!.params, bodyOf(exchange, operation.queryInput));
  const context = new HandlerContext(exchange, given, records);
  const answer = declaredOutput(operation, await operation.handler(values, context));
  // Remarks on fields alone make no body for an answer that has none: clients look for its 204.
  if (about.length > 0 && (answer !== undefined || warnings.length > 0)) warnings.unshift(...about);
  return answer;
}
