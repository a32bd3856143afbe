/** Providers that do some things in ways of their own. */
import { invalidRequest } from "../../../api/errors.ts";
import type { Claims } from "../claims.ts";
import type { Config } from "../config.ts";
import type { Web } from "../web.ts";
import { azure } from "./azure.ts";
import { gsuite } from "./gsuite.ts";
import { kubernetes } from "./kubernetes.ts";
import { ProviderProblem } from "./problem.ts";
import { splitGroups } from "./split-groups.ts";

export interface ProviderCall {
  readonly claims: Claims;
  readonly groupsClaim: string;
  /** Value of the user claim. */
  readonly user: string;
  /** Empty for logins with a token of the provider, which bring no access token. */
  readonly accessToken: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly web: Web;
  /** Seconds. */
  readonly now: number;
}

export interface Provider {
  /** Keys of `provider_config` besides `provider`. */
  readonly keys: readonly string[];
  /** Those that reading does not show. */
  readonly secretKeys?: readonly string[];
  /** Answers the claims with what the provider adds to them. Throws a `ProviderProblem`. */
  completeClaims?(call: ProviderCall): Promise<Claims>;
  /** Refuses settings that cannot work. */
  check?(settings: Readonly<Record<string, unknown>>, config: Config): void;
}

const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  ["azure", azure],
  ["gsuite", gsuite],
  ["secureauth", splitGroups(",")],
  ["ibmisam", splitGroups(" ")],
  ["kubernetes", kubernetes],
]);

type Settings = Config["provider_config"];
const isUnset = (settings: Settings) => Object.keys(settings).length === 0;

/** Undefined where the claims are all there is. */
export const providerOf = (settings: Settings): Provider | undefined =>
  typeof settings["provider"] === "string" ? providers.get(settings["provider"]) : undefined;

export const isSelfDiscovering = (settings: Settings): boolean => settings["provider"] === "kubernetes";

export function requireSoundProvider(config: Config): void {
  const settings = config.provider_config;
  if (isUnset(settings)) return;
  const name = settings["provider"];
  if (typeof name !== "string") {
    throw invalidRequest("invalid provider_config: 'provider' field not found in provider_config");
  }
  const provider = providers.get(name);
  if (!provider) {
    throw invalidRequest(`invalid provider_config: provider ${JSON.stringify(name)} not found in custom providers`);
  }
  const refuse = (detail: string) =>
    invalidRequest(`invalid provider_config: error initializing ${JSON.stringify(name)} provider_config: ${detail}`);
  const unknown = Object.keys(settings).find((key) => key !== "provider" && !provider.keys.includes(key));
  if (unknown !== undefined) {
    const allowed = provider.keys.length === 0 ? "there are none" : provider.keys.join(", ");
    throw refuse(`unknown key ${JSON.stringify(unknown)}; besides "provider" the keys are: ${allowed}`);
  }
  try {
    provider.check?.(settings, config);
  } catch (error) {
    if (error instanceof ProviderProblem) throw refuse(error.message);
    throw error;
  }
}

export function shownProviderConfig(settings: Settings): Record<string, unknown> {
  const hidden = providerOf(settings)?.secretKeys ?? [];
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !hidden.includes(key)));
}
