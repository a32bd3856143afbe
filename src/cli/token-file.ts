/** The file that keeps the token between commands: the caller's alone, and never half written. */
import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Environment, environmentNames } from "./flags.ts";

const ownName = ".strongroom-token";
/** Where similar tools keep theirs: read, never written. */
const foreignNames = [".vault-token"];

export function tokenFile(environment: Environment): string {
  return chosenFile(environment) ?? join(homeOf(environment), ownName);
}

/** What `login` left, or another tool's login; empty when there is neither. */
export async function readTokenFile(environment: Environment): Promise<string> {
  const chosen = chosenFile(environment);
  const home = homeOf(environment);
  const files = chosen === undefined ? [ownName, ...foreignNames].map((name) => join(home, name)) : [chosen];
  for (const file of files) {
    const token = (await readIfThere(file)).trim();
    if (token !== "") return token;
  }
  return "";
}

export async function writeTokenFile(environment: Environment, token: string): Promise<void> {
  const file = tokenFile(environment);
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, token, { mode: 0o600, flag: "wx" });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Error(`the token cannot be kept in ${file}: ${(error as Error).message}`);
  }
}

const chosenFile = (environment: Environment): string | undefined =>
  environmentNames("TOKEN_PATH")
    .map((name) => environment[name])
    .find((path) => path !== undefined && path !== "");

const homeOf = (environment: Environment): string => environment["HOME"] || homedir();

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new Error(`the token file ${file} cannot be read: ${(error as Error).message}`);
  }
}
