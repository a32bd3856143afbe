/** Paths as people type them. */
import { CommandFailure, exitCodes, UsageError } from "./failure.ts";

/** Without spaces and slashes around it. */
export function cleanPath(typed: string | undefined): string {
  const path = trimSlashes((typed ?? "").trim());
  if (path === "") throw new UsageError("the path is empty");
  return path;
}

/** Mounts are shown with a slash at their end. */
export const mountName = (typed: string | undefined): string => `${cleanPath(typed)}/`;

export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

export const nothingAt = (path: string): CommandFailure =>
  new CommandFailure(`No value found at ${path}`, exitCodes.refused);
