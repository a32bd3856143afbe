import { expect, test } from "vitest";
import { callerOf } from "../../../test/support/engine-caller.ts";
import { cert } from "./engine.ts";

test("settings have defaults, and change one by one", async () => {
  const auth = callerOf(cert);
  const read = async () => (await auth.call("read", "config")).data;
  expect(await read()).toEqual({ disable_binding: false, enable_identity_alias_metadata: false });
  expect(await auth.call("write", "config", { disable_binding: "true" })).toMatchObject({ status: 204 });
  await auth.call("write", "config", { enable_identity_alias_metadata: true });
  expect(await read()).toEqual({ disable_binding: true, enable_identity_alias_metadata: true });
  await auth.call("write", "config", { disable_binding: false });
  expect(await read()).toEqual({ disable_binding: false, enable_identity_alias_metadata: true });
});
