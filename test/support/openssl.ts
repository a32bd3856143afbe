/** Runs openssl on files that exist only for that long. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface OpensslRun {
  /** What it printed, on both ways. */
  readonly text: string;
  /** A file that it wrote. */
  read(name: string): Buffer;
}

/** Hands the result to `use` before the files go. Throws with openssl's words if it was not content. */
export function withOpenssl<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  words: readonly string[],
  use: (run: OpensslRun) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), "openssl-"));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const { status, stdout, stderr } = spawnSync("openssl", words, { cwd: folder, encoding: "utf8" });
    const text = `${stdout}${stderr}`;
    if (status !== 0) throw new Error(`openssl ${words.join(" ")}: ${text}`);
    return use({ text, read: (name) => readFileSync(join(folder, name)) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Only what it printed. */
export const openssl = (files: Readonly<Record<string, string | Uint8Array>>, ...words: readonly string[]): string =>
  withOpenssl(files, words, ({ text }) => text);
