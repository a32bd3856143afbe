/** Declares how a client asks whether the person is done, in direct and device mode. */
import { ApiError, invalidRequest } from "../../../api/errors.ts";
import { text, type Values, writeOnly } from "../../../api/fields.ts";
import { type Context, pathsFor } from "../../../api/path.ts";
import { Login, type LoginGrant } from "../../../api/reply.ts";
import { requireConfig, requireOrigin } from "../login.ts";
import type { JwtServices } from "../services.ts";
import { WebError } from "../web.ts";
import { bareState, isSameNonce } from "./callback.paths.ts";
import { concludeLogin } from "./conclude.ts";
import { FlowFailure, loginFailed, told, unknownState } from "./failure.ts";
import type { Flow } from "./flow.ts";
import { ProviderRefusal, type ProviderTokens, requestTokens } from "./token-endpoint.ts";

const path = pathsFor<JwtServices>();

const fields = {
  state: writeOnly(text("Names the login, as auth_url said")).default(""),
  client_nonce: writeOnly(text("The secret that the client gave at the beginning")).default(""),
};

const operation = {
  summary: "Ask whether the person is done; authorization_pending and slow_down mean: not yet",
  input: fields,
  effects: true,
  async handler(input: Values<typeof fields>, context: Context<JwtServices>): Promise<Login> {
    try {
      return new Login(await polled(input, context));
    } catch (error) {
      if (error instanceof FlowFailure) throw new ApiError(error.status, error.message);
      throw error;
    }
  },
};

const poll = path({
  pattern: "oidc/poll",
  summary: "Wait for a login through a provider",
  access: "public",
  read: operation,
  write: operation,
  examples: [{ operation: "write", request: { state: "st_…", client_nonce: "n_…" } }],
});

async function polled({ state: given, client_nonce }: Values<typeof fields>, context: Context<JwtServices>) {
  const { services, now, transaction } = context;
  const config = await requireConfig(services);
  const state = bareState(given);
  const flow = await services.flows.find(state, now.getTime());
  if (!flow || flow.mode === "client") throw unknownState();
  if (!isSameNonce(client_nonce, flow.client_nonce)) {
    await transaction(async ({ flows }) => flows.end(state, flow));
    throw new FlowFailure("invalid client_nonce");
  }
  const role = await services.roles.find(flow.role);
  if (!role) throw loginFailed("Role could not be found");
  await told(async () => requireOrigin(role, context.request.remoteAddress));
  if (flow.mode === "direct") return outcomeOf(flow, state, context);
  const validation = services.validations.for(config);
  const client = { config, validation };
  const tokens = await deviceTokens(flow, state, client, context);
  // Of those who poll at the same time, one gets the login.
  if (!(await transaction(({ flows }) => flows.take(state, now.getTime())))) throw unknownState();
  return concludeLogin(tokens, { ...client, role, host: services.host, flow, code: "" });
}

async function outcomeOf(flow: Flow, state: string, { now, transaction }: Context<JwtServices>): Promise<LoginGrant> {
  if (!flow.outcome) throw new FlowFailure("authorization_pending");
  const taken = await transaction(({ flows }) => flows.take(state, now.getTime()));
  if (!taken?.outcome) throw unknownState();
  if ("refusal" in taken.outcome) throw new FlowFailure(taken.outcome.refusal, taken.outcome.status);
  return taken.outcome.grant;
}

const grantType = "urn:ietf:params:oauth:grant-type:device_code";

async function deviceTokens(
  flow: Flow,
  state: string,
  client: Parameters<typeof requestTokens>[0],
  { transaction }: Context<JwtServices>,
): Promise<ProviderTokens> {
  try {
    return await requestTokens(client, { grant_type: grantType, device_code: flow.device_code });
  } catch (error) {
    if (error instanceof WebError) {
      throw new ApiError(502, `error polling for device authorization: ${error.message}`);
    }
    if (!(error instanceof ProviderRefusal)) throw error;
    if (error.code === "authorization_pending" || error.code === "slow_down") throw new FlowFailure(error.code);
    if (error.code === "") throw new ApiError(502, `error polling for device authorization: ${error.message}`);
    await transaction(async ({ flows }) => flows.end(state, flow));
    throw invalidRequest(`authorization failed: ${error.code}`);
  }
}

export const pollPaths = [poll];
