import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { KernelCaller } from "../../../../test/support/kernel-caller.ts";
import { Authenticated, RawReply } from "../../../api/reply.ts";
import { jwt, oidc } from "../engine.ts";
import {
  clientId,
  clientSecret,
  localRedirect,
  Person,
  postedRedirect,
  TestProvider,
  webRedirect,
} from "./provider-fixture.suite.ts";

let provider: TestProvider;
let caller: KernelCaller;
const clock = { now: 0 };

const config = (more: object = {}) =>
  caller.call("write", "auth/oidc/config", {
    oidc_discovery_url: provider.issuer,
    oidc_client_id: clientId,
    oidc_client_secret: clientSecret,
    default_role: "staff",
    ...more,
  });

const role = async (settings: object, name = "staff") => {
  await caller.call("delete", `auth/oidc/role/${name}`);
  await caller.call("write", `auth/oidc/role/${name}`, {
    user_claim: "sub",
    allowed_redirect_uris: [localRedirect, webRedirect, postedRedirect],
    oidc_scopes: ["profile", "email"],
    token_policies: "staff",
    ...settings,
  });
};

const authUrl = async (more: object = {}) =>
  (await caller.call("write", "auth/oidc/oidc/auth_url", { redirect_uri: localRedirect, ...more }, "")).data;
const callback = (query: object) => caller.call("read", "auth/oidc/oidc/callback", query, "");
const poll = (body: object) => caller.call("write", "auth/oidc/oidc/poll", body, "");

const page = async (
  operation: "read" | "write",
  query: object,
): Promise<{ status: number; text: string; headers: object }> => {
  const { answer } = await caller.exchange(operation, "auth/oidc/oidc/callback", query, "");
  expect(answer).toBeInstanceOf(RawReply);
  const { status, body, headers } = answer as RawReply;
  return { status, text: String(body), headers };
};

beforeAll(async () => {
  provider = await new TestProvider().start();
  clock.now = Date.now();
  caller = await new KernelCaller([jwt, oidc], undefined, clock).initialize();
  await caller.call("write", "sys/auth/oidc", { type: "oidc" });
});

afterAll(() => provider.stop());

beforeEach(async () => {
  clock.now = Date.now();
  await config();
  await role({});
});

