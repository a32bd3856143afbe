import { describe, expect, it } from "vitest";
import { parseHcl } from "../lib/hcl/parser.ts";
import { address, cidrs, responseHeaders, serverUrl } from "./network-kinds.ts";

const valueOfA = (written: string) => parseHcl(`a = ${written}`).items[0]!.value;

describe("address", () => {
  it("is kept as it was written", () => {
    expect(address("…").read(valueOfA('"[::1]:8200"'))).toBe("[::1]:8200");
  });

  it.each([
    [
      '"nowhere"',
      'At 1:5: "nowhere" is not an address to listen on: give host and port, such as "127.0.0.1:8200" or "[::1]:8200"',
    ],
    ["8200", "At 1:5: must be a string, found a number"],
  ])("refuses %s", (written, message) => {
    expect(() => address("…").read(valueOfA(written))).toThrow(message);
  });
});

describe("cidrs", () => {
  it.each([
    ['"10.0.0.0/8"', ["10.0.0.0/8"]],
    ['"10.0.0.0/8, ::1"', ["10.0.0.0/8", "::1"]],
    ['["10.1.2.3", "fd00::/8"]', ["10.1.2.3", "fd00::/8"]],
    ['""', []],
  ])("reads %s", (written, texts) => {
    expect(
      cidrs("…")
        .read(valueOfA(written))
        ?.map((cidr) => cidr.text),
    ).toEqual(texts);
  });

  it.each([
    [
      '"proxy.example.com"',
      'At 1:5: "proxy.example.com" is not an IP address or CIDR range such as 10.0.0.0/8 or fd00::/8',
    ],
    ['["10.0.0.0/8", "10.0.0.0/40"]', 'At 1:20: "10.0.0.0/40" has a prefix that is not a number from 0 to 32'],
    ["10", "At 1:5: must be a list of strings, or a string with commas, found a number"],
  ])("refuses %s", (written, message) => {
    expect(() => cidrs("…").read(valueOfA(written))).toThrow(message);
  });
});

describe("serverUrl", () => {
  it.each([
    ["https://a.example.com:8200", "https://a.example.com:8200"],
    ["https://a.example.com:8200/", "https://a.example.com:8200"],
    ["http://127.0.0.1:8200", "http://127.0.0.1:8200"],
    ["https://[::1]:8201", "https://[::1]:8201"],
    ["https://a.example.com", "https://a.example.com"],
    ["", undefined],
  ])("reads %s as %s", (written, url) => {
    expect(serverUrl("…").read(valueOfA(JSON.stringify(written)))).toBe(url);
  });

  it.each([
    ["127.0.0.1:8200"],
    ["a.example.com"],
    ["ftp://a.example.com"],
    ["https://a.example.com/v1"],
    ["https://user:password@a.example.com"],
    ["https://a.example.com?x=1"],
    ["https://a.example.com#x"],
    ["https://"],
  ])("refuses %s", (written) => {
    expect(() => serverUrl("…").read(valueOfA(JSON.stringify(written)))).toThrow(
      'At 1:5: must be a URL of scheme, host and port, such as "https://server.example.com:8200"',
    );
  });
});

describe("responseHeaders", () => {
  const written = '{ default = { "X-A" = ["1", "2"] } "404" = { B = "3" } "2xx" { C = [] } }';
  it.each([
    [written],
    [`[${written}]`],
    ['[{ default = [{ "X-A" = ["1", "2"] }] }, { "404" = { B = "3" }, "2xx" = { C = [] } }]'],
  ])("reads %s", (text) => {
    expect(responseHeaders("…").read(valueOfA(text))).toEqual({
      default: { "X-A": ["1", "2"] },
      "404": { B: ["3"] },
      "2xx": { C: [] },
    });
  });

  it.each([
    ['"x"', "At 1:5: must be a block, found a string"],
    ["{ default = 5 }", "At 1:17: must be a block, found a number"],
    ['{ "600" = {} }', 'At 1:7: "600" is not a status: use "default", "2xx" or "404"'],
    ["{ ok = {} }", 'At 1:7: "ok" is not a status: use "default", "2xx" or "404"'],
    ['{ default "x" {} }', 'At 1:7: "default" takes no label'],
    ['{ default = { "A B" = "x" } }', 'At 1:19: "A B" is not the name of a header'],
    [
      '{ default = { "Content-Length" = "x" } }',
      'At 1:19: "Content-Length" is reserved: the server sets such headers itself',
    ],
    ['{ default = { "X-Vault-A" = "x" } }', 'At 1:19: "X-Vault-A" is reserved: the server sets such headers itself'],
    [
      '{ default = { "x-service-a" = "x" } }',
      'At 1:19: "x-service-a" is reserved: the server sets such headers itself',
    ],
    ['{ default = { A = "x\\r\\nB: y" } }', "At 1:23: a header may only have printable ASCII characters"],
    ["{ default = { A = [5] } }", "At 1:24: must be a string, found a number"],
  ])("refuses %s", (text, message) => {
    expect(() => responseHeaders("…").read(valueOfA(text))).toThrow(message);
  });
});
