/** PEM: base64 between two lines that say what it is. */

/** The blocks of one kind in a text, decoded; other kinds and what stands between them are passed over. */
export function pemBlocks(text: string, kind: string): Uint8Array[] {
  const begin = `-----BEGIN ${kind}-----`;
  const end = `-----END ${kind}-----`;
  const blocks: Uint8Array[] = [];
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
    const stop = text.indexOf(end, at);
    if (stop < 0) break;
    blocks.push(Buffer.from(text.slice(at + begin.length, stop), "base64"));
  }
  return blocks;
}
