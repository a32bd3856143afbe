import { expect, test } from "vitest";
import { isAllowedRedirect, withoutParameter } from "./redirect-uri.ts";

const allowed = [
  "https://app.example/callback?x=1",
  "http://localhost:8250/oidc/callback",
  "http://127.0.0.1/cb",
  "http://[::1]:1/cb",
];

test.each<[string, boolean]>([
  ["https://app.example/callback?x=1", true],
  ["https://app.example/callback", false],
  ["https://app.example:444/callback?x=1", false],
  ["https://APP.example/callback?x=1", false],
  ["http://localhost:8250/oidc/callback", true],
  ["http://localhost:9999/oidc/callback", true],
  ["http://localhost/oidc/callback", true],
  ["https://localhost:8250/oidc/callback", false],
  ["http://localhost:8250/oidc/callback?more=1", false],
  ["http://localhost:8250/oidc/callback/../../x", false],
  ["http://localhost.evil.example:8250/oidc/callback", false],
  ["http://localhost:8250@evil.example/oidc/callback", false],
  ["http://127.0.0.1:5555/cb", true],
  ["http://127.0.0.2:5555/cb", false],
  ["http://[::1]:5555/cb", true],
  ["javascript:alert(1)", false],
  ["", false],
])("%s: %s", (uri, expected) => {
  expect(isAllowedRedirect(uri, allowed)).toBe(expected);
});

test.each([
  ["http://x/cb?namespace=a", "http://x/cb"],
  ["http://x/cb?a=1&namespace=b&c=2", "http://x/cb?a=1&c=2"],
  ["http://x/cb?namespaces=a", "http://x/cb?namespaces=a"],
  ["http://x/cb", "http://x/cb"],
])("%s without its namespace", (uri, expected) => {
  expect(withoutParameter(uri, "namespace")).toBe(expected);
});
