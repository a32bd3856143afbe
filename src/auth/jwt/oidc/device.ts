/** Logins on devices without a browser (RFC 8628): the person types a code in elsewhere, and the server asks whether they have. */
import { invalidRequest } from "../../../api/errors.ts";
import { WebError } from "../web.ts";
import { authenticatedForm, type ProviderClient, ProviderRefusal } from "./token-endpoint.ts";

export interface DeviceAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  /** To open in a browser; with the code in it, if the provider gives that. */
  readonly address: string;
  readonly interval: number | undefined;
  readonly expiresIn: number;
}

const usualLifetime = 600;
const longestLifetime = 3600;

export async function authorizeDevice(client: ProviderClient, scopes: readonly string[]): Promise<DeviceAuthorization> {
  const { deviceEndpoint } = await client.validation.metadata();
  if (deviceEndpoint === "") throw invalidRequest("no device auth endpoint url discovered");
  const { oidc_client_id: client_id } = client.config;
  try {
    const scope = ["openid", ...scopes.filter((name) => name !== "openid")].join(" ");
    return readAuthorization(await authenticatedForm(client, deviceEndpoint, { client_id, scope }));
  } catch (error) {
    if (error instanceof ProviderRefusal) throw invalidRequest(`error authorizing device: ${error.message}`);
    throw error;
  }
}

function readAuthorization(answer: Readonly<Record<string, unknown>>): DeviceAuthorization {
  const text = (...names: string[]) =>
    names.map((name) => answer[name]).find((value) => typeof value === "string") ?? "";
  const count = (name: string) => {
    const value = Number(answer[name]);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const deviceCode = text("device_code");
  // Some providers use the words of an early draft.
  const names = ["verification_uri_complete", "verification_url_complete", "verification_uri", "verification_url"];
  const address = text(...names);
  if (deviceCode === "" || address === "") throw new WebError("the answer has no device code or no address");
  return {
    deviceCode,
    userCode: text("user_code"),
    address,
    interval: count("interval"),
    expiresIn: Math.min(count("expires_in") ?? usualLifetime, longestLifetime),
  };
}
