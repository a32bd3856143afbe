import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CommandNode, isGroup } from "./command.ts";
import { commandLoaders, loadProgram } from "./commands.ts";
import { runCommand } from "./terminal-fixture.suite.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

describe("version", () => {
  it.each(["version", "-version", "--version", "-v"])("%s", async (word) => {
    expect(await runCommand(word)).toMatchObject({ code: 0, output: `Strongroom v${version}\n` });
  });
});

describe("help", () => {
  it("lists every command", async () => {
    const { code, output } = await runCommand("-help");
    expect(code).toBe(0);
    for (const name of Object.keys(commandLoaders)) expect(output).toContain(`    ${name} `);
  });

  it("is shown to those who typed nothing, who did not get anything done", async () => {
    expect(await runCommand("")).toMatchObject({ code: 1, output: (await runCommand("-help")).output });
    expect(await runCommand("kv")).toMatchObject({ code: 1, output: (await runCommand("kv -h")).output });
  });

  it("of a command has its usage, examples and flags, its own before those of every command", async () => {
    const { code, output } = await runCommand("kv put -help");
    expect(code).toBe(0);
    expect(output).toContain("Usage: strongroom kv put [flags] PATH DATA...");
    expect(output).toContain("$ strongroom kv put");
    expect(output.indexOf("-cas=<int>")).toBeLessThan(output.indexOf("-address=<string>"));
    expect(output).toContain("http://127.0.0.1:8200");
    expect(output).not.toContain("-ns=");
  });

  it("`auth help` is a command, not a call for help", async () => {
    expect((await runCommand("auth help -help")).output).toContain("Usage: strongroom auth help");
  });
});

describe("every command", async () => {
  const commands = [...everyNode(await loadProgram())];

  it.each(commands)("strongroom %s is declared well", async (words, node) => {
    expect(node.summary).toMatch(/^[A-Z].*[^.]$/);
    const { code, output } = await runCommand(`${words} -help`);
    expect(code).toBe(0);
    for (const line of output.split("\n"))
      if (!line.includes("$ strongroom")) expect(line.length).toBeLessThanOrEqual(100);
    if (isGroup(node)) return;
    for (const { line } of node.examples ?? []) expect(`${line} `).toContain(`${words} `);
    for (const { description } of Object.values(node.flags)) expect(description).toMatch(/^\S.*[^.]$/);
  });
});

function* everyNode(node: CommandNode, words: readonly string[] = []): Generator<[string, CommandNode]> {
  if (words.length > 0) yield [words.join(" "), node];
  if (!isGroup(node)) return;
  for (const [name, below] of Object.entries(node.commands)) yield* everyNode(below, [...words, name]);
}

describe("what cannot be understood ends with code 1 and a pointer", () => {
  it.each([
    ["raed x", 'Did you mean "strongroom read"?', "For help: strongroom -help"],
    ["kv pt x", 'Did you mean "strongroom kv put"?', "For help: strongroom kv -help"],
    ["frobnicate", 'There is no command "strongroom frobnicate".', "For help: strongroom -help"],
    ["-address=x read", "Flags follow the command", "For help: strongroom -help"],
    ["read", "not enough arguments: expected PATH", "For help: strongroom read -help"],
    ["list a b", "too many arguments", "For help: strongroom list -help"],
    ["read -adress=x a", "did you mean -address?", "For help: strongroom read -help"],
    ["read -format=xml a", '"xml" is not allowed', "For help: strongroom read -help"],
    ["write a", "add -force", "For help: strongroom write -help"],
    ["kv destroy secret/a", "-versions=1,2", "For help: strongroom kv destroy -help"],
    ["operator unseal -migrate", "not supported", "For help: strongroom operator unseal -help"],
    ["operator rotate-keys -init -cancel", "exclude one another", "-help"],
    ["operator generate-root -decode=AAAA", "add -otp", "-help"],
    ["lease revoke -force a", "-force goes only with -prefix", "-help"],
    ["token revoke", "say which token", "-help"],
    ["token revoke -self s.x", "-self goes with nothing else", "-help"],
    ["login -method=userpass", "username=<name>", "-help"],
    ["read /", "the path is empty", "-help"],
    ["read -address=127.0.0.1:8200 a", "is not an address", ""],
    ["read -client-cert=x a", "go together", ""],
    ["read -wrap-ttl=soon a", "is not a duration", ""],
  ])("%s", async (line, message, pointer) => {
    const { code, output, complaints } = await runCommand(line, { HOME: "/nonexistent" });
    expect(complaints).toContain(message);
    expect(complaints).toContain(pointer);
    expect({ code, output }).toEqual({ code: 1, output: "" });
  });

  it("a broken variable is named", async () => {
    const { code, complaints } = await runCommand("read a", { VAULT_FORMAT: "xml" });
    expect(complaints).toContain("environment variable VAULT_FORMAT");
    expect(code).toBe(1);
  });
});
