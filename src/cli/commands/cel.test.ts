import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../terminal-fixture.suite.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cel-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(command: string, program: string, variables?: string) {
  const files = { program: join(folder, "program"), variables: join(folder, "variables") };
  await writeFile(files.program, program);
  await writeFile(files.variables, variables ?? "");
  const given = variables === undefined ? [] : [`-variables=${files.variables}`];
  return runCommand(["cel", ...command.split(" "), `-program=${files.program}`, ...given]);
}

const role = JSON.stringify({
  variables: [{ name: "isAdmin", expression: "'admin' in claims.groups" }],
  expression: "isAdmin ? pb.Auth{display_name: claims.sub, num_uses: 9007199254740993} : 'only for administrators'",
});

it("checks a program, or a bare expression", async () => {
  expect(await run("check", role)).toMatchObject({ code: 0, output: "dyn\n" });
  expect(await run("check", "claims.sub == 'ada'")).toMatchObject({ code: 0, output: "bool\n" });
  expect(await run("check -role=pki", "CertTemplate{IsCA: true}")).toMatchObject({
    output: "openbao.pki.CertTemplate\n",
  });
});

it("points to a mistake", async () => {
  const { code, complaints } = await run("check", "claims.sub ==\n  foo");
  expect(code).toBe(1);
  expect(complaints).toContain("ERROR: <input>:2:3: undeclared reference to 'foo' (in container '')\n |   foo\n | ..^");
});

it("prints what a program gives, with all digits", async () => {
  const allowed = await run("eval", role, '{"claims": {"sub": "ada", "groups": ["admin"]}}');
  expect(allowed).toMatchObject({
    code: 0,
    output: '{\n  "display_name": "ada",\n  "num_uses": 9007199254740993\n}\n',
  });
  const refused = await run("eval", role, '{"claims": {"sub": "bob", "groups": []}}');
  expect(refused).toMatchObject({ code: 0, output: '"only for administrators"\n' });
  expect(await run("eval", "now", '{"now": "2026-01-01T00:00:00Z"}')).toMatchObject({
    output: '"2026-01-01T00:00:00Z"\n',
  });
});

it("gives numbers of a PKI request as text", async () => {
  expect(await run("eval -role=pki", "request.n", '{"request": {"n": 5}}')).toMatchObject({ output: '"5"\n' });
});

it.each([
  ["claims.x", '{"claims": {}}', "no such key: x"],
  ["claims", "[]", "must hold a JSON object"],
  ["now", '{"now": "noon"}', "now must be a time such as"],
  ['{"expression": 5}', "{}", "a program is {"],
])("fails on %s with %s", async (program, variables, message) => {
  const { code, complaints } = await run("eval", program, variables);
  expect(code).toBe(1);
  expect(complaints).toContain(message);
});
