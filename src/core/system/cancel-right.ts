/** Who may cancel what others began, on paths that ask for no token: who knows its nonce, or could with a token. */
import { ApiError } from "../../api/errors.ts";
import type { Context } from "../../api/path.ts";
import { aliveToken } from "../pipeline/token.ts";
import type { SystemServices } from "./system-core.ts";

/**
 * The nonce that a cancellation must match. None when the caller sent a token that may cancel by the authenticated
 * path; a token that is good for nothing is no reason to refuse who knows the nonce.
 */
export function cancellationNonce(
  nonce: string | undefined,
  authenticatedPath: string,
  { transaction, now }: Context<SystemServices>,
): Promise<string | undefined> {
  if (nonce !== undefined) return Promise.resolve(nonce);
  return transaction(async ({ exchange, tokens, access, storage }) => {
    try {
      const token = await aliveToken(exchange.request, tokens, storage);
      // A use would have to be counted, and here nobody does.
      if (token.num_uses > 0) return "";
      const acl = await access.aclOf(token, storage, now);
      const verdict = acl.allows({ operation: "delete", path: authenticatedPath, body: {}, wrapTtl: undefined, now });
      return verdict.allowed ? undefined : "";
    } catch (error) {
      if (error instanceof ApiError) return "";
      throw error;
    }
  });
}
