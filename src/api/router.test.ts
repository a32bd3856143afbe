import { describe, expect, test } from "vitest";
import { text } from "./fields.ts";
import { pathsFor } from "./path.ts";
import { Router } from "./router.ts";

const path = pathsFor<undefined>();
const read = { summary: "Read", handler: async () => undefined };
const params = { name: text("Name"), path: text("Path"), role: text("Role"), issuer: text("Issuer") };

const router = new Router([
  path({ pattern: "roles/:name", summary: "", params, read }),
  path({ pattern: "roles/:role/acme/directory", summary: "", params, read }),
  path({ pattern: ["acme/directory", "issuer/:issuer/roles/:role/acme/directory"], summary: "", params, read }),
  path({ pattern: "roles/default", summary: "", read }),
  path({ pattern: "data/:path*", summary: "", params, read }),
  path({ pattern: "mounts/:path*", summary: "", params, read }),
  path({ pattern: "mounts/:path*/tune", summary: "", params, read }),
  path({ pattern: "", summary: "", read }),
]);

describe("finds the most fixed pattern", () => {
  test.each([
    ["roles/web", "roles/:name", { name: "web" }],
    ["roles/default", "roles/default", {}],
    ["roles/web/acme/directory", "roles/:role/acme/directory", { role: "web" }],
    ["roles/default/acme/directory", "roles/:role/acme/directory", { role: "default" }],
    ["issuer/a/roles/b/acme/directory", "issuer/:issuer/roles/:role/acme/directory", { issuer: "a", role: "b" }],
    ["acme/directory", "acme/directory", {}],
    ["data/a/b/c", "data/:path*", { path: "a/b/c" }],
    ["data/a/", "data/:path*", { path: "a/" }],
    ["data/__proto__", "data/:path*", { path: "__proto__" }],
    ["mounts/auth/jwt", "mounts/:path*", { path: "auth/jwt" }],
    ["mounts/auth/jwt/tune", "mounts/:path*/tune", { path: "auth/jwt" }],
    ["mounts/tune", "mounts/:path*", { path: "tune" }],
    ["", "", {}],
  ])("%s", (url, pattern, params) => {
    const match = router.match(url);
    expect(match?.route.pattern).toBe(pattern);
    expect({ ...match?.params }).toEqual(params);
  });

  test.each(["roles", "roles/", "roles/a/b", "constructor", "__proto__", "data", "acme/directory/", "nope"])(
    "nothing at %j",
    (url) => {
      expect(router.match(url)).toBeUndefined();
    },
  );
});

test("two declarations cannot claim one path", () => {
  const twice = [path({ pattern: "a/:name", summary: "", params }), path({ pattern: "a/:path", summary: "", params })];
  expect(() => new Router(twice)).toThrow("two declarations claim the path a/:path");
});