describe("client mode", () => {
  test("ends with a token for the person", async () => {
    await role({
      groups_claim: "groups",
      claim_mappings: { email: "email", department: "dept" },
      oauth2_metadata: "access_token,id_token",
    });
    const { auth_url, state, poll_interval } = await authUrl({ client_nonce: "mine" });
    expect([state, poll_interval]).toEqual([undefined, undefined]);
    const url = new URL(auth_url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: clientId,
      redirect_uri: localRedirect,
      scope: "openid profile email",
      code_challenge_method: "S256",
    });
    const back = await new Person("bob").logIn(auth_url);
    const { auth } = await callback({ ...back, client_nonce: "mine" });
    expect(auth.policies).toEqual(["default", "staff"]);
    expect(auth.metadata).toMatchObject({ role: "staff", email: "bob@example.com", dept: "tools" });
    expect(auth.metadata.oauth2_access_token).toBeTypeOf("string");
    expect(auth.metadata.oauth2_id_token.split(".")).toHaveLength(3);
    await expect(callback({ ...back, client_nonce: "mine" })).rejects.toThrow("Expired or missing OAuth state.");
  });

  test("is for who began it", async () => {
    const { auth_url } = await authUrl({ client_nonce: "mine" });
    const back = await new Person("bob").logIn(auth_url);
    await expect(callback({ ...back, client_nonce: "other" })).rejects.toMatchObject({
      status: 400,
      message: "invalid client_nonce",
    });
    await expect(callback({ ...back, client_nonce: "mine" })).rejects.toThrow("Expired or missing");
  });

  test("ends in time", async () => {
    const { auth_url } = await authUrl();
    const back = await new Person("bob").logIn(auth_url);
    clock.now += 600_001;
    await expect(callback(back)).rejects.toThrow("Expired or missing OAuth state.");
  });

  test("asks the role about the claims", async () => {
    await role({ bound_claims: { department: "kitchen" } });
    const back = await new Person("bob").logIn((await authUrl()).auth_url);
    await expect(callback(back)).rejects.toThrow(
      'Strongroom login failed. error validating claims: claim "department" does not match',
    );
    await role({ bound_subject: "ann" });
    const again = await new Person("bob").logIn((await authUrl()).auth_url);
    await expect(callback(again)).rejects.toThrow("sub claim does not match bound subject");
  });

  test("takes no code of another login", async () => {
    const mine = await new Person("bob").logIn((await authUrl()).auth_url);
    const other = await new Person("eve").logIn((await authUrl()).auth_url);
    // PKCE binds the code to the login that it was asked for.
    await expect(callback({ ...mine, code: other["code"] })).rejects.toThrow("Error exchanging oidc code");
  });

  test("by a provider that takes the secret in the body", async () => {
    const other = await new TestProvider({ tokenAuth: "client_secret_post" }).start();
    await config({ oidc_discovery_url: other.issuer });
    const { auth } = await callback(await new Person("bob").logIn((await authUrl()).auth_url));
    expect(auth.policies).toContain("staff");
    await other.stop();
  });

  test.each([
    ["access_denied", "Strongroom login failed. access_denied"],
    [" Invalid_Scope ", "Strongroom login failed. invalid_scope"],
    ["<script>", "An unknown error occurred during OIDC authentication. Check server logs for details"],
  ])("tells of the provider's refusal %j", async (error, words) => {
    const { searchParams } = new URL((await authUrl()).auth_url);
    const attempt = callback({ state: searchParams.get("state"), error, error_description: "secret story" });
    await expect(attempt).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
  });

  test("with a form that the provider posts here", async () => {
    await config({ oidc_response_mode: "form_post" });
    const { auth_url } = await authUrl({ redirect_uri: webRedirect, client_nonce: "mine" });
    expect(new URL(auth_url).searchParams.get("redirect_uri")).toBe(postedRedirect);
    const form = await new Person("bob").logIn(auth_url);
    const taken = await page("write", form);
    expect(taken.text).toContain(`${webRedirect}?state=${form["state"]}&amp;code=no_code`);
    const { auth } = await callback({ state: form["state"], code: "no_code", client_nonce: "mine" });
    expect(auth.policies).toContain("staff");
  });

  test("with an ID token in place of a code", async () => {
    await config({ oidc_response_mode: "form_post", oidc_response_types: "id_token" });
    await role({ claim_mappings: { sub: "who" } });
    const { auth_url } = await authUrl({ redirect_uri: postedRedirect });
    const form = await new Person("bob").logIn(auth_url);
    expect(form["code"]).toBeUndefined();
    const { auth } = await callback({ state: form["state"], id_token: form["id_token"] });
    expect(auth.metadata).toEqual({ role: "staff", who: "bob" });
    const again = await authUrl({ redirect_uri: postedRedirect });
    const state = new URL(again.auth_url).searchParams.get("state");
    await expect(callback({ state, id_token: form["id_token"] })).rejects.toThrow("invalid ID token nonce");
  });

  test("takes no form where none is expected", async () => {
    await expect(caller.call("write", "auth/oidc/oidc/callback", { state: "x" }, "")).rejects.toMatchObject({
      status: 405,
    });
  });
});

