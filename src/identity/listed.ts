/** Lists of ids with what there is to know of each. */
import { inBatches } from "./batches.ts";

/** What is gone since its id was listed is left out. */
export async function withInfo<Info extends object>(
  ids: readonly string[],
  tell: (id: string) => Promise<Info | undefined>,
): Promise<{ keys: string[]; key_info: Record<string, Info> }> {
  const told = await inBatches(ids, async (id) => ({ id, info: await tell(id) }));
  const found = told.flatMap(({ id, info }) => (info ? [[id, info] as const] : []));
  return { keys: found.map(([id]) => id), key_info: Object.fromEntries(found) };
}
