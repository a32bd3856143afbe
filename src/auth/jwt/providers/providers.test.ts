import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { OutboundRequest } from "../../../api/outbound.ts";
import { importKeyObject } from "../../../lib/jws/key.ts";
import { jsonPayload, parseCompactJws } from "../../../lib/jws/message.ts";
import { algorithmOf, isSignedBy } from "../../../lib/jws/verify.ts";
import type { Claims } from "../claims.ts";
import { Web } from "../web.ts";
import { providerOf } from "./provider.ts";

/** The world outside, as far as a provider asks for it: answers by the beginning of the address. */
class World {
  readonly asked: OutboundRequest[] = [];
  readonly #answers: Readonly<Record<string, unknown>>;

  constructor(answers: Readonly<Record<string, unknown>> = {}) {
    this.#answers = answers;
  }

  request = async (request: OutboundRequest) => {
    this.asked.push(request);
    const start = Object.keys(this.#answers).find((address) => request.url.startsWith(address));
    const body = Buffer.from(JSON.stringify(start === undefined ? {} : this.#answers[start]));
    return { status: start === undefined ? 404 : 200, headers: {}, body };
  };
}

const complete = (
  settings: object,
  claims: Claims,
  { world = new World(), accessToken = "", groupsClaim = "groups" } = {},
) =>
  providerOf({ ...settings })!.completeClaims!({
    claims,
    groupsClaim,
    user: "ann@example.com",
    accessToken,
    settings: { ...settings },
    web: new Web({ outbound: world }, {}),
    now: 1_900_000_000,
  });

describe("groups in one text", () => {
  test.each([
    ["secureauth", "a,b c, d", ["a", "b c", " d"]],
    ["ibmisam", "a b,c d", ["a", "b,c", "d"]],
  ])("%s", async (provider, groups, expected) => {
    expect(await complete({ provider }, { groups })).toEqual({ groups: expected });
    expect(await complete({ provider }, { groups: ["x"] })).toEqual({ groups: ["x"] });
    expect(await complete({ provider }, { team: { groups } }, { groupsClaim: "/team/groups" })).toEqual({
      team: { groups: expected },
    });
  });
});

describe("azure", () => {
  const overage = (endpoint: string) => ({
    _claim_names: { groups: "src1" },
    _claim_sources: { src1: { endpoint } },
  });

  test("groups that are in the token are taken from it", async () => {
    const world = new World();
    expect(await complete({ provider: "azure" }, { groups: ["a"] }, { world })).toEqual({ groups: ["a"] });
    expect(world.asked).toEqual([]);
  });

  test.each([
    [
      "https://graph.windows.net/tenant/users/1/getMemberObjects",
      "https://graph.microsoft.com/v1.0/tenant/users/1/getMemberObjects",
    ],
    [
      "https://graph.microsoftazure.us/users/1/getMemberObjects",
      "https://graph.microsoft.us/v1.0/users/1/getMemberObjects",
    ],
    ["https://graph.example/users/1", "https://graph.example/users/1"],
  ])("too many groups are asked for at %s", async (endpoint, address) => {
    const world = new World({ [address]: { value: ["g1", "g2"] } });
    const claims = await complete({ provider: "azure" }, overage(endpoint), { world, accessToken: "at" });
    expect(claims["groups"]).toEqual(["g1", "g2"]);
    expect(world.asked).toMatchObject([{ url: address, method: "POST", headers: { authorization: "Bearer at" } }]);
    expect(world.asked[0]!.body).toBe('{"securityEnabledOnly":false}');
  });

  test.each<[string, Claims, string, string]>([
    ["no source", {}, "at", "unable to get claim sources"],
    ["no endpoint", { _claim_names: { groups: "x" } }, "at", "names no endpoint"],
    ["no access token", overage("https://graph.example/"), "", "token unavailable to call Microsoft Graph API"],
    ["a refusal", overage("https://graph.example/"), "at", "failed to get groups: the server answered with status 404"],
  ])("%s", async (_, claims, accessToken, words) => {
    await expect(complete({ provider: "azure" }, claims, { accessToken })).rejects.toThrow(words);
  });
});

describe("gsuite", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const account = {
    client_email: "robot@project.example",
    private_key: privateKey.export({ format: "pem", type: "pkcs8" }) as string,
  };
  const settings = {
    provider: "gsuite",
    gsuite_service_account: JSON.stringify(account),
    gsuite_admin_impersonate: "admin@example.com",
  };
  const directory = "https://admin.googleapis.com/admin/directory/v1";
  const groups = (user: string, ...emails: string[]) => ({
    [`${directory}/groups?userKey=${encodeURIComponent(user)}`]: { groups: emails.map((email) => ({ email })) },
  });
  const answers = {
    "https://oauth2.googleapis.com/token": { access_token: "google" },
    ...groups("ann@example.com", "dev@x", "ops@x"),
    ...groups("dev@x", "all@x"),
    ...groups("ops@x", "all@x", "dev@x"),
    ...groups("all@x"),
    [`${directory}/users/ann%40example.com?projection=custom&customFieldMask=Work`]: {
      customSchemas: { Work: { room: "7" } },
    },
  };

  test.each([
    [0, ["dev@x", "ops@x"]],
    [5, ["dev@x", "ops@x", "all@x"]],
  ])("groups, to the depth of %i", async (groups_recurse_max_depth, expected) => {
    const world = new World(answers);
    const wanted = { ...settings, fetch_groups: true, groups_recurse_max_depth };
    expect((await complete(wanted, {}, { world }))["groups"]).toEqual(expected);
    const [exchange] = world.asked;
    const assertion = parseCompactJws(new URLSearchParams(exchange!.body as string).get("assertion")!);
    expect([algorithmOf(assertion).name, isSignedBy(assertion, importKeyObject(publicKey))]).toEqual(["RS256", true]);
    expect(jsonPayload(assertion)).toMatchObject({ iss: account.client_email, sub: "admin@example.com" });
  });

  test("custom schemas become claims", async () => {
    const world = new World(answers);
    const wanted = { ...settings, fetch_user_info: true, user_custom_schemas: "Work" };
    expect(await complete(wanted, { sub: "x" }, { world })).toEqual({ sub: "x", Work: { room: "7" } });
  });

  test("Google says no", async () => {
    await expect(complete({ ...settings, fetch_groups: true }, {})).rejects.toThrow(
      "the token endpoint answered with status 404",
    );
  });
});
