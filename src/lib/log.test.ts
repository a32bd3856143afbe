import { describe, expect, test } from "vitest";
import { LineLog, type LogLevel, logLevels } from "./log.ts";

function made(level: LogLevel, format: "standard" | "json" = "standard") {
  const lines: string[] = [];
  const log = new LineLog({
    level,
    format,
    write: (line) => lines.push(line),
    now: () => Date.UTC(2030, 0, 1, 12, 0, 0, 5),
  });
  return { log, lines };
}

describe("a line", () => {
  test("for people", () => {
    const { log, lines } = made("info");
    log.named("core").warn("the disk is full", { path: "/var lib", left: 0 });
    expect(lines).toEqual(['2030-01-01T12:00:00.005Z [WARN] core: the disk is full path="/var lib" left=0\n']);
  });

  test("for machines", () => {
    const { log, lines } = made("info", "json");
    log.named("http").error("closed", { peer: "10.0.0.1" });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        "@timestamp": "2030-01-01T12:00:00.005Z",
        "@level": "error",
        "@module": "http",
        "@message": "closed",
        peer: "10.0.0.1",
      },
    ]);
  });

  test.each(["standard", "json"] as const)("is one line, whatever a caller put in (%s)", (format) => {
    const { log, lines } = made("info", format);
    log.named("http").info("answered", { path: "/v1/a\nINJECTED\r\n\u2028" });
    expect(lines.join("").match(/\n/g)).toHaveLength(1);
  });
});

describe("levels", () => {
  test.each(logLevels.map((level, index) => [level, logLevels.slice(index)] as const))(
    "%s shows %j",
    (level, expected) => {
      const { log, lines } = made(level);
      const part = log.named("core");
      for (const each of logLevels) part[each]("x");
      expect(lines.map((line) => line.split(/[[\]]/)[1]?.toLowerCase())).toEqual(expected);
    },
  );

  test("a part may say more than the others, until the log is configured anew", () => {
    const { log, lines } = made("warn");
    log.named("core").setLevel("debug");
    log.named("core").debug("told");
    log.named("http").debug("not told");
    expect(lines).toHaveLength(1);
    expect(log.parts.map(({ name, level }) => [name, level])).toEqual([
      ["core", "debug"],
      ["http", "warn"],
    ]);
    log.configure("error");
    expect(log.parts.map(({ level }) => level)).toEqual(["error", "error"]);
  });

  test("a part is made once, and only by name", () => {
    const { log } = made("info");
    expect(log.part("core")).toBeUndefined();
    expect(log.named("core")).toBe(log.named("core"));
    expect(log.part("core")).toBe(log.named("core"));
  });
});
