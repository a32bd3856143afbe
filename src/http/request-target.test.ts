import { expect, it } from "vitest";
import { splitTarget } from "./request-target.ts";

it.each([
  ["/a", "/a", ""],
  ["/a?", "/a", ""],
  ["/a?b?c", "/a", "b?c"],
  ["/?q", "/", "q"],
  ["http://a/b?c", "/b", "c"],
  ["HTTPS://a:8200", "/", ""],
  ["http://a?q", "/", "q"],
  ["*", "*", ""],
  ["", "", ""],
  ["/a%zz", "/a%zz", ""],
  // HTTP/2 lets through bytes that HTTP/1.1 refuses
  ["/caf\xc3\xa9?\xc3\xa9", "/caf%C3%A9", "%C3%A9"],
  ["/a b\x7f\x01", "/a%20b%7F%01", ""],
  ["/\u{1f600}\ud800", "/%EF%BF%BD%EF%BF%BD", ""],
])("%j has the path %s and the query %j", (target, rawPath, query) => {
  expect(splitTarget(target)).toEqual({ rawPath, query });
});
