import { beforeEach, expect, test } from "vitest";
import type { Host } from "../../../api/engine.ts";
import type { OutboundRequest } from "../../../api/outbound.ts";
import type { LoadedConfig } from "../config.ts";
import { Validation } from "../validation.ts";
import { ProviderRefusal, requestTokens } from "./token-endpoint.ts";

const issuer = "https://op.example";
const discovery = (methods?: string[]) => ({
  issuer,
  token_endpoint: `${issuer}/token`,
  ...(methods && { token_endpoint_auth_methods_supported: methods }),
});

let asked: OutboundRequest[];
let metadata: object;
let answer: (request: OutboundRequest) => { status: number; body: unknown };

function client() {
  const config = {
    revision: "1",
    oidc_discovery_url: issuer,
    oidc_client_id: "a b",
    oidc_client_secret: "c:d",
    keys: [],
    jwks_url: "",
    oidc_discovery_ca_pem: "",
    override_allowed_server_names: [],
  } as unknown as LoadedConfig;
  const outbound = {
    request: async (request: OutboundRequest) => {
      const isToken = request.url.endsWith("/token");
      if (isToken) asked.push(request);
      const { status, body } = isToken ? answer(request) : { status: 200, body: metadata };
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return { status, headers: {}, body: Buffer.from(text) };
    },
  };
  return { config, validation: new Validation(config, { outbound, clock: { now: () => 0 } } as unknown as Host) };
}

beforeEach(() => {
  asked = [];
  metadata = discovery();
  answer = () => ({ status: 200, body: { id_token: "i", access_token: "a" } });
});

const byHeader = { authorization: `Basic ${Buffer.from("a+b:c%3Ad").toString("base64")}` };
const fieldsOf = ({ body }: OutboundRequest) => Object.fromEntries(new URLSearchParams(String(body)));

test("the secret goes into the header, unless the provider takes it in the body only", async () => {
  expect(await requestTokens(client(), { grant_type: "x" })).toEqual({
    idToken: "i",
    accessToken: "a",
    refreshToken: "",
  });
  expect(asked[0]!.headers).toMatchObject(byHeader);
  expect(fieldsOf(asked[0]!)).toEqual({ grant_type: "x" });
  metadata = discovery(["client_secret_post"]);
  await requestTokens(client(), { grant_type: "x" });
  expect(asked[1]!.headers).not.toHaveProperty("authorization");
  expect(fieldsOf(asked[1]!)).toEqual({ grant_type: "x", client_id: "a b", client_secret: "c:d" });
});

test("a provider that does not know the client so is asked the other way, and that is remembered", async () => {
  answer = ({ headers }) =>
    headers?.["authorization"] === undefined
      ? { status: 200, body: { id_token: "i" } }
      : { status: 401, body: { error: "invalid_client" } };
  const same = client();
  await requestTokens(same, {});
  await requestTokens(same, {});
  expect(asked.map(({ headers }) => headers?.["authorization"] !== undefined)).toEqual([true, false, false]);
});

test.each<[number, unknown, string]>([
  [400, { error: "invalid_grant", error_description: "secret story" }, "the provider answered: invalid_grant"],
  [400, { error: "<b>Call 555-1234</b>" }, "the provider answered: unknown_error"],
  [400, { error: 5 }, "the provider answered with status 400"],
  [500, "<html>", "the provider answered with status 500"],
])("a refusal with %i %j", async (status, body, words) => {
  answer = () => ({ status, body });
  const attempt = requestTokens(client(), {});
  await expect(attempt).rejects.toBeInstanceOf(ProviderRefusal);
  await expect(attempt).rejects.toThrow(words);
});

test.each([["<html>"], [[]], ["{"]])("an answer that is no JSON object: %j", async (body) => {
  answer = () => ({ status: 200, body });
  await expect(requestTokens(client(), {})).rejects.toThrow("did not answer with a JSON object");
});
