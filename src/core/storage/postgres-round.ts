/** Lets callers that ask at the same time share one query. A caller joins only a query that has not been sent yet. */

interface Caller<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export class Rounds<Question, Answer> {
  readonly #send: (questions: Question[]) => Promise<Answer[]>;
  /** So many queries are under way at once; who comes later waits, and joins the next one. */
  readonly #width: number;
  /** So many questions share one query at most. */
  readonly #most: number;
  #underWay = 0;
  readonly #waiting: Caller<Question, Answer>[] = [];

  constructor(send: (questions: Question[]) => Promise<Answer[]>, width: number, most = 500) {
    this.#send = send;
    this.#width = width;
    this.#most = most;
  }

  ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ question, resolve, reject });
    // The others of this turn of the event loop come along.
    if (this.#waiting.length === 1) queueMicrotask(() => this.#start());
    return promise;
  }

  #start(): void {
    if (this.#underWay >= this.#width || this.#waiting.length === 0) return;
    this.#underWay++;
    void this.#run(this.#waiting.splice(0, this.#most));
    this.#start();
  }

  async #run(callers: Caller<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#send(callers.map(({ question }) => question));
      for (const [index, { resolve }] of callers.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const { reject } of callers) reject(error);
    }
    this.#underWay--;
    this.#start();
  }
}
