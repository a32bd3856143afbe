import { describe, expect, it } from "vitest";
import { AddressError, parseAddress } from "./address.ts";

describe("parseAddress", () => {
  it.each([
    ["http://127.0.0.1:8200", "http://127.0.0.1:8200", ""],
    ["https://vault.example.com", "https://vault.example.com", ""],
    ["https://vault.example.com:443/", "https://vault.example.com", ""],
    ["https://example.com/secrets/", "https://example.com", "/secrets"],
    ["http://[::1]:8200", "http://[::1]:8200", ""],
  ])("%s", (text, origin, prefix) => {
    expect(parseAddress(text)).toMatchObject({ origin, prefix, socketPath: undefined });
  });

  it("takes a Unix socket", () => {
    expect(parseAddress("unix:///run/strongroom.sock")).toMatchObject({
      protocol: "http:",
      socketPath: "/run/strongroom.sock",
    });
  });

  it.each(["", "127.0.0.1:8200", "localhost", "ftp://example.com", "unix://relative", "http://", "http://a:b@c"])(
    "refuses %j",
    (text) => {
      expect(() => parseAddress(text)).toThrow(AddressError);
    },
  );

  it("does not repeat a password", () => {
    expect(() => parseAddress("http://ada:hunter2@example.com")).toThrow(/^(?!.*hunter2)/);
  });
});
