import { describe, expect, test } from "vitest";
import { clusterPath } from "../../../../test/support/acme-authority.ts";
import { acmeServer, client, stranger } from "../../../../test/support/acme-server.ts";

/** The six rows of the interface documents, and who is shown the door. */

const rows: [path: string, settings: object][] = [
  ["acme", { default_directory_policy: "sign-verbatim" }],
  ["acme", { default_directory_policy: "role:web" }],
  ["issuer/first/acme", { default_directory_policy: "sign-verbatim" }],
  ["issuer/second/acme", { default_directory_policy: "role:web" }],
  ["roles/web/acme", { default_directory_policy: "forbid" }],
  ["issuer/first/roles/web/acme", { default_directory_policy: "forbid" }],
];

describe("a directory", () => {
  test.each(rows)("%s with %j", async (path, settings) => {
    const server = await acmeServer({ settings });
    const answer = await stranger(server, path).get("directory");
    const url = (rest: string) => `${clusterPath}/${path}/${rest}`;
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    expect(answer.body).toEqual({
      newNonce: url("new-nonce"),
      newAccount: url("new-account"),
      newOrder: url("new-order"),
      revokeCert: url("revoke-cert"),
      keyChange: url("key-change"),
      renewalInfo: url("renewal-info"),
      meta: { externalAccountRequired: false },
    });
    expect((await client(server, path)).kid).toMatch(url("account/"));
  });

  test.each([
    ["acme", { enabled: false }, 404],
    ["roles/web/acme", { enabled: false }, 404],
    ["acme", { default_directory_policy: "forbid" }, 404],
    ["issuer/first/acme", { default_directory_policy: "forbid" }, 404],
    ["roles/nobody/acme", {}, 400],
    ["issuer/nobody/acme", {}, 400],
    ["issuer/keyless/acme", {}, 403],
    ["roles/transient/acme", {}, 403],
    ["roles/any/acme", { allowed_roles: "web" }, 403],
    ["issuer/second/acme", { allowed_issuers: "first" }, 403],
    ["issuer/second/roles/web/acme", { allowed_issuers: "first" }, 403],
    // A role's own issuer is the operator's choice already, and so is the default.
    ["roles/web/acme", { allowed_issuers: "first" }, 200],
    ["acme", { allowed_issuers: "second" }, 200],
    ["issuer/default/acme", { allowed_issuers: "first" }, 200],
  ])("%s with %j is %i", async (path, settings, status) => {
    const server = await acmeServer({ settings });
    for (const rest of ["directory", "new-nonce"]) {
      const answer = await stranger(server, path).get(rest);
      expect(answer.status === 204 ? 200 : answer.status, rest).toBe(status);
    }
    const posted = await stranger(server, path).post("new-account", {}, { nonce: "x" });
    expect(posted.status).toBe(status === 200 ? 400 : status);
  });

  test("gives nonces that nobody may keep", async () => {
    const acme = stranger(await acmeServer());
    for (const [operation, status] of [
      ["head", 200],
      ["read", 204],
    ] as const) {
      const answer = await acme.get("new-nonce", operation);
      expect(answer).toMatchObject({
        status,
        body: "",
        headers: { "replay-nonce": expect.stringMatching(/^[\w-]+$/) },
      });
    }
  });

  test("says that a binding is needed, and names of CAA", async () => {
    const settings = { eab_policy: "new-account-required", caa_identities: "ca.test" };
    const { body } = await stranger(await acmeServer({ settings })).get("directory");
    expect(body.meta).toEqual({ externalAccountRequired: true, caaIdentities: ["ca.test"] });
    const forced = await stranger(await acmeServer({ isPublicAcmeDisabled: true })).get("directory");
    expect(forced.body.meta).toEqual({ externalAccountRequired: true });
  });
});

describe("config/acme", () => {
  const usual = {
    enabled: false,
    allowed_issuers: ["*"],
    allowed_roles: ["*"],
    allow_role_ext_key_usage: false,
    default_directory_policy: "sign-verbatim",
    dns_resolver: "",
    eab_policy: "not-required",
  };

  test("has the defaults of the documents, and changes only what is given", async () => {
    const server = await acmeServer({ settings: { enabled: false } });
    expect((await server.call("read", "pki/config/acme")).data).toMatchObject(usual);
    const { data } = await server.call("write", "pki/config/acme", {
      allowed_roles: "web,any",
      dns_resolver: "10.0.0.53:53",
    });
    expect(data).toMatchObject({ ...usual, allowed_roles: ["web", "any"], dns_resolver: "10.0.0.53:53" });
    expect((await server.call("read", "pki/config/acme")).data).toEqual(data);
  });

  test.each([
    [{ default_directory_policy: "anything" }, "invalid default_directory_policy"],
    [{ default_directory_policy: "role:" }, "invalid default_directory_policy"],
    [{ default_directory_policy: "role:web", allowed_roles: ["any"] }, "was not specified in allowed_roles"],
    [{ default_directory_policy: "role:nobody" }, "role does not exist"],
    [{ allowed_roles: ["transient"] }, "no_store"],
    [{ allowed_roles: ["*", "web"] }, "cannot use '*' as role name"],
    [{ allowed_roles: [] }, "non-zero length"],
    [{ allowed_issuers: ["nobody"] }, "unable to find issuer: nobody"],
    [{ allowed_issuers: [] }, "non-zero length"],
    [{ eab_policy: "sometimes" }, "valid values are 'not-required', 'new-account-required', 'always-required'"],
    [{ dns_resolver: "dns.example.com:53" }, "failed to parse DNS resolver address"],
    [{ dns_resolver: "10.0.0.53:0" }, "failed to parse DNS resolver address"],
    [{ dns_resolver: "1.2.3:53" }, "failed to parse DNS resolver address"],
    [{ validation_denied_cidrs: ["10.0.0.0/99"] }, "prefix"],
    [{ max_ttl: 0 }, "max_ttl"],
    [{ order_limit: -1 }, "order_limit"],
    [{ enabled: "perhaps" }, "expected a boolean"],
  ])("refuses %j", async (settings, words) => {
    const server = await acmeServer();
    await expect(server.call("write", "pki/config/acme", settings)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(words),
    });
  });

  test.each(["10.0.0.53", "10.0.0.53:53", "[fd00::53]:5353", "fd00::53"])(
    "takes the resolver %s",
    async (dns_resolver) => {
      const server = await acmeServer({ settings: { dns_resolver } });
      expect((await server.call("read", "pki/config/acme")).data).toMatchObject({ dns_resolver });
    },
  );

  test("warns where the server goes before it", async () => {
    const server = await acmeServer({ isPublicAcmeDisabled: true });
    const { warnings } = await server.call("write", "pki/config/acme", { enabled: true });
    expect(warnings).toEqual([expect.stringContaining("requires external account bindings")]);
  });
});
