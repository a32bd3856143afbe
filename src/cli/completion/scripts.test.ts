import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadProgram } from "../commands.ts";
import { completionScript } from "./scripts.ts";
import { placesOf } from "./vocabulary.ts";

const places = [...placesOf(await loadProgram())];

const isInstalled = (shell: string): boolean => {
  try {
    execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

function checkSyntax(shell: string, script: string, skip: (condition: boolean, reason: string) => void): void {
  skip(!isInstalled(shell), `${shell} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), "strongroom-completion-"));
  writeFileSync(join(folder, "script"), script);
  execFileSync(shell, ["-n", join(folder, "script")]);
  rmSync(folder, { recursive: true });
}

describe.skipIf(!isInstalled("bash"))("bash", () => {
  const script = completionScript("bash", places);

  /** What bash offers at the end of a line. */
  function offered(line: string): string[] {
    const words = line.split(" ");
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; compopt() { :; }; _strongroom; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync("bash", ["--norc", "-c", `${script}\n${ask}`], { encoding: "utf8" });
    return output.split("\n").filter((word) => word !== "");
  }

  it.each([
    ["strongroom re", ["read"]],
    ["strongroom kv pa", ["patch"]],
    ["strongroom kv metadata g", ["get"]],
    ["strongroom kv put -ca", ["-ca-cert=", "-ca-path=", "-cas="]],
    ["strongroom kv put -mount=secret -field", ["-field="]],
    ["strongroom kv put secret/a -out", ["-output-curl-string", "-output-policy"]],
    ["strongroom operator generate-root -gen", ["-generate-otp"]],
    ["strongroom completion ", ["bash", "fish", "zsh"]],
    ["strongroom nope re", []],
    ["strongroom read -ns", []],
  ])("%s", (line, expected) => expect(offered(line).sort()).toEqual(expected));
});

describe("zsh", () => {
  const script = completionScript("zsh", places);

  it("has every command", () => {
    for (const { words } of places) expect(script).toContain(`'${words.join(" ")}') REPLY=`);
  });

  it("is a script", ({ skip }) => {
    checkSyntax("zsh", script, skip);
  });
});

describe("fish", () => {
  const script = completionScript("fish", places);

  it("has every command and flag, with its description", () => {
    expect(script).toContain("-n '__strongroom_at group kv' -f -a 'put' -d 'Write a secret; with versions, a new one'");
    expect(script).toContain("-n '__strongroom_at command kv put' -o cas -r -d ");
    expect(script).toContain("-n '__strongroom_at command kv put' -o output-policy -d ");
    const count = places.reduce((sum, { suggestions }) => sum + suggestions.length, 0);
    expect(script.match(/^complete /gm)).toHaveLength(count);
  });

  it("is a script", ({ skip }) => {
    checkSyntax("fish", script, skip);
  });
});
