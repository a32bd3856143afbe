import { expect, test } from "vitest";
import { invalidRequest } from "../api/errors.ts";
import { type Answers, Channel, NoAnswer } from "./channel.ts";

interface Asked {
  readonly double: { readonly input: number; readonly output: number };
  readonly refuse: { readonly input: undefined; readonly output: undefined };
  readonly fail: { readonly input: undefined; readonly output: undefined };
  readonly lose: { readonly input: undefined; readonly output: undefined };
  readonly sleep: { readonly input: undefined; readonly output: undefined };
}
type Nothing = {};

const answers: Answers<Asked> = {
  double: async (value) => value * 2,
  refuse: () => {
    throw invalidRequest("not this way");
  },
  fail: async () => {
    throw new Error("something broke");
  },
  lose: () => Promise.reject(new NoAnswer("gone")),
  sleep: () => new Promise(() => {}),
};

/** Two ends, with a copy of each message as a pipe makes one. */
function pair() {
  const asking: Channel<Asked, Nothing> = new Channel((message) => answering.receive(structuredClone(message)), {});
  const answering: Channel<Nothing, Asked> = new Channel(
    (message) => asking.receive(structuredClone(message)),
    answers,
  );
  return asking;
}

test("many questions at once get their own answers", async () => {
  const channel = pair();
  const values = [1, 2, 3, 4, 5];
  expect(await Promise.all(values.map((value) => channel.ask("double", value, 1000)))).toEqual([2, 4, 6, 8, 10]);
});

test("a refusal keeps its status and words, any other failure its message", async () => {
  const channel = pair();
  await expect(channel.ask("refuse", undefined, 1000)).rejects.toMatchObject({
    status: 400,
    messages: ["not this way"],
  });
  await expect(channel.ask("fail", undefined, 1000)).rejects.toThrow(/^something broke$/);
  await expect(channel.ask("lose", undefined, 1000)).rejects.toThrow(NoAnswer);
});

test("nobody waits for ever", async () => {
  const channel = pair();
  await expect(channel.ask("sleep", undefined, 1)).rejects.toThrow(NoAnswer);
  const waiting = channel.ask("sleep", undefined, 100_000);
  channel.close();
  await expect(waiting).rejects.toThrow(NoAnswer);
  await expect(channel.ask("double", 1, 1000)).rejects.toThrow(NoAnswer);
  const broken: Channel<Asked, Nothing> = new Channel((_message, failed) => failed(new Error("EPIPE")), {});
  await expect(broken.ask("double", 1, 1000)).rejects.toThrow(NoAnswer);
});
