/** Declares where a provider sends people back to. */
import { timingSafeEqual } from "node:crypto";
import { ApiError, unsupportedOperation } from "../../../api/errors.ts";
import { text, type Values, writeOnly } from "../../../api/fields.ts";
import { type Context, pathsFor } from "../../../api/path.ts";
import { Login, type LoginGrant, type RawReply } from "../../../api/reply.ts";
import type { LoadedConfig } from "../config.ts";
import { requireConfig, requireOrigin } from "../login.ts";
import type { Role } from "../role.ts";
import type { JwtServices } from "../services.ts";
import { WebError } from "../web.ts";
import { concludeLogin } from "./conclude.ts";
import { FlowFailure, loginFailed, providerRefusal, told, unknownState } from "./failure.ts";
import type { Flow } from "./flow.ts";
import { confirmationPage, continuePage, failurePage, successPage } from "./pages.ts";
import { ProviderRefusal, type ProviderTokens, requestTokens } from "./token-endpoint.ts";

const path = pathsFor<JwtServices>();

const fields = {
  state: writeOnly(text("Names the login, as the provider was told")).default(""),
  code: writeOnly(text("Code of the provider, to be exchanged for tokens")).default(""),
  id_token: writeOnly(text("ID token of the provider, in place of a code")).default(""),
  client_nonce: writeOnly(text("The secret that the client gave at the beginning")).default(""),
  error: text("Code of the provider's refusal").default(""),
  error_description: text("The provider's explanation; only logged").default(""),
  error_uri: text("Address of the provider's explanation; only logged").default(""),
  confirmation: text("Set when the person has confirmed the login").default(""),
};

type Input = Values<typeof fields>;
type Answer = Promise<Login | RawReply>;

const callback = path({
  pattern: "oidc/callback",
  summary: "Go on with a login through a provider",
  access: "public",
  read: {
    summary: "Exchange the provider's code for a token",
    input: fields,
    effects: true,
    handler: (input, context): Answer => calledBack(input, context, false),
  },
  write: {
    summary: "Take the provider's form, where it posts one",
    input: fields,
    effects: true,
    handler: (input, context): Answer => calledBack(input, context, true),
  },
});

interface Call {
  readonly input: Input;
  readonly context: Context<JwtServices>;
  readonly config: LoadedConfig;
  readonly state: string;
  readonly flow: Flow;
  readonly role: Role;
  readonly isPost: boolean;
}

async function calledBack(input: Input, context: Context<JwtServices>, isPost: boolean): Answer {
  const config = await requireConfig(context.services);
  if (isPost && config.oidc_response_mode !== "form_post") throw unsupportedOperation();
  const state = bareState(input.state);
  const flow = await context.services.flows.find(state, context.now.getTime());
  const isPage = isPost || flow?.mode === "direct" || (!flow && isBrowser(context));
  try {
    if (!flow || flow.mode === "device" || flow.outcome) throw unknownState();
    const role = await context.services.roles.find(flow.role);
    if (!role) throw loginFailed("Role could not be found");
    const call: Call = { input, context, config, state, flow, role, isPost };
    return await (flow.mode === "direct" ? direct(call) : client(call));
  } catch (error) {
    if (!(error instanceof FlowFailure)) throw error;
    if (isPage) return failurePage(error);
    throw new ApiError(error.status, error.message);
  }
}

/** Whoever comes too late is a person, in a mode that is no longer known, or a program. */
const isBrowser = ({ request }: Context<JwtServices>): boolean =>
  request.header("accept")?.includes("text/html") === true;

/** The state as it is known here, without the namespace that travels in it. */
export const bareState = (state: string): string => state.split(",ns=", 1)[0]!;

export const isSameNonce = (given: string, kept: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(kept)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The client itself passes on what the browser brought. A form that was posted here waits for it. */
async function client(call: Call): Answer {
  const { input, context, state, flow, role, isPost } = call;
  const now = context.now.getTime();
  if (isPost && input.error === "") {
    const { code, id_token } = input;
    const kept = await context.transaction(async ({ flows }) => {
      const current = await flows.find(state, now);
      if (current) flows.change(state, { ...current, received: { code, id_token } });
      return current !== undefined;
    });
    if (!kept) throw unknownState();
    return continuePage(flow.continue_uri, input.state);
  }
  const taken = await context.transaction(({ flows }) => flows.take(state, now));
  if (!taken) throw unknownState();
  // A client that gave none may send what it likes.
  if (taken.client_nonce !== "" && !isSameNonce(input.client_nonce, taken.client_nonce))
    throw new FlowFailure("invalid client_nonce");
  await told(async () => requireOrigin(role, context.request.remoteAddress));
  return new Login(await conclusion({ ...call, flow: taken }));
}

/** This server is called back by the person's browser, while the client polls. */
async function direct(call: Call): Answer {
  const { input, context, flow, role, isPost } = call;
  if (input.error === "" && !role.oidc_disable_confirmation && input.confirmation === "") {
    const { code, id_token, state } = input;
    return confirmationPage({ role: role.name, requester: flow.requester, isPost, fields: { state, code, id_token } });
  }
  try {
    const grant = await conclusion(call);
    if (!(await settle(call, { grant }))) throw unknownState();
    return successPage(role.name);
  } catch (error) {
    if (error instanceof FlowFailure) await settle(call, { refusal: error.message, status: error.status });
    context.services.host.log.debug("an OIDC login failed", { role: role.name });
    throw error;
  }
}

/** Only the first outcome counts. */
const settle = ({ context, state }: Call, outcome: NonNullable<Flow["outcome"]>): Promise<boolean> =>
  context.transaction(async ({ flows }) => {
    const current = await flows.find(state, context.now.getTime());
    if (!current || current.outcome) return false;
    flows.change(state, { ...current, outcome });
    return true;
  });

async function conclusion(call: Call): Promise<LoginGrant> {
  const { input, context, config, flow, role } = call;
  const { host, validations } = context.services;
  if (input.error !== "") {
    const { error, error_description, error_uri } = input;
    host.log.warn("the OIDC provider refused a login", quoted({ error, error_description, error_uri }));
    throw providerRefusal(error);
  }
  const { code, id_token } = input.code === "no_code" && flow.received ? flow.received : input;
  if (code === "" && id_token === "") throw loginFailed("No code or id_token received.");
  const validation = validations.for(config);
  const shared = { config, validation, role, host, flow, code: code === "no_code" ? "" : code };
  const tokens =
    id_token === "" ? await exchanged(call, code) : { idToken: id_token, accessToken: "", refreshToken: "" };
  return reached(() => concludeLogin(tokens, shared));
}

function exchanged({ config, flow, context }: Call, code: string): Promise<ProviderTokens> {
  const validation = context.services.validations.for(config);
  return reached(() =>
    requestTokens(
      { config, validation },
      { grant_type: "authorization_code", code, redirect_uri: flow.redirect_uri, code_verifier: flow.code_verifier },
    ),
  );
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WebError) && !(error instanceof ProviderRefusal)) throw error;
    throw loginFailed(`Error exchanging oidc code: ${JSON.stringify(error.message)}.`);
  }
}

/** Whoever calls back may write anything here, so it is quoted and cut before it is logged. */
const quoted = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, JSON.stringify(value.slice(0, 500))]));

export const callbackPaths = [callback];
