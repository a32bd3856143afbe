/** Asks a provider for tokens, with the client's credentials. */
import type { LoadedConfig } from "../config.ts";
import type { Validation } from "../validation.ts";
import { jsonOf, WebError } from "../web.ts";

export interface ProviderTokens {
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The provider said no, in its own words, which are only logged. */
export class ProviderRefusal extends Error {
  override readonly name = "ProviderRefusal";
  readonly code: string;

  constructor(code: string, status: number) {
    super(code === "" ? `the provider answered with status ${status}` : `the provider answered: ${code}`);
    this.code = code;
  }
}

export interface ProviderClient {
  readonly config: LoadedConfig;
  readonly validation: Validation;
}

/** Throws a `ProviderRefusal`, or a `WebError` if there is no answer that can be used. */
export async function requestTokens(
  client: ProviderClient,
  grant: Readonly<Record<string, string>>,
): Promise<ProviderTokens> {
  const { tokenEndpoint } = await client.validation.metadata();
  if (tokenEndpoint === "") throw new WebError("the provider names no token endpoint");
  const answer = await authenticatedForm(client, tokenEndpoint, grant);
  const text = (name: string) => (typeof answer[name] === "string" ? answer[name] : "");
  return { idToken: text("id_token"), accessToken: text("access_token"), refreshToken: text("refresh_token") };
}

/**
 * Providers take the secret in a header or in the body, and are not always honest about which. The way that worked is
 * remembered; a provider that does not know the client by one of them is asked again by the other.
 */
export async function authenticatedForm(
  { config, validation }: ProviderClient,
  url: string,
  fields: Readonly<Record<string, string>>,
) {
  const { tokenAuthMethods } = await validation.metadata();
  const first = validation.clientAuthentication ?? preferred(tokenAuthMethods);
  const answer = await ask(first);
  if (answer.status !== 401 && answer.body["error"] !== "invalid_client") return accepted(answer, first);
  const second = first === "header" ? "body" : "header";
  return accepted(await ask(second), second);

  async function ask(way: "header" | "body") {
    const { oidc_client_id: id, oidc_client_secret: secret } = config;
    const { status, text } =
      way === "header"
        ? await validation.web.form(url, fields, { authorization: `Basic ${basic(id, secret)}` })
        : await validation.web.form(url, { ...fields, client_id: id, client_secret: secret });
    return { status, body: status === 200 || status === 400 || status === 401 ? jsonOf(text) : {} };
  }

  function accepted({ status, body }: Awaited<ReturnType<typeof ask>>, way: "header" | "body") {
    const { error } = body;
    if (status !== 200) throw new ProviderRefusal(codeOf(error), status);
    validation.clientAuthentication = way;
    return body;
  }
}

/** Codes are words of RFC 6749; anything else that a provider writes is not handed on. */
function codeOf(error: unknown): string {
  if (typeof error !== "string") return "";
  return /^[a-z_]{1,64}$/.test(error) ? error : "unknown_error";
}

const preferred = (methods: readonly string[]): "header" | "body" =>
  methods.length === 0 || methods.includes("client_secret_basic") ? "header" : "body";

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
const basic = (id: string, secret: string): string => {
  const encoded = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  return Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64");
};
