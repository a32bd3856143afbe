/**
 * The envelope of every request that changes or shows something (RFC 8555, section 6): a JWS with the URL, a nonce, and an
 * account or a key. The steps below are in the order in which they are done.
 */
import { isUtf8 } from "node:buffer";
import type { Context } from "../../../api/path.ts";
import type { RawReply } from "../../../api/reply.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../../lib/json.ts";
import { algorithmNames, isAlgorithmName } from "../../../lib/jws/algorithm.ts";
import { importJwk, type VerificationKey } from "../../../lib/jws/key.ts";
import { type Jws, jsonPayload, parseFlattenedJws } from "../../../lib/jws/message.ts";
import { isSignedBy } from "../../../lib/jws/verify.ts";
import { type Account, keyOf } from "./account.ts";
import { type Acme, bindingPolicy, type WithAcme } from "./acme.ts";
import { type Directory, type DirectoryPlace, openDirectory } from "./directory.ts";
import { malformed, Problem } from "./problem.ts";
import { answering } from "./reply.ts";

export interface SignedRequest {
  readonly acme: Acme;
  readonly directory: Directory;
  /** Where it was sent. */
  readonly url: string;
  /** Undefined for a request that only reads (POST-as-GET). */
  readonly payload: JsonObject | undefined;
  readonly now: Date;
  readonly context: Context<WithAcme>;
}

export interface AccountRequest extends SignedRequest {
  readonly account: Account;
}

export interface KeyRequest extends SignedRequest {
  readonly key: VerificationKey;
}

type Signer = { readonly account: Account } | { readonly key: VerificationKey };
type Handler<Input> = (input: Input, context: Context<WithAcme>) => Promise<RawReply>;

/** A handler of requests that an account signs. */
export const byAccount = <Input extends DirectoryPlace>(
  work: (request: AccountRequest, input: Input) => Promise<RawReply>,
): Handler<Input> =>
  signed((request, signer, input) => {
    if (!("account" in signer))
      throw malformed("this request is signed by an account: its header has a kid, and no jwk");
    return work({ ...request, account: signer.account }, input);
  });

/** A handler of requests that a key signs, which they bring along. */
export const byKey = <Input extends DirectoryPlace>(
  work: (request: KeyRequest, input: Input) => Promise<RawReply>,
): Handler<Input> =>
  signed((request, signer, input) => {
    if (!("key" in signer)) throw malformed("this request brings its key: its header has a jwk, and no kid");
    return work({ ...request, key: signer.key }, input);
  });

export const byAccountOrKey = <Input extends DirectoryPlace>(
  work: (request: SignedRequest, signer: Signer, input: Input) => Promise<RawReply>,
): Handler<Input> => signed(work);

/**
 * All of it is one transaction, the mark of the nonce included, so that a request has its effect once or not at all. One that
 * is refused after its signature was found good has used its nonce too: it must not be good for a second try.
 */
function signed<Input extends DirectoryPlace>(
  work: (request: SignedRequest, signer: Signer, input: Input) => Promise<RawReply>,
): Handler<Input> {
  return (input, context) =>
    answering(input, context, async () => {
      let verified: string | undefined;
      try {
        return await context.transaction(async ({ acme }) => {
          verified = undefined;
          const directory = await openDirectory(input, {
            settings: await acme.settings.get(),
            authority: acme.authority,
          });
          const url = `${directory.clusterPath}/${context.request.path}`;
          const jws = readJws(context);
          requireHeader(jws, url);
          const nonce = await requireNonce(jws, acme, context.now);
          const signer = await findSigner(jws, directory, acme);
          if (!isSignedBy(jws, "key" in signer ? signer.key : keyOf(signer.account))) {
            throw malformed("the signature is not valid");
          }
          verified = nonce;
          if (!(await acme.nonces.use(nonce))) throw badNonce();
          const payload = jws.payload.length === 0 ? undefined : jsonPayload(jws);
          return work({ acme, directory, url, payload, now: context.now, context }, signer, input);
        });
      } catch (error) {
        const nonce = verified;
        if (nonce !== undefined) await context.transaction(async ({ acme }) => void (await acme.nonces.use(nonce)));
        throw error;
      }
    });
}

function readJws({ request, rawBody, body }: Context<WithAcme>): Jws {
  const type = (request.header("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type !== "application/jose+json") {
    throw malformed("the content type of a request is application/jose+json", { status: 415 });
  }
  return parseFlattenedJws(rawBody.length === 0 ? body : parsedBody(rawBody));
}

function parsedBody(bytes: Uint8Array): JsonObject {
  if (!isUtf8(bytes)) throw malformed("the body is not UTF-8");
  const value = parseJson(Buffer.from(bytes).toString("utf8"), { depth: 16, strings: 1000 });
  if (!isJsonObject(value)) throw malformed("the body is not a JSON object");
  return value;
}

function requireHeader({ header }: Jws, url: string): void {
  if (!isAlgorithmName(header.alg)) {
    throw new Problem("badSignatureAlgorithm", `the algorithm ${JSON.stringify(header.alg)} is not supported`, {
      members: { algorithms: algorithmNames },
    });
  }
  const { url: given } = header.all;
  if (typeof given !== "string") throw malformed("the protected header has no url");
  if (given !== url) {
    throw new Problem("unauthorized", `the url of the protected header is not where the request was sent: ${url}`);
  }
}

const badNonce = () => new Problem("badNonce", "the nonce is not known, too old, or was used before");

async function requireNonce({ header }: Jws, { nonces }: Acme, now: Date): Promise<string> {
  const { nonce } = header.all;
  if (typeof nonce !== "string") throw new Problem("badNonce", "the protected header has no nonce");
  if (!(await nonces.isGood(nonce, now))) throw badNonce();
  return nonce;
}

async function findSigner({ header }: Jws, directory: Directory, acme: Acme): Promise<Signer> {
  const { kid } = header;
  const { jwk } = header.all;
  if (kid !== undefined && jwk !== undefined) throw malformed("the protected header has both a kid and a jwk");
  if (jwk !== undefined) return { key: importJwk(jwk) };
  if (kid === undefined) throw malformed("the protected header has neither a kid nor a jwk");
  return { account: await findAccount(kid, directory, acme) };
}

async function findAccount(kid: string, directory: Directory, acme: Acme): Promise<Account> {
  const prefix = directory.url("account/");
  const account = kid.startsWith(prefix) ? await acme.accounts.get(kid.slice(prefix.length)) : undefined;
  if (!account || account.directory !== directory.path) {
    throw new Problem("accountDoesNotExist", "there is no such account under this directory");
  }
  if (account.status !== "valid") throw new Problem("unauthorized", `the account is ${account.status}`);
  if (bindingPolicy(acme, directory.settings) === "always-required" && !account.binding) {
    throw new Problem("externalAccountRequired", "accounts without an external account binding are not served");
  }
  return account;
}