describe("direct mode", () => {
  beforeEach(() => role({ callback_mode: "direct", poll_interval: 2 }));
  const begin = () => authUrl({ client_nonce: "mine" });

  test("asks the person to confirm, and gives the token to who polls", async () => {
    const { auth_url, state, poll_interval } = await begin();
    expect(poll_interval).toBe("2");
    const asked = { state, client_nonce: "mine" };
    await expect(poll(asked)).rejects.toMatchObject({ status: 400, message: "authorization_pending" });
    const back = await new Person("bob").logIn(auth_url);
    const question = await page("read", back);
    expect(question.status).toBe(200);
    expect(question.text).toContain("127.0.0.1");
    expect(question.headers).toMatchObject({ "x-frame-options": "DENY", "cache-control": "no-store" });
    expect(JSON.stringify(question.headers)).toContain("frame-ancestors 'none'");
    await expect(poll(asked)).rejects.toThrow("authorization_pending");
    // Who began the login knows its state, and not the code.
    expect((await page("read", { state, confirmation: "1" })).text).toContain("No code or id_token received.");
  });

  test("once confirmed, gives one token", async () => {
    const { auth_url, state } = await begin();
    const back = await new Person("bob").logIn(auth_url);
    const done = await page("read", { ...back, confirmation: "1" });
    expect([done.status, done.text.includes("You are logged in")]).toEqual([200, true]);
    const results = await Promise.allSettled([1, 2, 3].map(() => poll({ state, client_nonce: "mine" })));
    const given = results.filter(({ status }) => status === "fulfilled");
    expect(given).toHaveLength(1);
    expect(given[0]).toMatchObject({
      value: { auth: { policies: ["default", "staff"], metadata: { role: "staff" } } },
    });
  });

  test("without the question, if the role says so", async () => {
    await role({ callback_mode: "direct", oidc_disable_confirmation: true });
    const { auth_url, state, poll_interval } = await begin();
    expect(poll_interval).toBe("5");
    expect((await page("read", await new Person("bob").logIn(auth_url))).text).toContain("You are logged in");
    expect((await poll({ state, client_nonce: "mine" })).auth.policies).toContain("staff");
    await expect(poll({ state, client_nonce: "mine" })).rejects.toThrow("Expired or missing OAuth state.");
  });

  test("tells the person and the client of a failure", async () => {
    await role({ callback_mode: "direct", bound_claims: { department: "kitchen" } });
    const { auth_url, state } = await begin();
    const back = await new Person("bob").logIn(auth_url);
    const failed = await page("read", { ...back, confirmation: "1" });
    expect([failed.status, failed.text.includes("The login did not work")]).toEqual([400, true]);
    await expect(poll({ state, client_nonce: "mine" })).rejects.toThrow(
      "claim &quot;department&quot;".replaceAll("&quot;", '"'),
    );
  });

  test("with a form", async () => {
    await config({ oidc_response_mode: "form_post" });
    const { auth_url, state } = await authUrl({ redirect_uri: postedRedirect, client_nonce: "mine" });
    const form = await new Person("bob").logIn(auth_url);
    expect((await page("write", form)).text).toContain('method="post"');
    expect((await page("write", { ...form, confirmation: "1" })).text).toContain("You are logged in");
    expect((await poll({ state, client_nonce: "mine" })).auth.policies).toContain("staff");
  });

  test("needs a nonce, and the right one", async () => {
    await expect(authUrl()).rejects.toThrow("missing client_nonce");
    const { state } = await begin();
    await expect(poll({ state, client_nonce: "other" })).rejects.toThrow("invalid client_nonce");
    await expect(poll({ state, client_nonce: "mine" })).rejects.toThrow("Expired or missing OAuth state.");
  });
});

