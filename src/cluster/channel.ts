/** Questions and answers over a pipe that carries messages, in both directions, each with a time limit. */
import { ApiError } from "../api/errors.ts";

type Questions<Asked> = { readonly [Kind in keyof Asked]: { readonly input: unknown; readonly output: unknown } };

/** What one side can be asked. */
export type Answers<Asked extends Questions<Asked>> = {
  readonly [Kind in keyof Asked]: (
    input: Asked[Kind]["input"],
  ) => Promise<Asked[Kind]["output"]> | Asked[Kind]["output"];
};

interface Failure {
  readonly message: string;
  /** Of failures whose words are meant for callers of the API. */
  readonly status?: number;
  readonly messages?: readonly string[];
  /** Nobody answered, further along. */
  readonly isSilence?: boolean;
}

type Message =
  | { readonly ask: number; readonly kind: string; readonly input: unknown }
  | { readonly answer: number; readonly output: unknown }
  | { readonly answer: number; readonly failure: Failure };

interface Waiting {
  resolve(output: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

/** The other side is gone, or did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export class Channel<Asked extends Questions<Asked>, Offered extends Questions<Offered>> {
  readonly #send: (message: Message, failed: (error: Error) => void) => void;
  readonly #answers: Answers<Offered>;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #isClosed = false;

  constructor(send: (message: object, failed: (error: Error) => void) => void, answers: Answers<Offered>) {
    this.#send = send;
    this.#answers = answers;
  }

  ask<Kind extends keyof Asked & string>(
    kind: Kind,
    input: Asked[Kind]["input"],
    milliseconds: number,
  ): Promise<Asked[Kind]["output"]> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#isClosed) return Promise.reject(new NoAnswer("the process is gone"));
    const ask = ++this.#last;
    const timer = setTimeout(() => this.#settle(ask)?.reject(new NoAnswer("it did not answer in time")), milliseconds);
    this.#waiting.set(ask, { resolve, reject, timer });
    this.#send({ ask, kind, input }, (error) => this.#settle(ask)?.reject(new NoAnswer(error.message)));
    return promise;
  }

  receive(message: unknown): void {
    const received = message as Message;
    if ("ask" in received) {
      void this.#reply(received.ask, received.kind, received.input);
      return;
    }
    const waiting = this.#settle(received.answer);
    if ("failure" in received) waiting?.reject(rebuilt(received.failure));
    else waiting?.resolve(received.output);
  }

  /** Whoever waits for an answer hears that none will come. */
  close(): void {
    this.#isClosed = true;
    for (const ask of [...this.#waiting.keys()]) this.#settle(ask)?.reject(new NoAnswer("the process is gone"));
  }

  async #reply(answer: number, kind: string, input: unknown): Promise<void> {
    // Nobody is left to hear that an answer could not be sent.
    const send = (message: Message) => this.#send(message, () => {});
    try {
      const output = await this.#answers[kind as keyof Offered](input);
      send({ answer, output });
    } catch (error) {
      send({ answer, failure: described(error as Error) });
    }
  }

  #settle(ask: number): Waiting | undefined {
    const waiting = this.#waiting.get(ask);
    this.#waiting.delete(ask);
    if (waiting) clearTimeout(waiting.timer);
    return waiting;
  }
}

const described = (error: Error): Failure =>
  error instanceof ApiError
    ? { message: error.message, status: error.status, messages: error.messages }
    : { message: error.message, isSilence: error instanceof NoAnswer };

function rebuilt({ message, status, messages = [], isSilence }: Failure): Error {
  if (isSilence) return new NoAnswer(message);
  return status === undefined ? new Error(message) : new ApiError(status, messages);
}
