/** Declares a path of signed requests: what all of them have in common is here. */
import { type Fields, text, type Values } from "../../../api/fields.ts";
import { type Context, pathsFor } from "../../../api/path.ts";
import type { RawReply } from "../../../api/reply.ts";
import type { WithAcme } from "./acme.ts";
import type { DirectoryPlace, directoryParams } from "./directory.ts";
import { malformed } from "./problem.ts";
import { answering } from "./reply.ts";

const path = pathsFor<WithAcme>();

/** The members of a JWS; they are read from the body as it came, so that a mistake in them is answered as ACME does. */
const jwsFields = {
  protected: text("Header of the JWS, in base64url: alg, nonce, url, and kid or jwk").optional(),
  payload: text("What is asked for, as JSON in base64url; empty to read").optional(),
  signature: text("Signature of the JWS, in base64url").optional(),
};

interface SignedPath<Params extends Fields> {
  readonly pattern: readonly string[];
  readonly summary: string;
  readonly params: Params;
  readonly post: string;
  readonly handler: (input: Values<Params>, context: Context<WithAcme>) => Promise<RawReply>;
}

/** ACME proves by itself who is asking. Reading, too, is signed (RFC 8555, section 6.3). */
export const signedPath = <Params extends typeof directoryParams>(declared: SignedPath<Params>) =>
  path({
    pattern: declared.pattern,
    summary: declared.summary,
    params: declared.params as Fields,
    access: "public",
    rawBody: true,
    read: {
      summary: "Refused: requests are signed and sent with POST",
      unpublished: true,
      handler: (place, context) =>
        answering(place as unknown as DirectoryPlace, context, async () => {
          throw malformed("this resource is read with a signed POST", { status: 405 });
        }),
    },
    write: {
      summary: declared.post,
      effects: true,
      input: jwsFields as Fields,
      handler: (input, context) => declared.handler(input as Values<Params>, context),
    },
  });
