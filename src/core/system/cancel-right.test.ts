import { beforeEach, describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { KernelCaller } from "../../../test/support/kernel-caller.ts";

let server: KernelCaller;
beforeEach(async () => {
  server = await new KernelCaller(engines).initialize();
});

/** A token that may do what these rules say. */
async function tokenWith(rules: string, settings: object = {}): Promise<string> {
  await server.call("write", "sys/policies/acl/operator", { policy: rules });
  return (await server.call("write", "auth/token/create", { policies: ["operator"], ...settings })).auth.client_token;
}

describe.each([
  { open: "sys/generate-root/attempt", authenticated: "sys/generate-root-token/attempt", start: {} },
  { open: "sys/rekey/init", authenticated: "sys/rotate/root/init", start: { secret_shares: 1, secret_threshold: 1 } },
])("$open", ({ open, authenticated, start }) => {
  const isStarted = async () => (await server.call("read", open, {}, "")).data.started;
  const cancel = (body: object, token: string) => server.call("delete", open, body, token);
  const rule = `path "${authenticated}" { capabilities = ["delete"] }`;
  let nonce: string;
  beforeEach(async () => {
    nonce = (await server.call("write", open, start, "")).data.nonce;
    expect(await isStarted()).toBe(true);
  });

  it.each([
    { who: "nobody with the nonce", body: () => ({ nonce }), token: async () => "" },
    { who: "a dead token with the nonce", body: () => ({ nonce }), token: async () => "s.gone" },
    { who: "a root token", body: () => ({}), token: async () => server.rootToken },
    { who: "a token that may cancel where tokens are asked for", body: () => ({}), token: () => tokenWith(rule) },
  ])("is canceled by $who", async ({ body, token }) => {
    await cancel(body(), await token());
    expect(await isStarted()).toBe(false);
  });

  it.each([
    { who: "nobody without the nonce", body: {}, token: async () => "" },
    { who: "nobody with a wrong nonce", body: { nonce: "x" }, token: async () => "" },
    { who: "a root token with a wrong nonce", body: { nonce: "x" }, token: async () => server.rootToken },
    { who: "a dead token", body: {}, token: async () => "s.gone" },
    { who: "a token that may not", body: {}, token: () => tokenWith(`path "${open}" { capabilities = ["delete"] }`) },
    { who: "a token whose uses are counted", body: {}, token: () => tokenWith(rule, { num_uses: 3 }) },
  ])("is not canceled by $who", async ({ body, token }) => {
    await expect(cancel(body, await token())).rejects.toThrow("incorrect nonce");
    expect(await isStarted()).toBe(true);
  });
});
