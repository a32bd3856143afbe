import { beforeEach, describe, expect, test } from "vitest";
import { parseCompactJws } from "../../lib/jws/message.ts";
import { jwkOf, otherRsaPair, type Pair, rsaPair, signToken } from "./issuer-fixture.suite.ts";
import { KeySourceError } from "./key-source.ts";
import { RemoteKeys } from "./remote-keys.ts";

const clock = { time: 0, now: () => clock.time };
const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const setOf = (...keys: object[]) => JSON.stringify({ keys });
const jws = (pair: Pair, kid?: string) => parseCompactJws(signToken({}, pair, kid === undefined ? {} : { kid }));

/** An issuer that answers when the test lets it. */
class Issuer {
  asked = 0;
  answer: () => Promise<string> = async () => setOf(jwkOf(rsaPair, "one"));
  readonly keys = new RemoteKeys(
    () => {
      this.asked += 1;
      return this.answer();
    },
    clock,
    log,
  );
}

let issuer: Issuer;
beforeEach(() => {
  clock.time = 0;
  issuer = new Issuer();
});

const refused = (work: Promise<void>) => expect(work).rejects.toBeInstanceOf(KeySourceError);

describe("an issuer that hangs", () => {
  test("holds up only those whose keys are not known", async () => {
    await issuer.keys.requireSigned(jws(rsaPair, "one"));
    const { promise, resolve } = Promise.withResolvers<string>();
    issuer.answer = () => promise;
    const waiting = [1, 2, 3].map(() => issuer.keys.requireSigned(jws(otherRsaPair, "two")));
    await issuer.keys.requireSigned(jws(rsaPair, "one"));
    // Old keys are refreshed behind the back of who logs in.
    clock.time += 3_600_000;
    await issuer.keys.requireSigned(jws(rsaPair, "one"));
    resolve(setOf(jwkOf(otherRsaPair, "two")));
    await Promise.all(waiting);
    expect(issuer.asked).toBe(2);
  });
});

describe("an issuer that is down", () => {
  beforeEach(() => {
    issuer.answer = () => Promise.reject(new KeySourceError("fetching keys failed"));
  });

  test("is asked a few times, and then again after a while", async () => {
    for (let time = 0; time < 20; time++) await refused(issuer.keys.requireSigned(jws(rsaPair)));
    expect(issuer.asked).toBe(5);
    clock.time += 9_999;
    await refused(issuer.keys.check());
    expect(issuer.asked).toBe(5);
    clock.time += 1;
    issuer.answer = async () => setOf(jwkOf(rsaPair));
    await issuer.keys.check();
    await issuer.keys.requireSigned(jws(rsaPair));
    expect(issuer.asked).toBe(6);
  });
});

describe("an issuer that answers nonsense", () => {
  test.each(["", "[]", "{}", '{"keys":5}', "<html>"])("%j", async (text) => {
    issuer.answer = async () => text;
    await refused(issuer.keys.check());
  });

  test("does not make us forget what we know", async () => {
    await issuer.keys.requireSigned(jws(rsaPair, "one"));
    issuer.answer = async () => "<html>";
    await refused(issuer.keys.requireSigned(jws(otherRsaPair, "two")));
    await issuer.keys.requireSigned(jws(rsaPair, "one"));
  });
});

test("a key that is no longer published is forgotten within ten minutes of use", async () => {
  await issuer.keys.requireSigned(jws(rsaPair, "one"));
  issuer.answer = async () => setOf(jwkOf(otherRsaPair, "two"));
  clock.time += 600_000;
  await issuer.keys.requireSigned(jws(rsaPair, "one"));
  await new Promise(setImmediate);
  await refused(issuer.keys.requireSigned(jws(rsaPair, "one")));
});

test.each<[string, string | undefined, string | undefined, boolean]>([
  ["the same name", "a", "a", true],
  ["another name", "a", "b", false],
  ["no name on the token", undefined, "a", true],
  ["no name on the key", "a", undefined, true],
])("%s", async (_, onToken, onKey, expected) => {
  issuer.answer = async () => setOf(jwkOf(rsaPair, onKey));
  const work = issuer.keys.requireSigned(jws(rsaPair, onToken));
  await (expected ? work : refused(work));
});