describe("device mode", () => {
  beforeEach(() => role({ callback_mode: "device", allowed_redirect_uris: "", groups_claim: "groups" }));

  test("waits until the person has typed the code in", async () => {
    const begun = (await caller.call("write", "auth/oidc/oidc/auth_url", { client_nonce: "mine" }, "")).data;
    expect(begun).toMatchObject({
      poll_interval: "5",
      state: expect.stringMatching(/^st_/),
      user_code: expect.stringMatching(/^\w{4}-\w{4}$/),
    });
    const asked = { state: begun.state, client_nonce: "mine" };
    await expect(poll(asked)).rejects.toMatchObject({ status: 400, message: "authorization_pending" });
    await new Person("bob").approveDevice(begun.auth_url);
    const { answer } = await caller.exchange("read", "auth/oidc/oidc/poll", asked, "");
    expect(answer).toBeInstanceOf(Authenticated);
    expect((answer as Authenticated).auth.policies).toContain("staff");
    await expect(poll(asked)).rejects.toThrow("Expired or missing OAuth state.");
  });
});

describe("the beginning", () => {
  test.each<[string, object, object, string]>([
    [
      "an address that the role does not name",
      {},
      { redirect_uri: "https://eve.example/callback" },
      "unauthorized redirect_uri",
    ],
    [
      "another path on the same machine",
      {},
      { redirect_uri: "http://localhost:8250/other" },
      "unauthorized redirect_uri",
    ],
    ["no address", {}, { redirect_uri: "" }, "missing redirect_uri"],
    ["an unknown role", {}, { role: "nobody" }, 'role "nobody" could not be found'],
  ])("refuses %s", async (_, settings, more, words) => {
    await role(settings);
    await expect(authUrl(more)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
  });

  test("refuses a role for tokens, and a mount without a client", async () => {
    await role({ role_type: "jwt", bound_audiences: "x" }, "tokens");
    await expect(authUrl({ role: "tokens" })).rejects.toThrow("role with jwt role_type is not allowed");
    await config({ oidc_client_id: "", oidc_client_secret: "" });
    await expect(authUrl()).rejects.toThrow("OIDC login is not configured for this mount");
  });

  test("takes any port on the person's own machine", async () => {
    expect((await authUrl({ redirect_uri: "http://localhost:61234/oidc/callback" })).auth_url).toContain("61234");
  });

  test("sends max_age, and then wants to know when the person logged in", async () => {
    await role({ max_age: "1h" });
    const { auth_url } = await authUrl();
    expect(new URL(auth_url).searchParams.get("max_age")).toBe("3600");
    expect((await callback(await new Person("bob").logIn(auth_url))).auth.policies).toContain("staff");
  });

  test("leaves the namespace out of the redirect URI", async () => {
    const { auth_url } = await authUrl({ redirect_uri: `${localRedirect}?namespace=team` });
    expect(new URL(auth_url).searchParams.get("redirect_uri")).toBe(localRedirect);
  });

  test("carries the namespace in the state, unless told otherwise", async () => {
    await caller.call("write", "sys/namespaces/team", {});
    await caller.call("write", "team/sys/auth/oidc", { type: "oidc" });
    const settings = {
      oidc_discovery_url: provider.issuer,
      oidc_client_id: clientId,
      oidc_client_secret: clientSecret,
      default_role: "staff",
    };
    const begin = async (more: object) => {
      await caller.call("write", "team/auth/oidc/config", { ...settings, ...more });
      const { data } = await caller.call("write", "team/auth/oidc/oidc/auth_url", { redirect_uri: localRedirect }, "");
      return data.auth_url;
    };
    await caller.call("write", "team/auth/oidc/role/staff", {
      user_claim: "sub",
      allowed_redirect_uris: localRedirect,
      token_policies: "staff",
    });
    expect(new URL(await begin({ namespace_in_state: false })).searchParams.get("state")).toMatch(/^st_\w{20}$/);
    const url = await begin({ namespace_in_state: true });
    expect(new URL(url).searchParams.get("state")).toMatch(/^st_\w{20},ns=team$/);
    const back = await new Person("bob").logIn(url);
    // The state of one mount is unknown to another.
    await expect(callback(back)).rejects.toThrow("Expired or missing OAuth state.");
    const { auth } = await caller.call("read", "team/auth/oidc/oidc/callback", back, "");
    expect(auth.policies).toContain("staff");
  });
});
