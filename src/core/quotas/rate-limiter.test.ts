import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "./rate-limiter.ts";

const quota = (rate: number, interval = 1, block_interval = 0, id = "q") => ({ id, rate, interval, block_interval });

/** Whether requests at these times, in seconds, are allowed. */
function allowed(rule: ReturnType<typeof quota>, times: readonly number[]): boolean[] {
  const limiter = new RateLimiter();
  return times.map((time) => limiter.take(rule, "10.0.0.1", time * 1000).isAllowed);
}

describe("of requests at these seconds", () => {
  test.each<[ReturnType<typeof quota>, number[], number[]]>([
    // quota, when, and which of these are let through
    [quota(2), [0, 0.1, 0.2, 0.9, 1, 1.1, 1.2], [0, 0.1, 1, 1.1]],
    [quota(1, 60), [0, 59.9, 60, 119, 120.5], [0, 60, 120.5]],
    [quota(1.4), [0, 0.5, 1], [0, 1]],
    [quota(1.5), [0, 0.5, 0.6, 1], [0, 0.5, 1]],
    // half a request each second is one in two seconds
    [quota(0.5), [0, 1, 1.9, 2], [0, 2]],
    // who asks too often is refused for longer, and asking again does not prolong it
    [quota(1, 1, 10), [0, 0.5, 2, 9, 10.4, 10.5], [0, 10.5]],
    // a clock that was set back locks nobody out
    [quota(1, 60), [1000, 1001, 500, 501], [1000, 500]],
  ])("%j lets through of %j these: %j", (rule, times, expected) => {
    const outcomes = allowed(rule, times);
    expect(times.filter((_time, index) => outcomes[index])).toEqual(expected);
  });
});

test("a client hears what is left, and when to come back", () => {
  const limiter = new RateLimiter();
  const ask = (seconds: number) => limiter.take(quota(2, 10, 60), "a", seconds * 1000);
  expect(ask(0)).toEqual({ isAllowed: true, limit: 2, remaining: 1, resetSeconds: 10 });
  expect(ask(4.5)).toEqual({ isAllowed: true, limit: 2, remaining: 0, resetSeconds: 6 });
  expect(ask(5)).toEqual({ isAllowed: false, limit: 2, remaining: 0, resetSeconds: 60 });
  expect(ask(64.1)).toEqual({ isAllowed: false, limit: 2, remaining: 0, resetSeconds: 1 });
  expect(ask(65)).toEqual({ isAllowed: true, limit: 2, remaining: 1, resetSeconds: 10 });
});

test("clients and quotas do not disturb each other", () => {
  const limiter = new RateLimiter();
  const ask = (client: string, id: string) => limiter.take(quota(1, 60, 0, id), client, 0).isAllowed;
  expect([ask("a", "x"), ask("b", "x"), ask("a", "y"), ask("a", "x")]).toEqual([true, true, true, false]);
});

test("counting goes on while a quota keeps its figures, and begins anew when they change or the quota is gone", () => {
  const limiter = new RateLimiter();
  const ask = (rule: ReturnType<typeof quota>) => limiter.take(rule, "a", 0).isAllowed;
  expect(ask(quota(1, 60))).toBe(true);
  limiter.keepOnly([quota(1, 60), quota(5, 5, 0, "other")]);
  expect(ask(quota(1, 60))).toBe(false);
  expect(ask(quota(2, 60))).toBe(true);
  limiter.keepOnly([]);
  expect(ask(quota(1, 60))).toBe(true);
});

test("whoever has many addresses does not fill the memory: those who asked last are remembered", () => {
  const limiter = new RateLimiter();
  const rule = quota(1, 3600);
  for (let client = 0; client < 120_000; client++) limiter.take(rule, String(client), 0);
  expect(limiter.take(rule, "119999", 1000).isAllowed).toBe(false);
  expect(limiter.take(rule, "95001", 1000).isAllowed).toBe(false);
  expect(limiter.take(rule, "0", 1000).isAllowed).toBe(true);
});

test("in no window are more requests let through than the quota says", () => {
  const times = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), times, (rate, gaps) => {
      let now = 0;
      const at = gaps.map((gap) => {
        now += gap / 1000;
        return now;
      });
      const outcomes = allowed(quota(rate, 2), at);
      const passed = at.filter((_time, index) => outcomes[index]);
      // Two neighboring windows touch each other, so any span of one interval sees two of them at the most.
      for (const start of passed) {
        expect(passed.filter((time) => time >= start && time < start + 2).length).toBeLessThanOrEqual(2 * rate);
      }
    }),
  );
});
