import { describe, expect, it } from "vitest";
import { isPassing, isPassingFailure, pauseBefore } from "./retry.ts";

describe("which answers may pass", () => {
  it.each([412, 429, 500, 502, 503, 504])("%i", (status) => expect(isPassing(status)).toBe(true));
  it.each([200, 204, 307, 400, 403, 404, 405, 501])("not %i", (status) => expect(isPassing(status)).toBe(false));
});

describe("which failures may pass", () => {
  it.each(["ECONNREFUSED", "ECONNRESET", "EAI_AGAIN"])("%s", (code) => expect(isPassingFailure({ code })).toBe(true));
  it.each(["ENOTFOUND", "CERT_HAS_EXPIRED", "ETIMEDOUT", "EPROTO", undefined])("not %s", (code) => {
    expect(isPassingFailure({ code })).toBe(false);
  });
});

describe("pauseBefore", () => {
  const reply = (after: string) => ({ status: 429, headers: { "retry-after": after }, body: Buffer.alloc(0) });

  it("grows with the attempts and differs between clients", () => {
    expect(pauseBefore(1, undefined, () => 0)).toBe(1000);
    expect(pauseBefore(1, undefined, () => 0.5)).toBe(1250);
    expect(pauseBefore(3, undefined, () => 0)).toBe(3000);
  });

  it("obeys the server, within reason", () => {
    expect(pauseBefore(1, reply("7"), () => 0)).toBe(7000);
    expect(pauseBefore(1, reply("86400"), () => 0)).toBe(30_000);
    expect(pauseBefore(1, reply("soon"), () => 0)).toBe(1000);
  });
});
