import { describe, expect, test } from "vitest";
import { type HeadersByStatus, ResponseHeaders } from "./response-headers.ts";

const transport = { "strict-transport-security": ["max-age=31536000; includeSubDomains"] };

function shown(headers: ResponseHeaders, status: number): Record<string, string[]> {
  const { list, names } = headers.for(status);
  const byName: Record<string, string[]> = {};
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i]!;
    byName[name] = [...(byName[name] ?? []), list[i + 1]!];
  }
  expect(new Set(Object.keys(byName))).toEqual(names);
  return byName;
}

const configured: HeadersByStatus = {
  default: { "X-Team": ["all"], "X-Frame-Options": ["DENY"] },
  "4xx": { "X-Team": ["clients"] },
  "404": { "x-team": ["lost"], Link: ["<a>", "<b>"] },
  "5xx": { "Strict-Transport-Security": ["max-age=1"] },
};

describe("answers of a listener have", () => {
  test.each<[number, HeadersByStatus, Record<string, string[]>]>([
    [200, {}, transport],
    [200, configured, { ...transport, "x-team": ["all"], "x-frame-options": ["DENY"] }],
    [403, configured, { ...transport, "x-team": ["clients"], "x-frame-options": ["DENY"] }],
    [404, configured, { ...transport, "x-team": ["lost"], "x-frame-options": ["DENY"], link: ["<a>", "<b>"] }],
    [500, configured, { "strict-transport-security": ["max-age=1"], "x-team": ["all"], "x-frame-options": ["DENY"] }],
  ])("with status %i and %j: %j", (status, byStatus, expected) => {
    expect(shown(new ResponseHeaders(byStatus), status)).toEqual(expected);
  });

  test("the host's name under both names, if the operator wants that", () => {
    expect(shown(new ResponseHeaders({}, "node-7"), 200)).toEqual({
      ...transport,
      "x-service-hostname": ["node-7"],
      "x-vault-hostname": ["node-7"],
    });
  });

  test("what was made ready once", () => {
    const headers = new ResponseHeaders(configured);
    expect(headers.for(200)).toBe(headers.for(200));
  });
});
