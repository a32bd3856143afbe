import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { authority, type Issued, issue, noOpenssl } from "../../../test/support/issued-certificates.ts";
import type { Login } from "../../api/reply.ts";
import { jwt } from "./engine.ts";
import { jwkOf, KeyServer, rsaPair, signToken } from "./issuer-fixture.suite.ts";

if (noOpenssl) console.warn(`private authorities are not tested: ${noOpenssl}`);

describe.skipIf(noOpenssl)("an issuer whose certificate a private authority signed", () => {
  let root: Issued;
  let stranger: Issued;
  let byAddress: KeyServer;
  let byName: KeyServer;
  let caller: EngineCaller;

  beforeAll(async () => {
    root = issue({ subject: "/CN=private root", extensions: authority });
    stranger = issue({ subject: "/CN=another root", extensions: authority });
    const server = (name: string) => {
      const { pem, key } = issue({ subject: "/CN=server", extensions: [`subjectAltName=${name}`], issuer: root });
      return new KeyServer({ cert: pem, key }).start();
    };
    byAddress = await server("IP:127.0.0.1");
    byName = await server("DNS:keys.example");
    for (const each of [byAddress, byName]) each.keys = [jwkOf(rsaPair)];
  });
  afterAll(() => Promise.all([byAddress.stop(), byName.stop()]));
  beforeEach(() => {
    caller = callerOf(jwt);
  });

  const fields = [
    ["jwks_url", "jwks_ca_pem"],
    ["oidc_discovery_url", "oidc_discovery_ca_pem"],
  ] as const;

  test.each(fields)("%s is trusted by %s, and by nothing else", async (url, ca) => {
    const write = (more: object) => caller.call("write", "config", { [url]: byAddress.url, ...more });
    await expect(write({})).rejects.toMatchObject({ status: 400 });
    await expect(write({ [ca]: stranger.pem })).rejects.toMatchObject({ status: 400 });
    await write({ [ca]: `${stranger.pem}\n${root.pem}` });
    await caller.call("write", "role/ci", { role_type: "jwt", user_claim: "sub", bound_subject: "bob" });
    const token = signToken({ sub: "bob", iat: caller.now / 1000 });
    const { data } = await caller.call("write", "login", { role: "ci", jwt: token });
    expect((data as Login).grant.displayName).toBe("bob");
  });

  test.each(fields)("%s may have another name, if the configuration says which", async (url, ca) => {
    const write = (more: object) => caller.call("write", "config", { [url]: byName.url, [ca]: root.pem, ...more });
    await expect(write({})).rejects.toMatchObject({ status: 400 });
    await expect(write({ override_allowed_server_names: "other.example" })).rejects.toMatchObject({ status: 400 });
    expect((await write({ override_allowed_server_names: "other.example,keys.example" })).status).toBe(204);
  });
});
