/** Declares logins through a provider's own pages. */
import { authUrlPaths } from "./auth-url.paths.ts";
import { callbackPaths } from "./callback.paths.ts";
import { pollPaths } from "./poll.paths.ts";

export const oidcPaths = [...authUrlPaths, ...callbackPaths, ...pollPaths];
