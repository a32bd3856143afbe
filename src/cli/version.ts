/** The version of this program, as its package says. */
import { readFileSync } from "node:fs";

/** The package's description is as far from here in `src` as it is in `dist`. */
const packageFile = new URL("../../package.json", import.meta.url);

export const readVersion = (): string => (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
