/** Azure leaves groups out of a token when there are many, and says where to ask for them ("groups overage"). */
import { type Claims, claimAt, withClaim } from "../claims.ts";
import { jsonOf, WebError } from "../web.ts";
import { ProviderProblem } from "./problem.ts";
import type { Provider, ProviderCall } from "./provider.ts";

/** Hosts that tokens still name, and those that took their place. */
const successors = new Map([
  ["graph.windows.net", "graph.microsoft.com"],
  ["graph.microsoftazure.us", "graph.microsoft.us"],
]);

export const azure: Provider = {
  keys: [],
  async completeClaims(call) {
    const { claims, groupsClaim } = call;
    if (groupsClaim === "" || claimAt(claims, groupsClaim) !== undefined) return claims;
    return withClaim(claims, groupsClaim, await fetchGroups(call, endpointOf(claims, groupsClaim)));
  },
};

function endpointOf(claims: Claims, groupsClaim: string): string {
  const name = groupsClaim.replace(/^\//, "");
  const source = claimAt(claims, `/_claim_names/${name}`);
  if (typeof source !== "string") {
    throw new ProviderProblem(
      `unable to get claim sources: claim ${JSON.stringify(`/_claim_names/${name}`)} is missing`,
    );
  }
  const endpoint = claimAt(claims, `/_claim_sources/${source}/endpoint`);
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) {
    throw new ProviderProblem("unable to get claim sources: the source of the claim names no endpoint");
  }
  const url = new URL(endpoint);
  const successor = successors.get(url.hostname);
  if (successor !== undefined) {
    url.hostname = successor;
    url.pathname = `/v1.0${url.pathname}`;
  }
  return url.toString();
}

async function fetchGroups({ accessToken, web }: ProviderCall, url: string): Promise<readonly unknown[]> {
  if (accessToken === "") throw new ProviderProblem("token unavailable to call Microsoft Graph API");
  try {
    const { status, body } = await web.request({
      url,
      method: "POST",
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      body: JSON.stringify({ securityEnabledOnly: false }),
    });
    if (status !== 200) throw new ProviderProblem(`failed to get groups: the server answered with status ${status}`);
    const { value } = jsonOf(Buffer.from(body).toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof WebError) throw new ProviderProblem(`failed to get groups: ${error.message}`);
    throw error;
  }
}
