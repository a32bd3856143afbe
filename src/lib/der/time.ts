/** Points in time: two-digit years up to 2049 and four-digit years beyond, as RFC 5280 wants them. */
import { DerError } from "./der-error.ts";
import { bufferOf, type Element } from "./reader.ts";
import { tags } from "./tags.ts";
import { element } from "./writer.ts";

/** UTCTime for the years 1950 to 2049, GeneralizedTime for the rest (RFC 5280, 4.1.2.5). Fractions of a second are dropped. */
export function time(date: Date): Uint8Array {
  const text = digitsOf(date);
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? element(tags.utcTime, Buffer.from(text.slice(2), "latin1"))
    : element(tags.generalizedTime, Buffer.from(text, "latin1"));
}

/** Always with four digits for the year: OCSP and invalidity dates. */
export const generalizedTime = (date: Date): Uint8Array =>
  element(tags.generalizedTime, Buffer.from(digitsOf(date), "latin1"));

export function timeOf(element: Element | undefined): Date {
  if (element?.tag !== tags.utcTime && element?.tag !== tags.generalizedTime) throw new DerError("expected a time");
  const text = bufferOf(element.content).toString("latin1");
  const isShort = element.tag === tags.utcTime;
  if (text.length !== (isShort ? 13 : 15) || !/^\d+Z$/.test(text)) throw new DerError("a time is malformed");
  const digits = isShort ? (text < "50" ? `20${text}` : `19${text}`) : text;
  const at = (start: number) => digits.slice(start, start + 2);
  const iso = `${digits.slice(0, 4)}-${at(4)}-${at(6)}T${at(8)}:${at(10)}:${at(12)}.000Z`;
  const date = new Date(iso);
  // The 30th of February would otherwise be the 1st or 2nd of March.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) throw new DerError("a time does not exist");
  return date;
}

/** `YYYYMMDDHHMMSSZ` */
function digitsOf(date: Date): string {
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new DerError("a time is not between the years 0 and 9999");
  const iso = date.toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
}
