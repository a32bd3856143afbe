/** Finds the version that a read asks for. */
import { absent, invalidRequest } from "../../../api/errors.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { isGone, versionMetadata, versionOf } from "./key.ts";
import type { Secrets } from "./secrets.ts";

export interface ShownVersion {
  readonly metadata: ReturnType<typeof versionMetadata>;
  /** Undefined when the version was deleted or destroyed. */
  readonly data: Readonly<JsonObject> | undefined;
}

export async function showVersion(secrets: Secrets, path: string, asked: number, now: Date): Promise<ShownVersion> {
  if (asked < 0) throw invalidRequest("version must be a version's number, or 0 for the current version");
  const key = await secrets.get(path);
  const number = asked || (key?.current_version ?? 0);
  const version = key && versionOf(key, number);
  if (!key || !version) throw absent();
  const data = isGone(version, now.getTime()) ? undefined : await secrets.data(path, key, number);
  return { metadata: versionMetadata(key, number, version), data };
}
