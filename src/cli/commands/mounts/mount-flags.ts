/** Flags that shape a mount, when it is made and when it is tuned. */
import { choiceFlag, durationFlag, pairsFlag, repeatedFlag, switchFlag, textFlag } from "../../flags.ts";
import type { MountKind } from "./mount-kind.ts";

const several = "may be given several times";

/** Settings under `config` when a mount is made, and at the top when it is tuned. */
export const settingFlags = (kind: MountKind) => ({
  "default-lease-ttl": durationFlag("Lifetime of tokens and leases when nobody asks for one"),
  "max-lease-ttl": durationFlag("Longest lifetime of tokens and leases"),
  "listing-visibility": choiceFlag(["", "hidden", "unauth"], "Whether it shows to people who are not logged in", {
    default: "",
  }),
  "audit-non-hmac-request-keys": repeatedFlag(`Key of requests that audit shows in clear; ${several}`),
  "audit-non-hmac-response-keys": repeatedFlag(`Key of answers that audit shows in clear; ${several}`),
  "passthrough-request-headers": repeatedFlag(`Request header that it may see; ${several}`),
  "allowed-response-headers": repeatedFlag(`Response header that it may set; ${several}`),
  "plugin-version": textFlag("Version of the plugin"),
  ...(kind.prefix === "auth/" && authSettingFlags),
});

const authSettingFlags = {
  "token-type": choiceFlag(
    ["", "default-service", "default-batch", "service", "batch"],
    "Kind of tokens that the method gives",
    { default: "" },
  ),
};

/** Settings beside `config`. */
export const mountFlags = {
  description: textFlag("Text for people"),
  options: pairsFlag(`Option of the engine; ${several}`),
};

export const newMountFlags = {
  ...mountFlags,
  local: switchFlag("Not replicated"),
  "seal-wrap": switchFlag("Accepted: every value is encrypted"),
  "external-entropy-access": switchFlag("Accepted: not used"),
};

export const noCacheFlag = { "force-no-cache": switchFlag("Accepted: nothing is ever served stale") };
