/** Declares what holds for all entries of a mount. */
import { flag } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { CertServices } from "./services.ts";

const path = pathsFor<CertServices>();

const fields = {
  disable_binding: flag("Renew tokens without the certificate that they were given for").default(false),
  enable_identity_alias_metadata: flag("Keep what is known of the certificate with the alias").default(false),
};

const initial = { disable_binding: false, enable_identity_alias_metadata: false };

const config = path({
  pattern: "config",
  summary: "Settings of this auth method",
  read: {
    summary: "Read the settings",
    output: fields,
    handler: async (_, { services }) => (await services.config.get()) ?? initial,
  },
  write: {
    summary: "Change settings; what is not given stays",
    input: fields,
    async handler(input, { services, given }) {
      const before = (await services.config.get()) ?? initial;
      services.config.put({
        disable_binding: given("disable_binding") ? input.disable_binding : before.disable_binding,
        enable_identity_alias_metadata: given("enable_identity_alias_metadata")
          ? input.enable_identity_alias_metadata
          : before.enable_identity_alias_metadata,
      });
    },
  },
  examples: [{ operation: "write", request: { disable_binding: true } }],
});

export const configPaths = [config];
