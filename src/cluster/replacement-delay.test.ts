import { expect, test } from "vitest";
import { ReplacementDelay } from "./replacement-delay.ts";

test("the first is replaced at once, those that follow soon after later and later", () => {
  const delay = new ReplacementDelay();
  const quick = Array.from({ length: 10 }, () => delay.after(50));
  expect(quick).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect([delay.after(60_000), delay.after(50), delay.after(50)]).toEqual([0, 100, 200]);
});
