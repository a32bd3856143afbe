/** Inside a cluster, the API server vouches for service accounts: keys are found with the pod's own token. */
import { readFile } from "node:fs/promises";
import type { Host } from "../../../api/engine.ts";
import type { Config } from "../config.ts";
import { readMetadata } from "../discovery.ts";
import { type KeySource, KeySourceError } from "../key-source.ts";
import { RemoteKeys } from "../remote-keys.ts";
import { Web, WebError } from "../web.ts";
import { ProviderProblem } from "./problem.ts";
import type { Provider } from "./provider.ts";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";

export const kubernetes: Provider = {
  keys: [],
  check(_, config) {
    const excluded = ["oidc_discovery_url", "jwks_url", "oidc_discovery_ca_pem", "jwks_ca_pem"] as const;
    const set = excluded.find((name: keyof Config) => config[name] !== "");
    if (set !== undefined) throw new ProviderProblem(`${set} must not be set when using the kubernetes provider`);
  },
};

export const kubernetesSource = (host: Host): KeySource =>
  new RemoteKeys(
    async () => {
      try {
        return await fetchKeySet(host);
      } catch (error) {
        if (error instanceof WebError) throw new KeySourceError(`fetching keys ${error.message}`);
        throw error;
      }
    },
    host.clock,
    host.log,
  );

/** The issuer that the API server names is often an address that is not its own, so it is not compared. */
async function fetchKeySet(host: Host): Promise<string> {
  const { KUBERNETES_SERVICE_HOST: name = "", KUBERNETES_SERVICE_PORT: port = "443" } = process.env;
  if (name === "") throw new KeySourceError("this server does not run inside a Kubernetes cluster");
  const web = new Web(host, { ca: await clusterFile("ca.crt") });
  // The token is replaced while the server runs, so it is read each time.
  const headers = { authorization: `Bearer ${await clusterFile("token")}` };
  const address = name.includes(":") ? `[${name}]` : name;
  const document = await web.json(`https://${address}:${port}/.well-known/openid-configuration`, headers);
  return web.text(readMetadata(document).jwksUri, headers);
}

async function clusterFile(name: string): Promise<string> {
  try {
    return (await readFile(`${folder}/${name}`, "utf8")).trim();
  } catch {
    throw new KeySourceError(`the file ${name} of the service account cannot be read`);
  }
}
