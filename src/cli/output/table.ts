/** Columns of text with a heading and a line of dashes under it. */

export type Row = readonly string[];

const gap = "    ";
const blank = "n/a";

export function renderTable(heading: Row, rows: readonly Row[]): string {
  const all = [heading, heading.map((title) => "-".repeat(title.length)), ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))));
  return all
    .map((row) => renderRow(row, widths))
    .join("\n")
    .concat("\n");
}

function renderRow(row: Row, widths: readonly number[]): string {
  return widths
    .map((width, column) => {
      const text = row[column] || blank;
      return column === widths.length - 1 ? text : text + " ".repeat(Math.max(0, width - widthOf(text)));
    })
    .join(gap);
}

export const keyValueTable = (rows: readonly Row[]): string => renderTable(["Key", "Value"], rows);

const widthOf = (text: string): number => Math.max([...text].length, text === "" ? blank.length : 0);

/** A title in the middle of a line that is as wide as what stands under it. */
export function titled(title: string, body: string): string {
  const width = Math.max(...body.split("\n").map(widthOf), title.length + 6);
  const left = Math.floor((width - title.length - 2) / 2);
  const right = width - title.length - 2 - left;
  return `${"=".repeat(left)} ${title} ${"=".repeat(right)}\n${body}`;
}
