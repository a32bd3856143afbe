/** Draws a text as a QR code (ISO/IEC 18004) with half blocks, for a terminal: byte mode, lowest error correction. */

interface Version {
  readonly number: number;
  /** All codewords, and those for error correction in each block. */
  readonly codewords: number;
  readonly correction: number;
  readonly blocks: number;
  readonly alignment: readonly number[];
}

const version = (
  number: number,
  codewords: number,
  correction: number,
  blocks: number,
  alignment: number[],
): Version => ({
  number,
  codewords,
  correction,
  blocks,
  alignment,
});

const versions: readonly Version[] = [
  version(1, 26, 7, 1, []),
  version(2, 44, 10, 1, [6, 18]),
  version(3, 70, 15, 1, [6, 22]),
  version(4, 100, 20, 1, [6, 26]),
  version(5, 134, 26, 1, [6, 30]),
  version(6, 172, 18, 2, [6, 34]),
  version(7, 196, 20, 2, [6, 22, 38]),
  version(8, 242, 24, 2, [6, 24, 42]),
  version(9, 292, 30, 2, [6, 26, 46]),
  version(10, 346, 18, 4, [6, 28, 50]),
];

/** Undefined for a text that is too long. */
export function qrCode(text: string): string | undefined {
  const modules = qrModules(text);
  return modules && drawn(modules);
}

/** True where a module is dark. */
export function qrModules(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = Buffer.from(text, "utf8");
  const chosen = versions.find((candidate) => bytes.length <= capacity(candidate));
  if (!chosen) return undefined;
  const codewords = interleaved(chosen, dataCodewords(chosen, bytes));
  const candidates = masks.map((_, mask) => new Matrix(chosen, codewords, mask));
  return candidates.reduce((best, next) => (next.penalty() < best.penalty() ? next : best)).modules;
}

const dataLength = ({ codewords, correction, blocks }: Version) => codewords - correction * blocks;
const lengthBits = ({ number }: Version) => (number < 10 ? 8 : 16);
const capacity = (chosen: Version) => Math.floor((dataLength(chosen) * 8 - 4 - lengthBits(chosen)) / 8);

