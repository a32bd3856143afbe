/** Doubles as text, in the shortest form that Go gives them. */

export function doubleText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return value.toString();
  return `${digits}e${power < 0 ? "-" : "+"}${Math.abs(power).toString().padStart(2, "0")}`;
}

const special: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["+inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

export function parseDouble(text: string): number | undefined {
  const named = special.get(text.toLowerCase());
  if (named !== undefined) return named;
  if (!decimal.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** All digits and no exponent, in the fewest digits that mean this double. */
export function plainDecimal(value: number): string {
  const [mantissa, exponent] = value.toString().split("e") as [string, string?];
  if (exponent === undefined) return Object.is(value, -0) ? "-0" : mantissa;
  const isNegative = mantissa.startsWith("-");
  const [whole, fraction = ""] = mantissa.replace("-", "").split(".") as [string, string?];
  const power = Number(exponent);
  const digits = whole + fraction;
  const text = power > 0 ? digits.padEnd(power + 1, "0") : `0.${"0".repeat(-power - 1)}${digits}`;
  return isNegative ? `-${text}` : text;
}

/** The double in binary is exact, so halves can be told: they go to the even neighbor, as in Go. */
export function roundedDecimal(value: number, places: number): string {
  const magnitude = Math.abs(value);
  const { numerator, denominator } = fractionOf(magnitude);
  const scaled = numerator * 10n ** BigInt(places);
  const [quotient, remainder] = [scaled / denominator, (scaled % denominator) * 2n];
  const isUp = remainder > denominator || (remainder === denominator && quotient % 2n === 1n);
  const digits = (isUp ? quotient + 1n : quotient).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return places === 0 ? sign + whole : `${sign}${whole}.${digits.slice(digits.length - places)}`;
}

function fractionOf(value: number): { numerator: bigint; denominator: bigint } {
  let denominator = 1n;
  let number = value;
  while (!Number.isInteger(number)) {
    number *= 2;
    denominator *= 2n;
  }
  return { numerator: BigInt(number), denominator };
}

/** The exponent has two digits at least. */
export function scientific(value: number, places: number): string {
  const [mantissa, exponent] = value.toExponential(places).split("e") as [string, string];
  const sign = exponent.startsWith("-") ? "-" : "+";
  const minus = Object.is(value, -0) ? "-" : "";
  return `${minus}${mantissa}e${sign}${exponent.slice(1).padStart(2, "0")}`;
}
