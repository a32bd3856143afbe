/** Tables of requests and the answers that clients expect, one line for each. */
import { expect } from "vitest";
import type { HttpCaller } from "./http-caller.ts";

export interface HttpCase {
  readonly what: string;
  /** Method and path, as in a request line. */
  readonly send: string;
  readonly body?: object | string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly status: number;
  /** What the JSON of the answer holds; a string is all the text of it. */
  readonly answer?: object | string;
  /** The only messages of an error. */
  readonly errors?: readonly unknown[];
  readonly sends?: Readonly<Record<string, unknown>>;
}

export async function expectAnswer(caller: HttpCaller, each: HttpCase): Promise<void> {
  const [method, path] = each.send.split(" ");
  const answer = await caller.call(method!, path!, each.body, {
    ...(each.token !== undefined && { token: each.token }),
    ...(each.headers && { headers: each.headers }),
  });
  expect(answer.status, answer.text).toBe(each.status);
  if (typeof each.answer === "string") expect(answer.text).toBe(each.answer);
  else if (each.answer) expect(answer.json).toMatchObject(each.answer);
  if (each.errors) expect(answer.json).toEqual({ errors: each.errors });
  if (each.sends) expect(answer.headers).toMatchObject(each.sends);
  if (answer.status >= 500) expect(answer.text).not.toContain("internal error");
}
