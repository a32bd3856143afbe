import { describe, expect, it } from "vitest";
import { connectionFlags } from "./client-flags.ts";
import { curlCommand } from "./curl.ts";
import { parseFlags } from "./flags.ts";

const request = {
  method: "GET",
  target: "/v1/a",
  headers: { "X-Service-Token": "s.secret", "X-One": "$(rm)" },
  body: undefined,
};
const line = { method: "GET", url: "http://localhost/v1/a?list=true", namespace: undefined };

const written = (...words: string[]): string => curlCommand(request, line, parseFlags(connectionFlags, words).values);

describe("curlCommand", () => {
  it("leaves the token to the shell, and nothing else", () => {
    expect(written()).toBe(
      `curl -H "X-Service-Token: $(strongroom print token)" -H 'X-One: $(rm)' 'http://localhost/v1/a?list=true'`,
    );
  });

  it.each([
    ["-ca-cert=my ca", "--cacert 'my ca'"],
    ["-ca-path=folder", "--capath 'folder'"],
    ["-client-cert=c", "--cert 'c'"],
    ["-client-key=k", "--key 'k'"],
    ["-tls-skip-verify", "--insecure"],
    ["-address=unix:///run/s", "--unix-socket '/run/s'"],
  ])("%s", (word, expected) => expect(written(word)).toContain(` ${expected} `));
});
