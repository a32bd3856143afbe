import { expect, test } from "vitest";
import { isPublicAcmeDisabled } from "./public-acme.ts";

test.each([
  [{}, false],
  [{ SERVICE_DISABLE_PUBLIC_ACME: "" }, false],
  [{ SERVICE_DISABLE_PUBLIC_ACME: "false" }, false],
  [{ SERVICE_DISABLE_PUBLIC_ACME: "0" }, false],
  [{ SERVICE_DISABLE_PUBLIC_ACME: "true" }, true],
  [{ SERVICE_DISABLE_PUBLIC_ACME: "1" }, true],
  [{ SERVICE_DISABLE_PUBLIC_ACME: "perhaps" }, true],
  [{ BAO_DISABLE_PUBLIC_ACME: "True" }, true],
  [{ VAULT_DISABLE_PUBLIC_ACME: "1", SERVICE_DISABLE_PUBLIC_ACME: "false" }, true],
] as const)("%j: %s", (environment, isDisabled) => {
  expect(isPublicAcmeDisabled(environment)).toBe(isDisabled);
});
