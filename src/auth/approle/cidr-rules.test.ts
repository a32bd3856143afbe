import { describe, expect, test } from "vitest";
import { allows, requireCidrs, requireSubset } from "./cidr-rules.ts";

describe("a secret id may have", () => {
  test.each<[onSecretId: string[], onRole: string[]]>([
    [[], []],
    [[], ["10.0.0.0/8"]],
    [["10.1.0.0/16"], []],
    [["10.1.0.0/16"], ["10.0.0.0/8"]],
    [["10.0.0.0/8"], ["10.0.0.0/8"]],
    [["10.1.2.3"], ["10.0.0.0/8"]],
    [["10.1.2.3/32"], ["10.1.2.3"]],
    [["10.1.2.3"], ["10.1.2.3/32"]],
    [
      ["10.1.0.0/16", "192.168.1.0/24"],
      ["192.168.0.0/16", "10.0.0.0/8"],
    ],
    [["fd00:1::/32"], ["fd00::/8"]],
    [["10.1.0.0/16"], ["::ffff:10.0.0.0/104"]],
    [["::ffff:10.1.0.0/112"], ["10.0.0.0/8"]],
    [["10.1.2.3/8"], ["10.0.0.0/8"]],
  ])("%j under a role with %j", (onSecretId, onRole) => {
    expect(() => requireSubset(onRole, onSecretId)).not.toThrow();
  });
});

describe("a secret id may not have", () => {
  test.each<[onSecretId: string[], onRole: string[]]>([
    [["10.0.0.0/7"], ["10.0.0.0/8"]],
    [["0.0.0.0/0"], ["10.0.0.0/8"]],
    [["11.0.0.0/16"], ["10.0.0.0/8"]],
    [["10.1.0.0/16", "11.0.0.0/16"], ["10.0.0.0/8"]],
    [["10.0.0.0/8"], ["10.0.0.0/9", "10.128.0.0/9"]],
    [["fd00::/8"], ["10.0.0.0/8"]],
    [["10.0.0.0/8"], ["fd00::/8"]],
    [["10.1.2.0/24"], ["10.1.2.3"]],
  ])("%j under a role with %j", (onSecretId, onRole) => {
    expect(() => requireSubset(onRole, onSecretId)).toThrow("failed to verify subset relationship between CIDR blocks");
  });
});

test("what is no range is named, with its field", () => {
  expect(() => requireCidrs("cidr_list", ["10.0.0.0/8", "10.0.0.0/33"])).toThrow(
    `invalid CIDR "10.0.0.0/33" in 'cidr_list': expected a block such as 10.0.0.0/8, or an address`,
  );
  expect(() => requireCidrs("cidr_list", ["10.0.0.0/8", "::1"])).not.toThrow();
});

test.each<[string[], string, boolean]>([
  [[], "8.8.8.8", true],
  [["10.0.0.0/8"], "10.9.9.9", true],
  [["10.0.0.0/8"], "::ffff:10.9.9.9", true],
  [["10.0.0.0/8", "fd00::/8"], "fd12::1", true],
  [["10.0.0.0/8"], "11.0.0.1", false],
  [["10.0.0.0/8"], "", false],
])("%j allow %j: %j", (ranges, address, isAllowed) => {
  expect(allows(ranges, address)).toBe(isAllowed);
});
