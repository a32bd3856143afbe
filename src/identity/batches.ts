/** Reads many records, a few at a time, in order. */

const readAtOnce = 32;

export async function inBatches<Key, Found>(
  keys: readonly Key[],
  read: (key: Key) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < keys.length; at += readAtOnce) {
    found.push(...(await Promise.all(keys.slice(at, at + readAtOnce).map(read))));
  }
  return found;
}
