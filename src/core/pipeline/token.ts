/** Who calls: the token must be known and alive, except on public paths. */
import { permissionDenied } from "../../api/errors.ts";
import { isExpired } from "../tokens/token.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { Stage } from "./pipeline.ts";

export const identify =
  (tokens: Tokens): Stage =>
  async (exchange, next) => {
    const { request, match, transaction } = exchange;
    const access = match?.route.path.access ?? "token";
    if (access === "public" || (access === "optional" && request.token === undefined)) return next();
    if (request.token === undefined) throw permissionDenied();
    const token = await tokens.find(request.token, transaction!);
    if (!token || isExpired(token, request.now)) throw permissionDenied();
    exchange.token = token;
    return next();
  };
