/** Lists everything below a prefix, however deep, page by page and without loading more than a page. */
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";

const namesAtOnce = 1000;

/**
 * Paths of all records below `prefix`, relative to it, in byte order. Folders end in a slash in the store's own lists,
 * so walking them depth first gives just that order, and `after` says how far down to resume.
 */
export async function scan(storage: Storage, prefix: string, { after = "", limit }: PageRequest = {}) {
  const most = limit ?? Number.POSITIVE_INFINITY;
  const found: string[] = [];

  async function resume(folder: string, from: string): Promise<void> {
    const slash = from.indexOf("/");
    if (slash < 0) return walk(folder, from);
    // A path that does not exist must not cost a look-up for each of its segments.
    if ((await storage.list(prefix + folder, { limit: 1 })).length === 0) return;
    const below = from.slice(0, slash + 1);
    await resume(folder + below, from.slice(slash + 1));
    await walk(folder, below);
  }

  async function walk(folder: string, from: string): Promise<void> {
    for (let start = from; found.length < most; ) {
      const size = Math.min(namesAtOnce, most - found.length);
      const names = await storage.list(prefix + folder, { after: start === "" ? undefined : start, limit: size });
      for (const name of names) {
        if (found.length >= most) return;
        if (name.endsWith("/")) await walk(folder + name, "");
        else found.push(folder + name);
      }
      const last = names.at(-1);
      if (last === undefined || names.length < size) return;
      start = last;
    }
  }

  await resume("", after);
  return found;
}
