import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ipBytes, ipText } from "./ip-address.ts";
import { isInRange, parseRange, rangeText } from "./ip-range.ts";
import { X509Error } from "./x509-error.ts";

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");

test.each([
  ["10.0.0.1", "0a000001", "10.0.0.1"],
  ["::1", `${"00".repeat(15)}01`, "::1"],
  ["::", "00".repeat(16), "::"],
  ["2001:DB8:0:0::00Ab", "20010db80000000000000000000000ab", "2001:db8::ab"],
  ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008", "1:2:3:4:5:6:7:8"],
  ["::ffff:10.0.0.1", "0a000001", "10.0.0.1"],
  ["64:ff9b::10.0.0.1", "0064ff9b00000000000000000a000001", "64:ff9b::a00:1"],
])("%s is %s", (text, bytes, normal) => {
  expect(hex(ipBytes(text))).toBe(bytes);
  expect(ipText(ipBytes(text)!)).toBe(normal);
});

test.each(["", "10.0.0", "10.0.0.256", "fe80::1%eth0", "10.0.0.1/8", "example.com", "[::1]"])(
  "%j is no address",
  (text) => {
    expect(ipBytes(text)).toBeUndefined();
  },
);

test("only 4 and 16 bytes are addresses", () => {
  for (const size of [0, 3, 5, 8, 15, 17]) expect(ipText(new Uint8Array(size))).toBeUndefined();
});

test("the way there and back", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.uint8Array({ minLength: 16, maxLength: 16 })),
      (bytes) => {
        expect(hex(ipBytes(ipText(bytes)!))).toBe(hex(bytes));
      },
    ),
  );
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      expect(ipBytes(text)).toBeDefined();
    }),
  );
});

describe("ranges", () => {
  test.each([
    ["10.0.0.0/8", "0a000000ff000000", "10.0.0.0/8"],
    ["10.1.2.3/12", "0a000000fff00000", "10.0.0.0/12"],
    ["0.0.0.0/0", "0000000000000000", "0.0.0.0/0"],
    ["1.2.3.4/32", "01020304ffffffff", "1.2.3.4/32"],
    ["fd00::/8", `fd${"00".repeat(15)}ff${"00".repeat(15)}`, "fd00::/8"],
  ])("%s is %s", (text, bytes, normal) => {
    expect(hex(parseRange(text))).toBe(bytes);
    expect(rangeText(parseRange(text))).toBe(normal);
  });

  test.each(["10.0.0.0", "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0.0/8/8", "x/8", "10.0.0.0/-1"])(
    "%j is none",
    (text) => {
      expect(() => parseRange(text)).toThrow(X509Error);
    },
  );

  test.each(["0a000000", "0a000000ff00ff00", ""])("the bytes %j are none", (bytes) => {
    expect(() => rangeText(Buffer.from(bytes, "hex"))).toThrow();
  });

  test.each([
    ["10.255.0.1", "10.0.0.0/8", true],
    ["11.0.0.1", "10.0.0.0/8", false],
    ["10.0.0.1", "fd00::/8", false],
    ["fdff::1", "fd00::/8", true],
    ["1.2.3.4", "0.0.0.0/0", true],
  ])("%s in %s: %s", (address, range, isInside) => {
    expect(isInRange(ipBytes(address)!, parseRange(range))).toBe(isInside);
  });
});
