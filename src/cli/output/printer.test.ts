import { describe, expect, it } from "vitest";
import { Answer } from "../../client/client.ts";
import { parseJson } from "../../lib/json.ts";
import { RecordedTerminal } from "../terminal-fixture.suite.ts";
import { type Format, Printer } from "./printer.ts";

function printed(format: Format, body: string, field?: string, isInteractive = false): RecordedTerminal {
  const terminal = new RecordedTerminal();
  terminal.isInteractive = isInteractive;
  const isJson = body.startsWith("{");
  new Printer(terminal, format, field).secret(new Answer(isJson ? parseJson(body) : undefined, Buffer.from(body)));
  return terminal;
}

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

const lease =
  '{"request_id":"r","lease_id":"db/1","renewable":true,"lease_duration":3600,"data":{"user":"u","big":9007199254740993},"warnings":["careful"]}';
const token =
  '{"auth":{"client_token":"s.x","accessor":"acc","policies":["default","p"],"token_policies":["default","p"],"metadata":{"user":"ada"},"lease_duration":0,"renewable":false}}';
const wrapped =
  '{"wrap_info":{"token":"s.w","accessor":"acc","ttl":60,"creation_time":"2030-01-01T00:00:00Z","creation_path":"a"}}';

describe("tables", () => {
  it("show a lease before the data", () => {
    expect(printed("table", lease).output).toBe(
      lines(
        "Key                Value",
        "---                -----",
        "lease_id           db/1",
        "lease_duration     1h",
        "lease_renewable    true",
        "big                9007199254740993",
        "user               u",
      ),
    );
  });

  it("show a new token", () => {
    expect(printed("table", token).output).toBe(
      lines(
        "Key                  Value",
        "---                  -----",
        "token                s.x",
        "token_accessor       acc",
        "token_duration       ∞",
        "token_renewable      false",
        'token_policies       ["default" "p"]',
        "identity_policies    []",
        'policies             ["default" "p"]',
        "token_meta_user      ada",
      ),
    );
  });

  it("show a wrapping token", () => {
    expect(printed("table", wrapped).output).toContain("wrapping_token_ttl              1m\n");
  });

  it("show when to read again", () => {
    expect(printed("table", '{"lease_duration":2764800,"data":{"a":"b"}}').output).toContain(
      "refresh_interval    768h\n",
    );
  });
});

describe("formats", () => {
  it("JSON has the whole envelope, digit for digit", () => {
    const { output } = printed("json", lease);
    expect(output).toContain('"big": 9007199254740993');
    expect(Object.keys(JSON.parse(output))).toEqual([
      "request_id",
      "lease_id",
      "lease_duration",
      "renewable",
      "data",
      "warnings",
    ]);
  });

  it("YAML has the same", () => {
    expect(printed("yaml", lease).output).toContain("data:\n  user: u\n  big: 9007199254740993\n");
  });

  it("pretty has the data alone", () => {
    expect(printed("pretty", lease).output).toBe("user: u\nbig: 9007199254740993\n");
    expect(printed("pretty", token).output).toContain("client_token: s.x\n");
  });

  it("raw has what the server sent", () => {
    expect(printed("raw", "-----BEGIN CERTIFICATE-----").output).toBe("-----BEGIN CERTIFICATE-----");
    expect(printed("raw", lease).output).toBe(lease);
  });

  it("an answer that is not JSON is shown only as it is", () => {
    expect(() => printed("table", "-----BEGIN")).toThrow("-format=raw");
  });

  it("warnings go beside the output", () => {
    expect(printed("json", lease).complaints).toContain("* careful");
    expect(printed("json", lease).output).not.toContain("WARNING");
  });
});

describe("one field", () => {
  it.each([
    [lease, "user", "table", "u"],
    [lease, "big", "table", "9007199254740993"],
    [lease, "lease_id", "table", "db/1"],
    [lease, "lease_duration", "table", "3600"],
    [token, "token", "table", "s.x"],
    [token, "policies", "table", '["default","p"]'],
    [token, "token_meta_user", "table", "ada"],
    [wrapped, "wrapping_token", "table", "s.w"],
    ['{"data":{"a":{"b":null}}}', "a", "table", '{"b":null}'],
    ['{"data":{"a":""}}', "a", "table", ""],
    [lease, "user", "json", '"u"\n'],
    [lease, "user", "yaml", "u\n"],
  ] satisfies [string, string, Format, string][])("%s -field=%s -format=%s", (body, field, format, text) => {
    expect(printed(format, body, field).output).toBe(text);
  });

  it("ends with a line feed only for people", () => {
    expect(printed("table", lease, "user", true).output).toBe("u\n");
  });

  it("must be there", () => {
    expect(() => printed("table", lease, "nope")).toThrow('Field "nope" not present');
  });
});
