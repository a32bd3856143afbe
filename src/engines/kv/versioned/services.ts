/** What the handlers of a versioned mount work with. */
import { Single } from "../../../api/collection.ts";
import type { Storage } from "../../../api/engine.ts";
import { Secrets } from "./secrets.ts";
import type { MountSettings } from "./settings.ts";

export interface VersionedServices {
  readonly secrets: Secrets;
  readonly settings: Single<MountSettings>;
}

export const versionedServices = (storage: Storage): VersionedServices => ({
  secrets: new Secrets(storage),
  settings: new Single(storage, "config"),
});
