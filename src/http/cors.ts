/** Decides what a browser on another origin may do. Pure: the handler sends what is decided here. */
import type { CorsSettings } from "../core/cors/cors-settings.ts";

export interface CorsQuestion {
  readonly method: string;
  readonly origin: string | undefined;
  /** The header `Access-Control-Request-Method`. */
  readonly requestMethod: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

export type CorsDecision =
  | { readonly kind: "unaffected" }
  /** Add these headers to whatever the answer is. */
  | { readonly kind: "allowed"; readonly headers: Headers }
  /** Answer 200 with these headers and no body, and run nothing. */
  | { readonly kind: "preflight"; readonly headers: Headers }
  | { readonly kind: "refused"; readonly status: 403 | 405; readonly errors: readonly string[] };

const allowedMethods = ["DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT", "LIST", "SCAN"];

const serviceHeaders = ["Token", "Namespace", "Request", "MFA", "No-Request-Forwarding", "Policy-Override"];
const wrapHeaders = ["Wrap-TTL", "Wrap-Format"];

const standardHeaders = [
  "Content-Type",
  "X-Requested-With",
  "Authorization",
  ...["X-Service-", "X-Vault-"].flatMap((family) => [...serviceHeaders, ...wrapHeaders].map((name) => family + name)),
];

export function decideCors(settings: CorsSettings, { method, origin, requestMethod }: CorsQuestion): CorsDecision {
  if (!settings.enabled || origin === undefined || origin === "") return { kind: "unaffected" };
  const anyOrigin = settings.allowed_origins.includes("*");
  if (!anyOrigin && !settings.allowed_origins.includes(origin)) {
    return { kind: "refused", status: 403, errors: ["origin not allowed"] };
  }
  const headers: Record<string, string> = { "access-control-allow-origin": origin, vary: "Origin" };
  // Credentials for every origin would let any page act as the user who looks at it.
  if (settings.allow_credentials && !anyOrigin) headers["access-control-allow-credentials"] = "true";
  if (method !== "OPTIONS") return { kind: "allowed", headers };
  if (requestMethod === undefined || !allowedMethods.includes(requestMethod)) {
    return { kind: "refused", status: 405, errors: [] };
  }
  headers["access-control-allow-methods"] = allowedMethods.join(",");
  headers["access-control-allow-headers"] = [...standardHeaders, ...settings.allowed_headers].join(",");
  headers["access-control-max-age"] = "300";
  return { kind: "preflight", headers };
}
