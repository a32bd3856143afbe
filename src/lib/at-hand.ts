/** Values that are mostly there already: who uses them at once spares a turn of the event loop's queue for each. */

export type AtHand<T> = T | Promise<T>;

/** Goes on with the value now, or when it has come. */
export function withValue<T, Result>(value: AtHand<T>, use: (value: T) => AtHand<Result>): AtHand<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** All of them, without a promise where none of them is one. */
export function allAtHand<T>(values: readonly AtHand<T>[]): AtHand<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
