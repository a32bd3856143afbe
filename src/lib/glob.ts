/** Globs in which `*` stands for any number of characters. Matching takes pattern times text at the very most. */

export function globMatches(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === text;
  const tail = rest.pop() ?? "";
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let at = head.length;
  // The leftmost place for each part leaves the most room for those after it, so no place is tried twice.
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
