import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Gathering } from "./gathering.ts";

describe("things that are done together", () => {
  const recorded = (most: number) => {
    const rounds: number[][] = [];
    const gathering = new Gathering<number, string>(async (items) => {
      rounds.push([...items]);
      await setImmediate();
      if (items.includes(13)) throw new Error("unlucky");
      return items.map((item) => `done ${item}`);
    }, most);
    return { rounds, gathering };
  };

  it("are those that come in one moment, and then those that came meanwhile, so many at most", async () => {
    const { rounds, gathering } = recorded(3);
    const first = [1, 2].map((item) => gathering.add(item));
    await Promise.resolve();
    await Promise.resolve();
    const later = [3, 4, 5, 6].map((item) => gathering.add(item));
    expect(await Promise.all([...first, ...later])).toEqual([1, 2, 3, 4, 5, 6].map((item) => `done ${item}`));
    expect(rounds).toEqual([[1, 2], [3, 4, 5], [6]]);
  });

  it("fail alone", async () => {
    const { gathering } = recorded(10);
    const outcomes = await Promise.allSettled([12, 13, 14].map((item) => gathering.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await gathering.add(15)).toBe("done 15");
  });
});
