import { describe, expect, it } from "vitest";
import { parseCidr } from "../lib/cidr.ts";
import { clientAddress, type ForwardedForSettings } from "./forwarded-for.ts";

const strict: ForwardedForSettings = {
  authorized: ["10.0.0.0/8", "::1"].map(parseCidr),
  hopSkips: 0,
  rejectNotPresent: true,
  rejectNotAuthorized: true,
};
const proxy = "10.0.0.2";

describe("the address of a client behind a proxy", () => {
  it.each<[string, Partial<ForwardedForSettings>, string, string[], string]>([
    ["is the only link", {}, proxy, ["203.0.113.9"], "203.0.113.9"],
    ["is the last link, which our proxy wrote", {}, proxy, ["6.6.6.6, 203.0.113.9"], "203.0.113.9"],
    ["is found across several headers", {}, proxy, ["6.6.6.6", "203.0.113.9"], "203.0.113.9"],
    ["is found before the links of our own proxies", { hopSkips: 1 }, proxy, ["203.0.113.9,10.0.0.1"], "203.0.113.9"],
    ["may be IPv6", {}, "::1", ["2001:DB8::7"], "2001:db8::7"],
    ["may come with a port", {}, proxy, ["203.0.113.9:4711"], "203.0.113.9"],
    ["may be IPv6 with a port", {}, proxy, ["[2001:db8::7]:4711"], "2001:db8::7"],
    ["is read as IPv4 when mapped", {}, proxy, ["::ffff:203.0.113.9"], "203.0.113.9"],
    ["is the peer's without a header, if allowed", { rejectNotPresent: false }, "8.8.8.8", [], "8.8.8.8"],
    ["is the peer's if that is no trusted proxy", { rejectNotAuthorized: false }, "8.8.8.8", ["1.2.3.4"], "8.8.8.8"],
  ])("%s", (_, change, peer, headers, address) => {
    expect(clientAddress({ ...strict, ...change }, peer, headers)).toBe(address);
  });
});

describe("a request that must not pass", () => {
  it.each<[string, Partial<ForwardedForSettings>, string, string[], string]>([
    ["has no header", {}, proxy, [], "missing x-forwarded-for"],
    ["comes from no trusted proxy", {}, "8.8.8.8", ["1.2.3.4"], "not authorized"],
    ["has too few links", { hopSkips: 2 }, proxy, ["1.2.3.4, 10.0.0.1"], "2 hops to skip"],
    ["has no address where one should be", {}, proxy, ["1.2.3.4, unknown"], "not an IP address"],
    ["has an empty link", {}, proxy, ["1.2.3.4,"], "not an IP address"],
    ["has an open bracket", {}, proxy, ["[::1"], "not an IP address"],
  ])("%s", (_, change, peer, headers, message) => {
    expect(() => clientAddress({ ...strict, ...change }, peer, headers)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) }),
    );
  });
});
