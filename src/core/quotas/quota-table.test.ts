import { describe, expect, test } from "vitest";
import { type QuotaRule, QuotaTable, standardSettings } from "./quota-table.ts";

const rule = (path: string, role = ""): QuotaRule => ({
  id: `${path}|${role}`,
  name: `${path}|${role}`,
  path,
  role,
  rate: 1,
  interval: 1,
  block_interval: 0,
  inheritable: false,
});

const rules = [
  rule(""),
  rule("kv/"),
  rule("kv/data/team*"),
  rule("kv/data/team/a*"),
  rule("kv/data/team/a"),
  rule("auth/jwt/"),
  rule("auth/jwt/", "web"),
  rule("auth/jwt/login"),
  rule("sys/mounts"),
];

describe("the most exact quota counts", () => {
  test.each<[path: string, role: string | undefined, counted: string]>([
    ["other/x", undefined, "|"],
    ["kv/data/x", undefined, "kv/|"],
    ["kv/", undefined, "kv/|"],
    ["kvx/data", undefined, "|"],
    ["kv/data/team", undefined, "kv/data/team*|"],
    ["kv/data/team/b", undefined, "kv/data/team*|"],
    ["kv/data/team/ab", undefined, "kv/data/team/a*|"],
    ["kv/data/team/a", undefined, "kv/data/team/a|"],
    ["kv/data/team/a/", undefined, "kv/data/team/a|"],
    ["kv/data/team/a/b", undefined, "kv/data/team/a*|"],
    ["auth/jwt/role/web", undefined, "auth/jwt/|"],
    ["auth/jwt/login", "other", "auth/jwt/login|"],
    ["auth/jwt/login", "web", "auth/jwt/|web"],
    ["auth/jwt/config", "web", "auth/jwt/|"],
    ["sys/mounts", undefined, "sys/mounts|"],
    ["sys/mounts/x", undefined, "|"],
  ])("%s with role %s: %s", (path, role, counted) => {
    const table = new QuotaTable({ settings: standardSettings, rules });
    expect(table.applyingTo(path, role)?.name).toBe(counted);
    const backwards = new QuotaTable({ settings: standardSettings, rules: [...rules].reverse() });
    expect(backwards.applyingTo(path, role)?.name).toBe(counted);
  });
});

test.each([
  ["sys/health", true],
  ["sys/health/x", false],
  ["open/a", true],
  ["open/b/c", true],
  ["opened", false],
])("%s is exempt: %s", (path, isExempt) => {
  const settings = { ...standardSettings, rate_limit_exempt_paths: ["sys/health", "open/*"] };
  const table = new QuotaTable({ settings, rules: [rule("")] });
  expect(table.isExempt(path)).toBe(isExempt);
});
