/** The key file of a development server that keeps its data. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

interface RandomSource {
  bytes(count: number): Uint8Array;
}

/** The key that unseals the data of a development server, made on first use; nobody but its owner may read it. */
export async function developmentKey(file: string, random: RandomSource): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const key = Buffer.from(random.bytes(32)).toString("hex");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: "wx" });
  await chmod(file, 0o600);
  return key;
}
