import { expect, it } from "vitest";
import { ApiError } from "../../api/errors.ts";
import { attributed, networkFailure, refused, unanswered } from "./failure.ts";

const secret = 'it\'s a \\ "secret"';

it.each([
  ["as it is", secret],
  ["in SQL", secret.replaceAll("'", "''")],
  ["in SQL with escapes", secret.replaceAll("'", "''").replaceAll("\\", "\\\\")],
  ["in JSON", JSON.stringify(secret)],
  ["in a URL", encodeURIComponent(secret)],
])("no message holds a secret %s", (_, spelled) => {
  const failure = attributed(refused(`near ${spelled} there`), "db", [secret]) as ApiError;
  expect(failure).toMatchObject({ status: 400 });
  expect(failure.message).toMatch(/^connection "db": near "?\*\*\*"? there$/);
});

it("keeps what is certain, and names the connection", () => {
  expect(attributed(unanswered("gone"), "db", [])).toMatchObject({
    status: 502,
    isCertain: false,
    message: 'connection "db": gone',
  });
  expect(attributed(new ApiError(400, `bad ${secret}`), "db", [secret])).toMatchObject({
    status: 400,
    message: "bad ***",
  });
  const other = new Error("a fault of ours");
  expect(attributed(other, "db", [])).toBe(other);
});

it("does not take short words for secrets", () => {
  expect(attributed(refused("a cat sat"), "db", ["at", "a"])).toMatchObject({ message: 'connection "db": a cat sat' });
});

it.each([
  ["ECONNREFUSED", true],
  ["ENOTFOUND", true],
  ["ECONNRESET", false],
  ["ETIMEDOUT", false],
  [undefined, false],
])("a network failure of the code %s is certain: %s", (code, isCertain) => {
  expect(networkFailure("no", code)).toMatchObject({ isCertain, status: 502 });
});
