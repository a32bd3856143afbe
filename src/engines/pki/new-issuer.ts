/** What follows when issuers come into a mount: chains, the default, and CRLs. */
import { rebuildCrls } from "./crl-build.ts";
import type { Issuer } from "./issuer.ts";
import type { PkiServices } from "./services.ts";

export async function afterNewIssuers(
  services: PkiServices,
  added: readonly Issuer[],
  now: Date,
  warn: (message: string) => void,
): Promise<void> {
  await services.issuers.rebuildChains();
  const settings = await services.settings.issuers.get();
  const usable = added.filter(({ key_id }) => key_id !== "");
  if (settings.default === "") {
    const first = usable[0] ?? added[0];
    if (first) await services.issuers.setDefault({ ...settings, default: first.id });
  } else if (settings.default_follows_latest_issuer && usable.length === 1) {
    await services.issuers.setDefault({ ...settings, default: usable[0]!.id });
  } else if (settings.default_follows_latest_issuer && usable.length > 1) {
    warn(
      "Default issuer left unchanged: could not select new issuer automatically as multiple imported issuers had key material in this mount.",
    );
  }
  await rebuildCrls(services, now, warn);
}
