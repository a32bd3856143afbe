import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanPath } from "./request-path.ts";

describe("a path is taken as it is, with its escapes decoded", () => {
  it.each([
    ["/", "/"],
    ["/v1/secret/data/a", "/v1/secret/data/a"],
    ["/v1/secret/", "/v1/secret/"],
    ["/v1/a%20b", "/v1/a b"],
    ["/v1/a%2fb", "/v1/a/b"],
    ["/v1/a%2Fb%2f", "/v1/a/b/"],
    ["/v1/caf%C3%A9", "/v1/café"],
    ["/v1/%E2%82%AC", "/v1/€"],
    ["/v1/a+b", "/v1/a+b"],
    ["/v1/100%25", "/v1/100%"],
    ["/v1/%252e%252e", "/v1/%2e%2e"], // decoded once, not twice
    ["/.well-known/x", "/.well-known/x"],
    ["/v1/a..b/...", "/v1/a..b/..."],
    ["/v1/%2ehidden", "/v1/.hidden"],
    ["/v1/a%5Cb", "/v1/a\\b"],
  ])("%s means %s", (raw, path) => {
    expect(cleanPath(raw)).toEqual({ path });
  });
});

describe("a detour is redirected to the clean spelling", () => {
  it.each([
    ["//", "/"],
    ["//v1/a", "/v1/a"],
    ["/v1//a", "/v1/a"],
    ["/v1///a//", "/v1/a/"],
    ["/v1/./a", "/v1/a"],
    ["/v1/a/.", "/v1/a"],
    ["/v1/a/./", "/v1/a/"],
    ["/v1/b/../a", "/v1/a"],
    ["/v1/a/..", "/v1"],
    ["/../../etc/passwd", "/etc/passwd"],
    ["/v1//a%2fb%20c", "/v1/a%2fb%20c"], // escapes stay escapes
    ["//evil.example/x", "/evil.example/x"], // never to another server
    ["/.//evil.example/x", "/evil.example/x"],
    ["/./\\evil.example", "/%5Cevil.example"],
  ])("%s to %s", (raw, redirect) => {
    expect(cleanPath(raw)).toEqual({ redirect });
  });
});

describe("what is refused", () => {
  it.each([
    ["/v1/%2e%2e/sys", "relative paths not supported"],
    ["/v1/%2E%2e", "relative paths not supported"],
    ["/v1/.%2e/sys", "relative paths not supported"],
    ["/v1/%2e/sys", "relative paths not supported"],
    ["/v1%2f..%2fsys", "relative paths not supported"],
    ["/v1/a%2f%2fb", "empty segment"],
    ["/v1/a/%2fb", "empty segment"],
    ["/v1/a%00b", "cannot be printed"],
    ["/v1/a%0ab", "cannot be printed"],
    ["/v1/a%7f", "cannot be printed"],
    ["/v1/a%C2%85", "cannot be printed"], // a control character of Latin-1
    ["/v1/a%E2%80%AE", "cannot be printed"], // right-to-left override
    ["/v1/a%E2%80%A8", "cannot be printed"], // line separator
    ["/v1/%", "escape"],
    ["/v1/%4", "escape"],
    ["/v1/%zz", "escape"],
    ["/v1/%ff", "escape"],
    ["/v1/%C0%AF", "escape"], // an overlong slash
    ["/v1/%ED%A0%80", "escape"], // a lone surrogate
    ["", "starts with /"],
    ["*", "starts with /"],
    ["v1/a", "starts with /"],
  ])("%s: %s", (raw, message) => {
    expect(() => cleanPath(raw)).toThrow(message);
  });
});

describe("for any path", () => {
  const piece = fc.constantFrom("/", ".", "..", "%2e", "%2f", "a", "b", "%20", "\\", "v1");
  const anyPath = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`);

  it("a redirect leads to a path that is not redirected again and stays on this server", () => {
    fc.assert(
      fc.property(anyPath, (raw) => {
        const { redirect } = attempt(raw);
        if (redirect === undefined) return;
        expect(redirect).toMatch(/^\/([^/\\]|$)/);
        expect(attempt(redirect).redirect).toBeUndefined();
      }),
    );
  });

  it("an accepted path has no relative and no empty segment", () => {
    fc.assert(
      fc.property(anyPath, (raw) => {
        const { path } = attempt(raw);
        if (path === undefined) return;
        const inner = path.slice(1).split("/").slice(0, -1);
        expect(inner).not.toContain("");
        expect(path.split("/")).not.toContain("..");
        expect(path.split("/")).not.toContain(".");
      }),
    );
  });

  function attempt(raw: string): { path?: string | undefined; redirect?: string | undefined } {
    try {
      return cleanPath(raw);
    } catch {
      return {};
    }
  }
});
