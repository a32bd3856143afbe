/** Does together what is asked for one by one: while some are being done, the next ones gather. */

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Gathering<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #most: number;
  readonly #lanes: number;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  /** `work` answers with one result for each of `most` items or fewer, in their order; so many `lanes` work at once. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, most: number, lanes = 1) {
    this.#work = work;
    this.#most = most;
    this.#lanes = lanes;
  }

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (this.#running < this.#lanes) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running += 1;
    // Whoever asks in the same moment is in the first round already.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#round(this.#waiting.splice(0, this.#most));
    this.#running -= 1;
  }

  async #round(together: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(together.map(({ item }) => item));
      together.forEach(({ resolve }, index) => {
        resolve(results[index]!);
      });
    } catch (error) {
      if (together.length === 1) return together[0]!.reject(error);
      // One of them must not make all the others fail, for ever if it does so for ever.
      for (const each of together) await this.#round([each]);
    }
  }
}
