/** Declares the settings of ACME on this mount. */
import { partial } from "../../../api/fields.ts";
import { pathsFor } from "../../../api/path.ts";
import type { WithAcme } from "./acme.ts";
import { type AcmeSettings, requireSound, settingFields } from "./settings.ts";

const path = pathsFor<WithAcme>();

const config = path({
  pattern: "config/acme",
  summary: "How clients get certificates by ACME",
  read: {
    summary: "Read the settings",
    output: settingFields,
    handler: (_, { services }) => services.acme.settings.get(),
  },
  write: {
    summary: "Change the settings; what is not given stays",
    input: partial(settingFields),
    output: settingFields,
    async handler(changes, { services, warn }) {
      const { acme } = services;
      const after: AcmeSettings = { ...(await acme.settings.get()), ...(changes as Partial<AcmeSettings>) };
      await requireSound(after, acme.authority);
      if (after.enabled) await acme.nonces.prepare();
      if (after.enabled && acme.host.isPublicAcmeDisabled && after.eab_policy !== "always-required") {
        warn("this server requires external account bindings on every mount, whatever eab_policy says");
      }
      acme.settings.put(after);
      return after;
    },
  },
  examples: [{ operation: "write", request: { enabled: true, eab_policy: "new-account-required" } }],
});

export const configPaths = [config];