function dataCodewords(chosen: Version, bytes: Uint8Array): number[] {
  const bits: number[] = [];
  const append = (value: number, length: number) => {
    for (let at = length - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  append(0b0100, 4);
  append(bytes.length, lengthBits(chosen));
  for (const byte of bytes) append(byte, 8);
  const total = dataLength(chosen) * 8;
  append(0, Math.min(4, total - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  for (let filler = 0xec; bits.length < total; filler ^= 0xec ^ 0x11) append(filler, 8);
  const words: number[] = [];
  for (let at = 0; at < bits.length; at += 8) words.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2));
  return words;
}

/** Long blocks, with one word more, come last; words are taken from all blocks in turn. */
function interleaved(chosen: Version, data: readonly number[]): number[] {
  const { blocks, correction } = chosen;
  const short = Math.floor(data.length / blocks);
  const shortBlocks = blocks - (data.length % blocks);
  const divisor = generator(correction);
  const parts: { data: readonly number[]; check: readonly number[] }[] = [];
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    const length = short + (block < shortBlocks ? 0 : 1);
    const part = data.slice(at, at + length);
    parts.push({ data: part, check: remainder(part, divisor) });
    at += length;
  }
  const words: number[] = [];
  for (let index = 0; index <= short; index++) {
    for (const part of parts) if (index < part.data.length) words.push(part.data[index]!);
  }
  for (let index = 0; index < correction; index++) for (const part of parts) words.push(part.check[index]!);
  return words;
}

/** Multiplication in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
export function multiply(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((right >> bit) & 1) * left;
  }
  return product;
}

/** The product of x - 2^i, without its leading one. */
function generator(degree: number): number[] {
  const coefficients = Array.from({ length: degree }, (_, index): number => (index === degree - 1 ? 1 : 0));
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let index = 0; index < degree; index++) {
      coefficients[index] = multiply(coefficients[index]!, root) ^ (coefficients[index + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return coefficients;
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ rest.shift()!;
    rest.push(0);
    for (const [index, coefficient] of divisor.entries()) rest[index]! ^= multiply(coefficient, factor);
  }
  return rest;
}

type Mask = (x: number, y: number) => boolean;

const masks: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Matrix {
  readonly modules: boolean[][];
  /** Finders, timing and the like, which carry no data and are not masked. */
  readonly #fixed: boolean[][];
  readonly #size: number;

  constructor(chosen: Version, codewords: readonly number[], mask: number) {
    this.#size = chosen.number * 4 + 17;
    this.modules = Array.from({ length: this.#size }, () => new Array<boolean>(this.#size).fill(false));
    this.#fixed = Array.from({ length: this.#size }, () => new Array<boolean>(this.#size).fill(false));
    this.#placePatterns(chosen);
    this.#placeFormat(mask);
    this.#placeVersion(chosen.number);
    this.#placeData(codewords, masks[mask]!);
  }

  #set(x: number, y: number, dark: boolean): void {
    this.modules[y]![x] = dark;
    this.#fixed[y]![x] = true;
  }

  #placePatterns({ alignment }: Version): void {
    const last = this.#size - 1;
    for (let at = 0; at < this.#size; at++) {
      this.#set(6, at, at % 2 === 0);
      this.#set(at, 6, at % 2 === 0);
    }
    for (const [x, y] of [
      [3, 3],
      [last - 3, 3],
      [3, last - 3],
    ] as const)
      this.#placeFinder(x, y);
    const [first, end] = [alignment[0], alignment.at(-1)];
    for (const x of alignment) {
      for (const y of alignment) {
        const isFinder = (x === first && y === first) || (x === first && y === end) || (x === end && y === first);
        if (!isFinder) this.#placeRings(x, y, 2, (distance) => distance !== 1);
      }
    }
  }

  #placeFinder(x: number, y: number): void {
    this.#placeRings(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  }

  #placeRings(x: number, y: number, radius: number, isDark: (distance: number) => boolean): void {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const [column, row] = [x + dx, y + dy];
        if (column < 0 || row < 0 || column >= this.#size || row >= this.#size) continue;
        this.#set(column, row, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  /** Level and mask, with ten bits of BCH code, twice. */
  #placeFormat(mask: number): void {
    const data = (0b01 << 3) | mask;
    let rest = data;
    for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (index: number) => ((bits >> index) & 1) === 1;
    const last = this.#size - 1;
    for (let index = 0; index <= 5; index++) this.#set(8, index, bit(index));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let index = 9; index < 15; index++) this.#set(14 - index, 8, bit(index));
    for (let index = 0; index < 8; index++) this.#set(last - index, 8, bit(index));
    for (let index = 8; index < 15; index++) this.#set(8, last - 14 + index, bit(index));
    this.#set(8, last - 7, true);
  }

  #placeVersion(number: number): void {
    if (number < 7) return;
    let rest = number;
    for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (number << 12) | rest;
    for (let index = 0; index < 18; index++) {
      const dark = ((bits >> index) & 1) === 1;
      const [long, short] = [this.#size - 11 + (index % 3), Math.floor(index / 3)];
      this.#set(long, short, dark);
      this.#set(short, long, dark);
    }
  }

  /** In columns of two, from the right, up and down in turn. */
  #placeData(codewords: readonly number[], mask: Mask): void {
    let at = 0;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.#size; step++) {
        const y = ((right + 1) & 2) === 0 ? this.#size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.#fixed[y]![x]) continue;
          const dark = at < codewords.length * 8 && ((codewords[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
          this.modules[y]![x] = dark !== mask(x, y);
          at += 1;
        }
      }
    }
  }

  /** How hard it would be to read: runs of one color and squares of it, and an uneven share of dark. */
  penalty(): number {
    let total = 0;
    const at = (x: number, y: number) => this.modules[y]?.[x];
    for (let line = 0; line < this.#size; line++) {
      total += runs(this.modules[line]!) + runs(this.modules.map((row) => row[line]!));
      for (let x = 0; x < this.#size; x++) {
        const dark = at(x, line);
        if (dark === at(x + 1, line) && dark === at(x, line + 1) && dark === at(x + 1, line + 1)) total += 3;
      }
    }
    const dark = this.modules.flat().filter(Boolean).length / this.#size ** 2;
    return total + Math.floor(Math.abs(dark - 0.5) * 20) * 10;
  }
}

function runs(line: readonly boolean[]): number {
  let total = 0;
  let length = 0;
  for (const [index, dark] of line.entries()) {
    length = index > 0 && dark === line[index - 1] ? length + 1 : 1;
    if (length === 5) total += 3;
    else if (length > 5) total += 1;
  }
  return total;
}

/** Two rows to a line of text, light on dark terminals and with the quiet zone that readers need. */
function drawn(modules: readonly (readonly boolean[])[]): string {
  const quiet = 2;
  const isLight = (x: number, y: number) => modules[y]?.[x] !== true;
  const lines: string[] = [];
  for (let y = -quiet; y < modules.length + quiet; y += 2) {
    let line = "";
    for (let x = -quiet; x < modules.length + quiet; x++) {
      const [top, bottom] = [isLight(x, y), isLight(x, y + 1)];
      line += top ? (bottom ? "█" : "▀") : bottom ? "▄" : " ";
    }
    lines.push(line);
  }
  return lines.join("\n");
}
