import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authority, type Issued, issue, noOpenssl } from "../../../../test/support/issued-certificates.ts";
import { KernelCaller } from "../../../../test/support/kernel-caller.ts";
import { oidc } from "../engine.ts";
import { clientId, clientSecret, localRedirect, Person, TestProvider } from "./provider-fixture.suite.ts";

if (noOpenssl) console.warn(`a provider with a private authority is not tested: ${noOpenssl}`);

describe.skipIf(noOpenssl)("a provider whose certificate a private authority signed", () => {
  const before = tls.getCACertificates();
  let root: Issued;
  let provider: TestProvider;
  let caller: KernelCaller;

  beforeAll(async () => {
    root = issue({ subject: "/CN=private root", extensions: authority });
    const { pem, key } = issue({ subject: "/CN=op", extensions: ["subjectAltName=DNS:localhost"], issuer: root });
    provider = await new TestProvider({ tls: { cert: pem, key } }).start();
    caller = await new KernelCaller([oidc], undefined, { now: Date.now() }).initialize();
    await caller.call("write", "sys/auth/oidc", { type: "oidc" });
  });

  afterAll(async () => {
    tls.setDefaultCACertificates(before);
    await provider.stop();
  });

  const config = (more: object) =>
    caller.call("write", "auth/oidc/config", {
      oidc_discovery_url: provider.issuer,
      oidc_client_id: clientId,
      oidc_client_secret: clientSecret,
      ...more,
    });

  test("lets people in once the authority is configured", async () => {
    await expect(config({})).rejects.toThrow("error checking oidc discovery URL");
    await config({ oidc_discovery_ca_pem: root.pem });
    const role = { user_claim: "sub", allowed_redirect_uris: localRedirect, token_policies: "staff" };
    await caller.call("write", "auth/oidc/role/staff", role);
    const body = { role: "staff", redirect_uri: localRedirect };
    const { data } = await caller.call("write", "auth/oidc/oidc/auth_url", body, "");
    // The browser trusts the authority, as the person's machine was told to.
    tls.setDefaultCACertificates([...before, root.pem]);
    const back = await new Person("bob").logIn(data.auth_url);
    tls.setDefaultCACertificates(before);
    const { auth } = await caller.call("read", "auth/oidc/oidc/callback", back, "");
    expect(auth.policies).toEqual(["default", "staff"]);
  });
});
