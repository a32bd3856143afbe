/** Declares `sys/config/ui/headers`: headers that the web interface is served with. */
import { absent } from "../../api/errors.ts";
import { flag, items, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { headerName, headerValues, interfaceHeadersIn } from "../interface/interface-headers.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const multivalue = flag("Whether the header has several values").default(false);

const headers = path({
  pattern: "config/ui/headers",
  summary: "Headers of the web interface",
  list: {
    summary: "List headers of the web interface",
    sudo: true,
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await interfaceHeadersIn(services.storage).list(pageOf(page)) }),
  },
});

const header = path({
  pattern: "config/ui/headers/:header",
  summary: "A header of the web interface",
  params: { header: text("Name of the header") },
  read: {
    summary: "Read a header of the web interface",
    sudo: true,
    input: { multivalue },
    output: {
      value: text("Its first value").optional(),
      values: items("Its values, if several were asked for").optional(),
    },
    async handler({ header, multivalue }, { services }) {
      const found = await interfaceHeadersIn(services.storage).get(headerName(header));
      if (!found) throw absent();
      return multivalue ? { values: found.values } : { value: found.values[0] };
    },
  },
  write: {
    summary: "Set a header of the web interface",
    sudo: true,
    input: { values: items("Its values").default([]), multivalue },
    async handler({ header, values }, { services }) {
      interfaceHeadersIn(services.storage).put(headerName(header), { values: headerValues(values) });
    },
  },
  delete: {
    summary: "Remove a header of the web interface",
    sudo: true,
    async handler({ header }, { services }) {
      interfaceHeadersIn(services.storage).delete(headerName(header));
    },
  },
  examples: [{ operation: "write", request: { values: ["frame-ancestors 'none'"] } }],
});

export const interfaceHeaderPaths = [headers, header];
