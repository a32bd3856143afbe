/** Declares accounts: made, found, changed, given another key, and the list of their orders (RFC 8555, section 7.3). */
import { text } from "../../../api/fields.ts";
import type { RawReply } from "../../../api/reply.ts";
import { isJsonObject } from "../../../lib/json.ts";
import { algorithmNames, isAlgorithmName } from "../../../lib/jws/algorithm.ts";
import { importJwk, type VerificationKey } from "../../../lib/jws/key.ts";
import { jsonPayload, parseFlattenedJws } from "../../../lib/jws/message.ts";
import { thumbprint } from "../../../lib/jws/thumbprint.ts";
import { isSignedBy } from "../../../lib/jws/verify.ts";
import type { Account, AccountBinding } from "./account.ts";
import { bindingPolicy } from "./acme.ts";
import { readContacts } from "./contact.ts";
import { type Directory, directoryParams, under } from "./directory.ts";
import { useBinding } from "./external-binding.ts";
import { orderPage } from "./order-page.ts";
import { malformed, Problem } from "./problem.ts";
import { jsonReply } from "./reply.ts";
import { type AccountRequest, byAccount, byKey, type KeyRequest } from "./signed.ts";
import { signedPath } from "./signed-path.ts";

const accountId = { id: text("Account") };
const accountUrl = ({ url }: Directory, { id }: Account) => url(`account/${id}`);

function accountReply(account: Account, directory: Directory, status = 200): RawReply {
  const { contact, termsOfServiceAgreed, binding } = account;
  const location = accountUrl(directory, account);
  return jsonReply(
    {
      status: account.status,
      ...(contact.length > 0 && { contact }),
      ...(termsOfServiceAgreed && { termsOfServiceAgreed }),
      ...(binding && { externalAccountBinding: binding.jws }),
      orders: `${location}/orders`,
    },
    { status, location },
  );
}

const newAccount = signedPath({
  pattern: under("new-account"),
  summary: "Accounts",
  params: directoryParams,
  post: "Make an account, or find that of a key",
  handler: byKey(async (request) => {
    const { acme, directory, key } = request;
    const existing = await acme.accounts.withKey(directory.path, key);
    return existing ? findAccount(existing, request) : createAccount(request);
  }),
});

async function findAccount(existing: Account, request: KeyRequest): Promise<RawReply> {
  const { acme, directory, payload = {} } = request;
  if (existing.status !== "valid") throw new Problem("unauthorized", `the account is ${existing.status}`);
  const needsBinding = bindingPolicy(acme, directory.settings) === "always-required" && !existing.binding;
  if (!needsBinding) return accountReply(existing, directory);
  const binding = await requireBinding(payload["externalAccountBinding"], request);
  const bound = { ...existing, binding };
  acme.accounts.put(bound);
  return accountReply(bound, directory);
}

async function createAccount(request: KeyRequest): Promise<RawReply> {
  const { acme, directory, payload, key, now, context } = request;
  if (payload === undefined) throw malformed("a new account needs a payload, if only {}");
  const { onlyReturnExisting, contact = [], termsOfServiceAgreed = false, externalAccountBinding: given } = payload;
  if (onlyReturnExisting === true) throw new Problem("accountDoesNotExist", "no account has this key");
  if (typeof termsOfServiceAgreed !== "boolean") throw malformed("termsOfServiceAgreed is true or false");
  const contacts = readContacts(contact ?? []);
  const isRequired = bindingPolicy(acme, directory.settings) !== "not-required";
  const binding =
    isRequired || (given !== undefined && given !== null) ? await requireBinding(given, request) : undefined;
  const { remoteAddress } = context.request;
  await acme.recent.require("new accounts", remoteAddress, directory.settings.account_limit, now);
  acme.recent.note("new accounts", remoteAddress, now);
  const about = { directory: directory.path, contact: contacts, termsOfServiceAgreed, binding };
  const account = acme.accounts.create(about, key, now);
  acme.host.metrics.count("acme_accounts_total", "Accounts of ACME that were made");
  return accountReply(account, directory, 201);
}

