/** Names of accounts, orders and the like: they begin with the time of their making, so that the store keeps them in that order. */
import type { Random } from "../../../api/engine.ts";

const timeDigits = 12;
const randomBytes = 12;
const form = /^[0-9a-f]{36}$/;

export const newId = (now: Date, random: Random): string =>
  timePrefix(now.getTime()) + Buffer.from(random.bytes(randomBytes)).toString("hex");

/** Sorts before every id that was made at that time or later. */
export const timePrefix = (milliseconds: number): string => milliseconds.toString(16).padStart(timeDigits, "0");

export const timeOf = (id: string): number => Number.parseInt(id.slice(0, timeDigits), 16);

/** What a path names may be anything; only this can be in the store. */
export const isId = (text: string): boolean => form.test(text);
