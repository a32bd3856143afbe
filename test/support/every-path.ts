/** Every declared path of the product, each with a place where it is mounted in tests. */
import type { AnyPath } from "../../src/api/path.ts";
import { systemPaths } from "../../src/core/system/system-mount.ts";
import { tokenPaths } from "../../src/core/tokens/token-engine.ts";
import { identity } from "../../src/identity/engine.ts";
import { engines } from "./engines.ts";

export interface DeclaredPath {
  /** Where the mount is, with its slash. */
  readonly mount: string;
  readonly path: AnyPath;
  readonly pattern: string;
}

/** What must be mounted first: where, and as what. */
export const testMounts = engines
  .filter(({ type }) => type !== "cubbyhole")
  .map(({ type, kind }) => ({ kind, type, name: `test-${type}` }));

const placeOf = ({ type, kind }: (typeof engines)[number]) =>
  type === "cubbyhole" ? "cubbyhole/" : kind === "auth" ? `auth/test-${type}/` : `test-${type}/`;

const listed = (mount: string, paths: readonly AnyPath[]) =>
  paths.flatMap((path) => path.patterns.map((pattern) => ({ mount, path, pattern })));

export const everyPath: readonly DeclaredPath[] = [
  ...listed("sys/", systemPaths({ unauthenticatedRekey: true, unauthenticatedGenerateRoot: true })),
  ...listed("auth/token/", tokenPaths),
  ...listed("identity/", identity.paths),
  ...engines.flatMap((engine) => listed(placeOf(engine), engine.paths)),
];
