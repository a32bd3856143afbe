import { expect, test } from "vitest";
import { isRootOnly } from "./root-only.ts";

test.each([
  ["sys/seal", true],
  ["sys/seal-status", false],
  ["sys/sealed", false],
  ["sys/rotate/keyring/config", true],
  ["sys/audit/", true],
  ["sys/audit-hash/file", true],
  ["sys/config/ui/headers/x", true],
  ["sys/config/ui/", true],
  ["sys/config", false],
  ["sys/quotas/config", true],
  ["sys/quotas/rate-limit/x", false],
  ["sys/mounts", false],
  ["sys/", false],
  ["sys", false],
  ["kv/sys/seal", false],
])("%s is for the root namespace only: %s", (path, expected) => {
  expect(isRootOnly(path)).toBe(expected);
});
