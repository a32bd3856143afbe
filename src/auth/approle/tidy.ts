/** Deletes secret ids that expired unused, and those of roles that are gone. Nothing depends on it: expiry holds at use. */
import { Single } from "../../api/collection.ts";
import type { Log, ShortJob, Storage } from "../../api/engine.ts";
import type { SecretIds } from "./secret-id.ts";
import type { ApproleServices } from "./services.ts";

/** Where to go on: behind a secret id of a folder, or behind the folder. */
export interface TidyPoint {
  readonly folder: string;
  readonly after?: string | undefined;
}

const start: TidyPoint = { folder: "" };
const recordsPerStep = 200;
const foldersPerStep = 50;

/** As much as one transaction should do; answers where to go on, or undefined when all was looked at. */
async function tidyStep(secretIds: SecretIds, from: TidyPoint, now: Date): Promise<TidyPoint | undefined> {
  const [retired] = await secretIds.retiredFolders();
  if (retired !== undefined) {
    if (await secretIds.removeSome(retired)) secretIds.forgetRetired(retired);
    return from;
  }
  let point: TidyPoint = from;
  let left = recordsPerStep;
  for (let folders = 0; folders < foldersPerStep && left > 0; folders++) {
    const folder = point.after === undefined ? await nextFolder(secretIds, point.folder) : point.folder;
    if (folder === undefined) return undefined;
    const seen = await secretIds.removeExpired(folder, { after: point.after, limit: left }, now);
    point = { folder, after: seen.length < left ? undefined : seen.at(-1) };
    left -= seen.length;
  }
  return point;
}

async function nextFolder(secretIds: SecretIds, folder: string): Promise<string | undefined> {
  const [next] = await secretIds.folders({ after: folder === "" ? undefined : `${folder}/`, limit: 1 });
  return next?.slice(0, -1);
}

/** All of it, in steps that each commit. */
export async function tidyAll(
  transaction: <T>(work: (services: ApproleServices) => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<void> {
  let point: TidyPoint | undefined = start;
  while (point && !signal.aborted) {
    const from: TidyPoint = point;
    point = await transaction(({ secretIds, clock }) => tidyStep(secretIds, from, new Date(clock.now())));
  }
}

/** A little each time, going on where it stopped before. */
export const tidyJob: ShortJob<ApproleServices> = {
  name: "tidy-secret-ids",
  everySeconds: 60,
  async run({ secretIds, tidyPoint }, { now }) {
    const before = await tidyPoint.get();
    const after = await tidyStep(secretIds, before ?? start, now);
    if (after) tidyPoint.put(after);
    else if (before) tidyPoint.delete();
  },
};

export const tidyPointIn = (storage: Storage) => new Single<TidyPoint>(storage, "tidy-point");

/** What was started by hand in this process; one at a time. */
export class Tidying {
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Answers whether it began: not while another is under way. */
  begin(work: (signal: AbortSignal) => Promise<void>): boolean {
    if (this.#running) return false;
    this.#running = work(this.#stopping.signal)
      .catch((error: unknown) => this.#log.error("tidying secret ids failed", { error: String(error) }))
      .finally(() => {
        this.#running = undefined;
      });
    return true;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}
