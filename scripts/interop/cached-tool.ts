/** Installs tools of others once, under `.cache/interop`, where no run of the tests but the first has to wait for them. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";

const cache = join(import.meta.dirname, "../../.cache/interop");

/** Why a tool cannot be had on this machine: a reason to skip a test, said to whoever runs it. */
export class ToolUnavailable extends Error {}

/**
 * The folder that `install` filled. `ingredients` are all that its content depends on: when one changes, it is
 * installed anew. An installation that breaks off leaves nothing that a later run would take for whole.
 */
export async function cachedTool(
  name: string,
  ingredients: readonly string[],
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(ingredients)).digest("hex").slice(0, 12);
  const folder = join(cache, `${name}-${digest}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, `${name}-unfinished-`));
  try {
    await install(unfinished);
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster, and its folder is as good.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
