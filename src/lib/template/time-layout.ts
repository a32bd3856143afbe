/** Writes a moment, in UTC, after an example layout: `2006-01-02 15:04:05` stands for year, month, day and so on. */

const months = "January February March April May June July August September October November December".split(" ");
const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const two = (value: number) => String(value).padStart(2, "0");
const hour12 = (at: Date) => at.getUTCHours() % 12 || 12;
const dayOfYear = (at: Date) => Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;

/** The longer of two words that begin alike stands first. */
const words: readonly (readonly [string, (at: Date) => string])[] = [
  ["January", (at) => months[at.getUTCMonth()]!],
  ["Jan", (at) => months[at.getUTCMonth()]!.slice(0, 3)],
  ["Monday", (at) => days[at.getUTCDay()]!],
  ["Mon", (at) => days[at.getUTCDay()]!.slice(0, 3)],
  ["MST", () => "UTC"],
  ["2006", (at) => String(at.getUTCFullYear()).padStart(4, "0")],
  ["-07:00:00", () => "+00:00:00"],
  ["-070000", () => "+000000"],
  ["-07:00", () => "+00:00"],
  ["-0700", () => "+0000"],
  ["-07", () => "+00"],
  ["Z07:00:00", () => "Z"],
  ["Z070000", () => "Z"],
  ["Z07:00", () => "Z"],
  ["Z0700", () => "Z"],
  ["Z07", () => "Z"],
  ["002", (at) => String(dayOfYear(at)).padStart(3, "0")],
  ["01", (at) => two(at.getUTCMonth() + 1)],
  ["02", (at) => two(at.getUTCDate())],
  ["03", (at) => two(hour12(at))],
  ["04", (at) => two(at.getUTCMinutes())],
  ["05", (at) => two(at.getUTCSeconds())],
  ["06", (at) => two(at.getUTCFullYear() % 100)],
  ["15", (at) => two(at.getUTCHours())],
  ["PM", (at) => (at.getUTCHours() < 12 ? "AM" : "PM")],
  ["pm", (at) => (at.getUTCHours() < 12 ? "am" : "pm")],
  ["__2", (at) => String(dayOfYear(at)).padStart(3, " ")],
  ["_2", (at) => String(at.getUTCDate()).padStart(2, " ")],
  ["1", (at) => String(at.getUTCMonth() + 1)],
  ["2", (at) => String(at.getUTCDate())],
  ["3", (at) => String(hour12(at))],
  ["4", (at) => String(at.getUTCMinutes())],
  ["5", (at) => String(at.getUTCSeconds())],
];

export function timeText(milliseconds: number, layout: string): string {
  const moment = new Date(milliseconds);
  let text = "";
  for (let at = 0; at < layout.length; ) {
    const word = words.find(([name]) => layout.startsWith(name, at));
    const [part, length] = word ? [word[1](moment), word[0].length] : fraction(layout, at, moment);
    text += part;
    at += length;
  }
  return text;
}

/** `.000` and `,000` write that many digits; with nines, zeros at the end are left away. */
function fraction(layout: string, at: number, moment: Date): [string, number] {
  const point = layout[at]!;
  const digit = layout[at + 1];
  if ((point !== "." && point !== ",") || (digit !== "0" && digit !== "9")) return [point, 1];
  let length = 1;
  while (layout[at + length] === digit) length++;
  const next = layout[at + length];
  if (next !== undefined && next >= "0" && next <= "9") return [point, 1];
  const digits = `${String(moment.getUTCMilliseconds()).padStart(3, "0")}000000`
    .padEnd(length, "0")
    .slice(0, length - 1);
  const kept = digit === "0" ? digits : digits.replace(/0+$/, "");
  return [kept === "" ? "" : point + kept, length];
}
