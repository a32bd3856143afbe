import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containedInAny, isCidr, normalAddress, parseCidr } from "./cidr.ts";

describe("what a range contains", () => {
  it.each([
    // range, address, inside
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["10.1.2.3/8", "10.200.0.1", true], // host bits are masked away
    ["10.0.0.0/9", "10.127.255.255", true],
    ["10.0.0.0/9", "10.128.0.0", false],
    ["192.168.1.7", "192.168.1.7", true], // a bare address is a range of one
    ["192.168.1.7", "192.168.1.8", false],
    ["192.168.1.7/32", "192.168.1.7", true],
    ["0.0.0.0/0", "255.1.2.3", true],
    ["0.0.0.0/0", "::1", false],
    ["::/0", "fe80::1", true],
    ["::/0", "10.0.0.1", false],
    ["::1", "0:0:0:0:0:0:0:1", true],
    ["fd00::/8", "FDAB::1", true],
    ["fd00::/8", "fe00::1", false],
    ["2001:db8::/33", "2001:db8:7fff::", true],
    ["2001:db8::/33", "2001:db8:8000::", false],
    ["fe80::/10", "fe80::1%eth0", true], // a zone is not part of the address
    // IPv4 mapped into IPv6 is IPv4, on both sides
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["10.0.0.0/8", "::ffff:0a01:0203", true],
    ["::ffff:10.0.0.0/104", "10.9.9.9", true],
    ["::ffff:10.0.0.0/104", "11.9.9.9", false],
    ["::ffff:10.0.0.1", "10.0.0.1", true],
    ["::ffff:0:0/90", "10.0.0.1", false], // wider than the mapped block: an IPv6 range
    // not addresses
    ["0.0.0.0/0", "", false],
    ["0.0.0.0/0", "localhost", false],
    ["0.0.0.0/0", "10.0.0.1:80", false],
    ["0.0.0.0/0", "10.0.0.01", false],
  ])("%s and %s: %s", (range, address, inside) => {
    expect(isCidr(range)).toBe(true);
    expect(parseCidr(range).contains(address)).toBe(inside);
  });

  it("asks every range of a list", () => {
    const ranges = ["10.0.0.0/8", "::1"].map(parseCidr);
    expect(["10.1.1.1", "::1", "::2"].map((address) => containedInAny(ranges, address))).toEqual([true, true, false]);
  });
});

describe("what is not a range", () => {
  it.each([
    "",
    " ",
    "/8",
    "localhost",
    "10.0.0/8",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/+8",
    "10.0.0.0/0x8",
    "010.0.0.1",
    "::1/129",
    ":::/0",
    "fe80::1%eth0/64",
    "10.0.0.1-10.0.0.9",
  ])("%j is refused with a sentence that shows it", (text) => {
    expect(() => parseCidr(text)).toThrow(JSON.stringify(text));
    expect(isCidr(text)).toBe(false);
  });
});

describe("one spelling per address", () => {
  it.each([
    ["10.0.0.1", "10.0.0.1"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["::FFFF:a00:1", "10.0.0.1"],
    ["FE80::1%eth0", "fe80::1"],
    ["nowhere", undefined],
  ])("%s is %s", (text, normal) => {
    expect(normalAddress(text)).toBe(normal);
  });
});

describe("against node's own block list", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."));
  // Few different groups, so that an address is often inside.
  const ipv6 = fc
    .array(fc.constantFrom("0", "1", "ffff", "8000", "2001"), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.join(":"))
    .filter((address) => !address.startsWith("0:0:0:0:0:ffff:")); // node treats mapped addresses otherwise

  it.each([
    { family: "ipv4" as const, address: ipv4, most: 32 },
    { family: "ipv6" as const, address: ipv6, most: 128 },
  ])("$family", ({ family, address, most }) => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: most }), address, (network, prefix, candidate) => {
        const judge = new BlockList();
        judge.addSubnet(network, prefix, family);
        expect(parseCidr(`${network}/${prefix}`).contains(candidate)).toBe(judge.check(candidate, family));
      }),
    );
  });
});
