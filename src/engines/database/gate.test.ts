import { expect, it } from "vitest";
import { Gate } from "./gate.ts";

const limits = { width: 2, queue: 3, waitMs: 50, callMs: 50 };

it("lets so many through, keeps some waiting in order, and refuses the rest", async () => {
  const gate = new Gate({ ...limits, waitMs: 10_000, callMs: 10_000 });
  const order: number[] = [];
  const releases: (() => void)[] = [];
  const calls = [0, 1, 2, 3, 4, 5].map((number) =>
    gate.pass(async () => {
      order.push(number);
      await new Promise<void>((resolve) => releases.push(resolve));
    }),
  );
  await expect(calls[5]).rejects.toMatchObject({ status: 503, isCertain: true });
  expect([gate.inside, gate.waiting]).toEqual([2, 3]);
  while (releases.length > 0) {
    releases.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(calls.slice(0, 5));
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect([gate.inside, gate.waiting]).toEqual([0, 0]);
});

it("gives up a call that hangs, and those that wait for it, but not its place", async () => {
  const gate = new Gate({ ...limits, width: 1 });
  let release = () => {};
  const hanging = gate.pass(() => new Promise<void>((resolve) => (release = resolve)));
  const waiting = gate.pass(async () => undefined);
  const [first, second] = await Promise.allSettled([hanging, waiting]);
  expect(first).toMatchObject({ reason: { status: 502, isCertain: false } });
  expect(second).toMatchObject({ reason: { status: 503, isCertain: true } });
  expect(gate.inside).toBe(1);
  release();
  await gate.pass(async () => undefined);
  expect(gate.inside).toBe(0);
});

it("passes failures on, and lets the next one in", async () => {
  const gate = new Gate({ ...limits, width: 1 });
  await expect(gate.pass(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(
    gate.pass(() => {
      throw new Error("at once");
    }),
  ).rejects.toThrow("at once");
  expect(await gate.pass(async () => 7)).toBe(7);
});
