import { describe, expect, it } from "vitest";
import { Rounds } from "./postgres-round.ts";

/** Keeps every query open until it is answered by hand. */
function openRounds(width: number, most?: number) {
  const sent: { questions: number[]; answer: () => void; fail: () => void }[] = [];
  const rounds = new Rounds<number, string>(
    (questions) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(questions.map((question) => `answer to ${question}`));
        sent.push({ questions, answer, fail: () => reject(new Error("away")) });
      }),
    width,
    most,
  );
  return { rounds, sent };
}
const turn = () => new Promise(setImmediate);

describe("rounds", () => {
  it("send together what is asked at the same time", async () => {
    const { rounds, sent } = openRounds(1);
    const answers = Promise.all([rounds.ask(1), rounds.ask(2), rounds.ask(3)]);
    await turn();
    expect(sent.map(({ questions }) => questions)).toEqual([[1, 2, 3]]);
    sent[0]!.answer();
    expect(await answers).toEqual(["answer to 1", "answer to 2", "answer to 3"]);
  });

  it("let nobody join a query that has been sent", async () => {
    const { rounds, sent } = openRounds(1);
    const first = rounds.ask(1);
    await turn();
    const late = [rounds.ask(2), rounds.ask(3)];
    await turn();
    expect(sent.map(({ questions }) => questions)).toEqual([[1]]);
    sent[0]!.answer();
    expect(await first).toBe("answer to 1");
    await turn();
    expect(sent.map(({ questions }) => questions)).toEqual([[1], [2, 3]]);
    sent[1]!.answer();
    expect(await Promise.all(late)).toEqual(["answer to 2", "answer to 3"]);
  });

  it("have as many under way as they may, and no more questions in one than that may have", async () => {
    const { rounds, sent } = openRounds(2, 2);
    const answers = Promise.all([1, 2, 3, 4, 5].map((question) => rounds.ask(question)));
    await turn();
    expect(sent.map(({ questions }) => questions)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    for (let round = 0; round < 3; round++) {
      sent[round]!.answer();
      await turn();
    }
    expect(await answers).toHaveLength(5);
  });

  it("fail for those who asked, and go on", async () => {
    const { rounds, sent } = openRounds(1);
    const both = Promise.allSettled([rounds.ask(1), rounds.ask(2)]);
    await turn();
    const next = rounds.ask(3);
    sent[0]!.fail();
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await turn();
    sent[1]!.answer();
    expect(await next).toBe("answer to 3");
  });
});