function requireBinding(given: unknown, request: KeyRequest): Promise<AccountBinding> {
  if (given !== undefined && given !== null) return useBinding(given, request);
  throw new Problem("externalAccountRequired", "a new account needs an external account binding: see new-eab");
}

const account = signedPath({
  pattern: under("account/:id"),
  summary: "One account",
  params: { ...directoryParams, ...accountId },
  post: "Read, change or deactivate the account",
  handler: byAccount(async (request, { id }) => {
    const own = requireOwn(request, id);
    const changed = changedAccount(own, request.payload ?? {}, request.now);
    if (changed !== own) request.acme.accounts.put(changed);
    return accountReply(changed, request.directory);
  }),
});

function requireOwn({ account: own }: AccountRequest, id: string): Account {
  if (own.id === id) return own;
  throw new Problem("unauthorized", "this is the account of somebody else", { status: 403 });
}

/** What a payload does not name stays: reading with an empty one changes nothing. */
function changedAccount(own: Account, { contact, status }: Record<string, unknown>, now: Date): Account {
  if (status !== undefined && status !== "valid" && status !== "deactivated") {
    throw malformed("the status of an account can only be changed to deactivated");
  }
  const changes: Partial<Account> = {
    ...(contact !== undefined && contact !== null && { contact: readContacts(contact) }),
    ...(status === "deactivated" && { status: "deactivated", statusSince: now.getTime() }),
  };
  return Object.keys(changes).length === 0 ? own : { ...own, ...changes };
}

const orders = signedPath({
  pattern: [...under("account/:id/orders"), ...under("account/:id/orders/:after"), ...under("orders")],
  summary: "The orders of an account",
  params: {
    ...directoryParams,
    id: text("Account; that of the signer, if not given").default(""),
    after: text("Last order of the page before").default(""),
  },
  post: "List the orders that have not failed",
  handler: byAccount((request, { id, after }) => {
    if (id !== "") requireOwn(request, id);
    return orderPage(request, after);
  }),
});

const keyChange = signedPath({
  pattern: under("key-change"),
  summary: "The key of an account",
  params: directoryParams,
  post: "Give the account another key",
  handler: byAccount(async (request) => {
    const { acme, directory, account: own } = request;
    const key = readNewKey(request);
    const holder = await acme.accounts.withKey(directory.path, key);
    if (holder) {
      throw malformed("an account has this key already", {
        status: 409,
        headers: { location: accountUrl(directory, holder) },
      });
    }
    return accountReply(acme.accounts.changeKey(own, key), directory);
  }),
});

/** The new key signs that it belongs to the account, inside what the old one signs (RFC 8555, section 7.3.5). */
function readNewKey({ payload, url, account: own, directory }: AccountRequest): VerificationKey {
  const inner = parseFlattenedJws(payload);
  const { alg, kid, all } = inner.header;
  if (!isAlgorithmName(alg)) {
    throw new Problem("badSignatureAlgorithm", `the algorithm ${JSON.stringify(alg)} is not supported`, {
      members: { algorithms: algorithmNames },
    });
  }
  if (all["jwk"] === undefined || kid !== undefined) throw malformed("the inner header has a jwk, and no kid");
  if (all["nonce"] !== undefined) throw malformed("the inner header has no nonce");
  if (all["url"] !== url) throw malformed("the url of the inner header is not that of the outer one");
  const key = importJwk(all["jwk"]);
  if (!isSignedBy(inner, key)) throw malformed("the inner signature is not valid");
  const { account: named, oldKey } = jsonPayload(inner);
  if (named !== accountUrl(directory, own)) throw malformed("the inner payload names another account");
  if (!isJsonObject(oldKey) || thumbprint(importJwk(oldKey)) !== own.thumbprint) {
    throw malformed("oldKey is not the key of the account");
  }
  return key;
}

export const accountPaths = [newAccount, account, orders, keyChange];
