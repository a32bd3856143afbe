/** Declares `sys/config/cors`: which web pages may call the API from a browser. */
import { invalidRequest } from "../../api/errors.ts";
import { flag, list } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { corsOff, corsRecord } from "../cors/cors-settings.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const fields = {
  allowed_origins: list("Origins that may call, or * alone for all").default([]),
  allowed_headers: list("Headers that they may send, beside the standard ones").default([]),
  allow_credentials: flag("Whether they may send cookies and client certificates").default(false),
};

const cors = path({
  pattern: "config/cors",
  summary: "Calls from web pages of other origins",
  dataOnTop: true,
  read: {
    summary: "Read the CORS settings",
    sudo: true,
    output: { enabled: flag("Whether calls from other origins are allowed"), ...fields },
    async handler(_input, { services }) {
      const settings = (await corsRecord(services.storage).get()) ?? corsOff;
      return settings.enabled ? settings : { ...settings, enabled: false };
    },
  },
  write: {
    summary: "Allow calls from other origins",
    sudo: true,
    input: { ...fields, enable: flag("Accepted; writing enables").default(true) },
    async handler({ allowed_origins, allowed_headers, allow_credentials }, { services }) {
      if (allowed_origins.length === 0) throw invalidRequest("at least one origin must be provided");
      if (allowed_origins.includes("*") && allowed_origins.length > 1) {
        throw invalidRequest("to allow all origins the '*' must be the only value for allowed_origins");
      }
      corsRecord(services.storage).put({ enabled: true, allowed_origins, allowed_headers, allow_credentials });
    },
  },
  delete: {
    summary: "Refuse calls from other origins again",
    sudo: true,
    handler: async (_input, { services }) => corsRecord(services.storage).delete(),
  },
  examples: [{ operation: "write", request: { allowed_origins: "https://console.example.com" } }],
});

export const corsPaths = [cors];
