/** Prints rows of text as columns: the first to the left, all others to the right. */

export function printTable(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd();
  console.log(`\n${title}\n`);
  for (const row of [heads, widths.map((width) => "─".repeat(width)), ...rows]) console.log(line(row));
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

export const decimals = (value: number, count = 2): string => (Number.isFinite(value) ? value.toFixed(count) : "");
