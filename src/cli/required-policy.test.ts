import { describe, expect, it } from "vitest";
import { clientFor, deserted, serve } from "../client/server-fixture.suite.ts";
import { requiredPolicy } from "./required-policy.ts";

const sudo = { "x-service-sudo": true };
const document = {
  paths: {
    "/sys/seal": { post: sudo },
    "/sys/auth/{path}": { get: {}, post: sudo },
    "/sys/auth/{path}/tune": { post: {} },
    "/secret/{path}": { get: {} },
  },
};

const capabilities = (method: string, target: string, address: string): Promise<string> =>
  requiredPolicy({ method, target, headers: {}, body: undefined }, clientFor(address, { maxRetries: 0 }));

const describing = () =>
  serve((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });

describe("requiredPolicy", () => {
  it.each([
    ["GET", "/v1/secret/data/a%20b", 'path "secret/data/a b"', '["read"]'],
    ["GET", "/v1/secret/a?list=true", 'path "secret/a/"', '["list"]'],
    ["GET", "/v1/secret/a/?scan=true", 'path "secret/a/"', '["scan"]'],
    ["PUT", "/v1/secret/a", 'path "secret/a"', '["create", "update"]'],
    ["PATCH", "/v1/secret/a", 'path "secret/a"', '["patch"]'],
    ["DELETE", "/v1/secret/a", 'path "secret/a"', '["delete"]'],
    ["PUT", "/v1/sys/seal", 'path "sys/seal"', '["create", "update", "sudo"]'],
    ["POST", "/v1/sys/auth/team/ldap", 'path "sys/auth/team/ldap"', '["create", "update", "sudo"]'],
    ["GET", "/v1/sys/auth/ldap", 'path "sys/auth/ldap"', '["read"]'],
    ["POST", "/v1/sys/auth/ldap/tune", 'path "sys/auth/ldap/tune"', '["create", "update"]'],
    ["PUT", "/prefix/v1/sys/seal", 'path "sys/seal"', '["create", "update", "sudo"]'],
  ])("%s %s", async (method, target, path, list) => {
    const policy = await capabilities(method, target, await describing());
    expect(policy).toBe(`${path} {\n  capabilities = ${list}\n}\n`);
  });

  it("does without the server", async () => {
    expect(await capabilities("PUT", "/v1/sys/seal", await deserted())).toContain('["create", "update"]');
  });
});
