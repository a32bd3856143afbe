/** Declares the beginning of a login through a provider: where to send the person. */
import { hash } from "node:crypto";
import type { Host } from "../../../api/engine.ts";
import { ApiError, invalidRequest } from "../../../api/errors.ts";
import { text, writeOnly } from "../../../api/fields.ts";
import { pathsFor, type RequestInfo } from "../../../api/path.ts";
import { randomBase62 } from "../../../lib/base62.ts";
import { hasOidc, type LoadedConfig } from "../config.ts";
import { requireConfig, requireRole, roleName } from "../login.ts";
import type { Role } from "../role.ts";
import type { JwtServices } from "../services.ts";
import type { Validation } from "../validation.ts";
import { WebError } from "../web.ts";
import { authorizeDevice, type DeviceAuthorization } from "./device.ts";
import type { Flow } from "./flow.ts";
import { isAllowedRedirect, withoutParameter } from "./redirect-uri.ts";

const path = pathsFor<JwtServices>();

const lifetimeMs = 600_000;
const usualPollSeconds = 5;

const authUrl = path({
  pattern: "oidc/auth_url",
  summary: "Begin a login through a provider",
  access: "public",
  write: {
    summary: "Ask for the address that the person opens in a browser",
    input: {
      role: text("Role to log in as; the configured default if empty").default(""),
      redirect_uri: text("Where the provider sends the person back to; not in device mode").default(""),
      client_nonce: writeOnly(text("A secret of the client, to be shown again at the end")).default(""),
    },
    output: {
      auth_url: text("Address to open in a browser"),
      state: text("Names this login when it is polled, in direct and device mode").optional(),
      user_code: text("Code that the person types in, in device mode").optional(),
      poll_interval: text("Seconds to wait between polls, in direct and device mode").optional(),
    },
    effects: true,
    async handler(input, { services, request, transaction }) {
      const config = await requireConfig(services);
      if (!hasOidc(config)) throw invalidRequest("OIDC login is not configured for this mount");
      const role = await requireRole(services, roleName(input.role, config));
      if (role.role_type !== "oidc") throw invalidRequest("role with jwt role_type is not allowed");
      if (role.callback_mode !== "client" && input.client_nonce === "") throw invalidRequest("missing client_nonce");
      const start = {
        services,
        config,
        role,
        request,
        clientNonce: input.client_nonce,
        redirectUri: input.redirect_uri,
      };
      const begun = await reachable(() => (role.callback_mode === "device" ? beginDevice(start) : beginBrowser(start)));
      await transaction(async ({ flows }) => flows.begin(begun.state, begun.flow));
      return begun.answer;
    },
  },
  examples: [{ operation: "write", request: { role: "staff", redirect_uri: "http://localhost:8250/oidc/callback" } }],
});

interface Start {
  readonly services: JwtServices;
  readonly config: LoadedConfig;
  readonly role: Role;
  readonly request: RequestInfo;
  readonly clientNonce: string;
  readonly redirectUri: string;
}

const newFlow = ({ services, role, request, clientNonce }: Start): Flow => ({
  role: role.name,
  mode: role.callback_mode,
  expires: services.host.clock.now() + lifetimeMs,
  client_nonce: clientNonce,
  requester: request.remoteAddress,
  redirect_uri: "",
  continue_uri: "",
  nonce: "",
  code_verifier: "",
  device_code: "",
});

const newState = ({ services }: Start): string => `st_${randomBase62(20, services.host.random)}`;

async function beginDevice(start: Start) {
  const { services, config, role } = start;
  const validation = services.validations.for(config);
  const device = await authorizeDevice({ config, validation }, role.oidc_scopes);
  const state = newState(start);
  const expires = services.host.clock.now() + device.expiresIn * 1000;
  return {
    state,
    flow: { ...newFlow(start), expires, device_code: device.deviceCode },
    answer: {
      auth_url: device.address,
      user_code: device.userCode,
      state,
      poll_interval: String(pollSeconds(role, device)),
    },
  };
}

const pollSeconds = ({ poll_interval }: Role, device?: DeviceAuthorization): number =>
  poll_interval > 0 ? poll_interval : (device?.interval ?? usualPollSeconds);

async function beginBrowser(start: Start) {
  const { services, config, role } = start;
  const given = config.namespace_in_state ? withoutParameter(start.redirectUri, "namespace") : start.redirectUri;
  if (given === "") throw invalidRequest("missing redirect_uri");
  if (!isAllowedRedirect(given, role.allowed_redirect_uris)) {
    throw invalidRequest(`unauthorized redirect_uri: ${given} is not among the role's allowed_redirect_uris`);
  }
  const { random } = services.host;
  const posts = config.oidc_response_mode === "form_post";
  // The web interface is shown after this server has taken the form.
  const redirect_uri = posts ? given.replace("ui/vault", "v1") : given;
  const flow: Flow = {
    ...newFlow(start),
    redirect_uri,
    continue_uri: redirect_uri === given ? "" : given,
    nonce: `n_${randomBase62(20, random)}`,
    code_verifier: config.oidc_response_types.includes("code") ? randomBase62(43, random) : "",
  };
  const state = newState(start);
  const auth_url = await authorizationUrl(
    start,
    services.validations.for(config),
    flow,
    stateFor(state, config, services.host),
  );
  const polled = role.callback_mode === "direct" ? { state, poll_interval: String(pollSeconds(role)) } : {};
  return { state, flow, answer: { auth_url, ...polled } };
}

async function authorizationUrl({ config, role }: Start, validation: Validation, flow: Flow, state: string) {
  const { authorizationEndpoint } = await validation.metadata();
  if (!URL.canParse(authorizationEndpoint)) throw new WebError("the provider names no authorization endpoint");
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: config.oidc_response_types.join(" "),
    client_id: config.oidc_client_id,
    redirect_uri: flow.redirect_uri,
    scope: ["openid", ...role.oidc_scopes.filter((scope) => scope !== "openid")].join(" "),
    state,
    nonce: flow.nonce,
    ...(config.oidc_response_mode === "form_post" && { response_mode: "form_post" }),
    ...(flow.code_verifier !== "" && {
      code_challenge: hash("sha256", flow.code_verifier, "base64url"),
      code_challenge_method: "S256",
    }),
    ...(role.max_age > 0 && { max_age: String(role.max_age) }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.toString();
}

/** Who calls back brings the state and nothing else, so the namespace travels in it. */
function stateFor(state: string, { namespace_in_state }: LoadedConfig, { namespace }: Host): string {
  const name = namespace.path.replace(/\/$/, "");
  return namespace_in_state && name !== "" ? `${state},ns=${name}` : state;
}

async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebError) throw new ApiError(502, `the OIDC provider cannot be used: ${error.message}`);
    throw error;
  }
}

export const authUrlPaths = [authUrl];
