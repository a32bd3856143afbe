import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LogFile, type LogFileOptions } from "./log-file.ts";

let folder = "";
let clock = 0;
let troubles: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "strongroom-log-"));
  clock = Date.now() + 10_000;
  troubles = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(options: Partial<LogFileOptions> = {}) {
  return new LogFile({
    path: join(folder, "server.log"),
    rotateBytes: 0,
    rotateSeconds: 0,
    maxFiles: 0,
    now: () => clock,
    onTrouble: (reason) => troubles.push(reason),
    ...options,
  });
}

const read = (name: string) => readFileSync(join(folder, name), "utf8");
const files = () => readdirSync(folder).sort();
const old = () => files().filter((name) => name !== "server.log");

test("lines are added to what was there, and nobody else may read them", () => {
  const file = open();
  file.write("one\n");
  file.close();
  const again = open();
  again.write("two\n");
  again.close();
  expect(read("server.log")).toBe("one\ntwo\n");
  expect(statSync(join(folder, "server.log")).mode & 0o777).toBe(0o600);
});

test.each(["", "/"])("a folder gets a file (written with %j at its end)", (end) => {
  open({ path: `${folder}${end}` }).write("x\n");
  expect(files()).toEqual(["strongroom.log"]);
});

test("a path that cannot be written is said at once", () => {
  expect(() => open({ path: join(folder, "missing", "server.log") })).toThrow(
    /^log_file: cannot write to .* \(ENOENT\)$/,
  );
});

describe("a new file is begun", () => {
  test("before a line that would make it too large", () => {
    const file = open({ rotateBytes: 10 });
    for (const line of ["12345\n", "678\n", "9\n"]) file.write(line);
    expect(read("server.log")).toBe("9\n");
    expect(old().map(read)).toEqual(["12345\n678\n"]);
  });

  test("but a line larger than all is written anyway", () => {
    const file = open({ rotateBytes: 3 });
    file.write("12345\n");
    expect(read("server.log")).toBe("12345\n");
    expect(old()).toEqual([]);
  });

  test("when it is old enough", () => {
    const file = open({ rotateSeconds: 3600 });
    file.write("a\n");
    clock += 3_599_000;
    file.write("b\n");
    clock += 1_000;
    file.write("c\n");
    expect(read("server.log")).toBe("c\n");
    expect(old().map(read)).toEqual(["a\nb\n"]);
  });

  test("also twice within a millisecond", () => {
    const file = open({ rotateBytes: 1 });
    for (const line of ["a\n", "b\n", "c\n"]) file.write(line);
    expect(old().map(read)).toEqual(["a\n", "b\n"]);
  });

  test("when somebody moved it away and says so", () => {
    const file = open();
    file.write("a\n");
    renameSync(join(folder, "server.log"), join(folder, "moved"));
    file.write("b\n");
    file.reopen();
    file.write("c\n");
    expect(read("moved")).toBe("a\nb\n");
    expect(read("server.log")).toBe("c\n");
  });
});

test.each([
  [0, 4],
  [2, 2],
  [-1, 0],
])("of four old files, a limit of %i keeps %i: the newest, and no others' files", (maxFiles, kept) => {
  for (const name of ["server-backup.log", "server-1x.log", "other-1.log"]) writeFileSync(join(folder, name), "mine");
  const file = open({ rotateBytes: 1, maxFiles });
  for (const line of ["a\n", "b\n", "c\n", "d\n", "e\n"]) {
    clock += 1;
    file.write(line);
  }
  const rotated = files().filter((name) => /^server-\d+\.log$/.test(name));
  expect(rotated.map(read)).toEqual(["a\n", "b\n", "c\n", "d\n"].slice(4 - kept));
  expect(files()).toEqual(expect.arrayContaining(["server-backup.log", "server-1x.log", "other-1.log"]));
});

test("what cannot be written is complained of once, and stops nobody", () => {
  const file = open({ rotateBytes: 1 });
  file.write("a\n");
  rmSync(folder, { recursive: true });
  file.write("b\n");
  file.write("c\n");
  expect(troubles).toHaveLength(1);
  expect(troubles[0]).toContain("cannot be written");
  mkdirSync(folder);
  file.reopen();
  file.write("d\n");
  expect(read("server.log")).toBe("d\n");
});

test("a closed file takes nothing more", () => {
  const file = open();
  file.close();
  file.write("late\n");
  file.reopen();
  file.close();
  expect(read("server.log")).toBe("");
  expect(troubles).toEqual([]);
});

test("a file that others write to is begun anew when it is due, and they are told", () => {
  let rotations = 0;
  const file = open({ rotateBytes: 100, onRotated: () => rotations++ });
  file.write("mine\n");
  file.rotateIfDue();
  expect([files().length, rotations]).toEqual([1, 0]);
  writeFileSync(join(folder, "server.log"), "theirs\n".repeat(20), { flag: "a" });
  file.rotateIfDue();
  expect([files().length, rotations, read("server.log")]).toEqual([2, 1, ""]);
  file.close();
});
