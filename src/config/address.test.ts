import { describe, expect, it } from "vitest";
import { normalListenAddress, parseListenAddress } from "./address.ts";

describe("parseListenAddress", () => {
  it.each([
    ["127.0.0.1:8200", "127.0.0.1", 8200],
    ["0.0.0.0:0", "0.0.0.0", 0],
    [":8200", "", 8200],
    ["[::1]:8200", "::1", 8200],
    ["[::]:65535", "::", 65535],
    ["[fe80::1%eth0]:8200", "fe80::1%eth0", 8200],
    ["localhost:8200", "localhost", 8200],
    ["vault-0.vault_internal.example.com:443", "vault-0.vault_internal.example.com", 443],
  ])("reads %s", (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ host, port });
  });

  it.each([
    [""],
    ["8200"],
    ["127.0.0.1"],
    ["127.0.0.1:"],
    ["127.0.0.1:http"],
    ["127.0.0.1:65536"],
    ["127.0.0.1:-1"],
    ["127.0.0.1: 8200"],
    ["300.0.0.1:8200"],
    ["1.2.3:8200"],
    ["::1:8200"],
    ["[::1]"],
    ["[::1:8200"],
    ["[localhost]:8200"],
    ["http://127.0.0.1:8200"],
    ["local host:8200"],
    ["-x:8200"],
    ["{{ GetPrivateIP }}:8200"],
    [`${"a".repeat(300)}:8200`],
  ])("refuses %s", (text) => {
    expect(() => parseListenAddress(text)).toThrow(
      `${JSON.stringify(text)} is not an address to listen on: give host and port, such as "127.0.0.1:8200" or "[::1]:8200"`,
    );
  });
});

describe("normalListenAddress", () => {
  it.each([
    ["127.0.0.1:8200", "127.0.0.1:8200"],
    [":8200", "*:8200"],
    ["0.0.0.0:8200", "*:8200"],
    ["[::]:8200", "*:8200"],
    ["LocalHost:8200", "localhost:8200"],
  ])("of %s is %s", (text, normal) => {
    expect(normalListenAddress(parseListenAddress(text))).toBe(normal);
  });
});
