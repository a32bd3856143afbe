/** May this caller do that? Decided before anybody learns whether the path exists. */
import { deniedByPolicy, notFound, unsupportedOperation, unsupportedPath } from "../../api/errors.ts";
import { isRoot } from "../tokens/token.ts";
import type { Exchange } from "./exchange.ts";
import type { Stage } from "./pipeline.ts";

export const authorize = (): Stage => async (exchange, next) => {
  const { token, match, mount, request } = exchange;
  const isPublic = match !== undefined && match.route.path.access !== "token";
  if (!isPublic && !(token && isRoot(token))) throw deniedByPolicy();
  exchange.sudo = token !== undefined && isRoot(token);
  if (!mount) throw notFound(`no handler for route ${JSON.stringify(request.path)}. route entry not found.`);
  requireOperation(exchange);
  return next();
};

function requireOperation({ match, request }: Exchange): void {
  if (!match) throw unsupportedPath();
  if (!match.route.operations[request.operation]) throw unsupportedOperation();
}
