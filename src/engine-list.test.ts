import { expect, test } from "vitest";
import { engines } from "./engine-list.ts";

test.each(engines)("$type is listed under its own name and kind", async ({ type, kind, load }) => {
  expect(await load()).toMatchObject({ type, kind });
});
