import { describe, expect, it } from "vitest";
import type { CorsSettings } from "../core/cors/cors-settings.ts";
import { type CorsQuestion, decideCors } from "./cors.ts";

const settings: CorsSettings = {
  enabled: true,
  allowed_origins: ["https://app.example"],
  allowed_headers: ["X-Custom"],
  allow_credentials: false,
};
const get: CorsQuestion = { method: "GET", origin: "https://app.example", requestMethod: undefined };
const preflight: CorsQuestion = { ...get, method: "OPTIONS", requestMethod: "POST" };
const allowed = { "access-control-allow-origin": "https://app.example", vary: "Origin" };

describe("a request from a page", () => {
  it.each<[string, Partial<CorsSettings>, CorsQuestion, object]>([
    ["is not looked at while CORS is off", { enabled: false }, get, { kind: "unaffected" }],
    ["without an origin is not looked at", {}, { ...get, origin: undefined }, { kind: "unaffected" }],
    ["with an empty origin is not looked at", {}, { ...get, origin: "" }, { kind: "unaffected" }],
    ["from an allowed origin gets its headers", {}, get, { kind: "allowed", headers: allowed }],
    [
      "from elsewhere is refused",
      {},
      { ...get, origin: "https://app.example.evil.example" },
      { kind: "refused", status: 403, errors: ["origin not allowed"] },
    ],
    ["is refused when nobody is allowed", { allowed_origins: [] }, get, { kind: "refused", status: 403 }],
    ["from anywhere is allowed by *", { allowed_origins: ["*"] }, get, { kind: "allowed", headers: allowed }],
    [
      "may carry credentials if configured",
      { allow_credentials: true },
      get,
      { kind: "allowed", headers: { ...allowed, "access-control-allow-credentials": "true" } },
    ],
    [
      "may not carry credentials from everywhere",
      { allow_credentials: true, allowed_origins: ["*"] },
      get,
      { kind: "allowed", headers: allowed },
    ],
  ])("%s", (_, change, question, expected) => {
    expect(decideCors({ ...settings, ...change }, question)).toMatchObject(expected);
  });
});

describe("a preflight", () => {
  it("says what is allowed", () => {
    const decision = decideCors(settings, preflight);
    expect(decision).toMatchObject({
      kind: "preflight",
      headers: {
        ...allowed,
        "access-control-allow-methods": "DELETE,GET,OPTIONS,PATCH,POST,PUT,LIST,SCAN",
        "access-control-max-age": "300",
      },
    });
    const names = decision.kind === "preflight" && decision.headers["access-control-allow-headers"]?.split(",");
    expect(names).toEqual(expect.arrayContaining(["Content-Type", "X-Service-Token", "X-Vault-Token", "X-Custom"]));
  });

  it.each(["GET", "POST", "PUT", "DELETE", "PATCH", "LIST", "SCAN", "OPTIONS"])("for %s is answered", (method) => {
    expect(decideCors(settings, { ...preflight, requestMethod: method }).kind).toBe("preflight");
  });

  it.each(["TRACE", "CONNECT", "get", "", undefined])("for %s is refused", (method) => {
    const decision = decideCors(settings, { ...preflight, requestMethod: method });
    expect(decision).toEqual({ kind: "refused", status: 405, errors: [] });
  });

  it("from elsewhere is refused before its method is looked at", () => {
    const question = { ...preflight, origin: "https://evil.example", requestMethod: "TRACE" };
    expect(decideCors(settings, question)).toMatchObject({ status: 403 });
  });
});
