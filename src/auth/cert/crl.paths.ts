/** Declares lists of revoked certificates, whose holders cannot log in. */
import { invalidRequest, notFound } from "../../api/errors.ts";
import { object, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { foldedName, requireRoleName } from "../../api/role-name.ts";
import { crlBytes, revokedSerials } from "./crl.ts";
import type { CertServices } from "./services.ts";

const path = pathsFor<CertServices>();

const crl = path({
  pattern: "crls/:name",
  summary: "Manage lists of revoked certificates",
  params: { name: text("Name of the list; upper and lower case are one") },
  read: {
    summary: "Read which serial numbers are on a list",
    output: { serials: object("Serial numbers in decimal, each with an empty object") },
    async handler({ name }, { services }) {
      const serials = await services.crls.find(name);
      if (!serials) throw notFound(`no such CRL ${JSON.stringify(name)}`);
      return { serials: Object.fromEntries([...serials].map((serial) => [String(serial), {}])) };
    },
  },
  write: {
    summary: "Write a list; its dates are not looked at",
    input: {
      crl: text("The list, in PEM or as base64 of DER").default(""),
      url: text("Not supported; write the list itself").default(""),
    },
    async handler({ name, crl, url }, { services }) {
      const folded = requireRoleName("a CRL", name);
      if (url !== "") throw invalidRequest("'url' is not supported: fetch the list and write it as 'crl'");
      if (crl === "") throw invalidRequest("one of 'crl' or 'url' must be provided");
      services.crls.put(folded, readCrl(crl));
    },
  },
  delete: {
    summary: "Delete a list",
    handler: async ({ name }, { services }) => services.crls.delete(foldedName(name)),
  },
});

const crls = path({
  pattern: "crls",
  summary: "Lists of revoked certificates",
  list: {
    summary: "List the lists",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.crls.list(pageOf(page)) }),
  },
});

function readCrl(text: string): Uint8Array {
  try {
    const der = crlBytes(text);
    revokedSerials(der);
    return der;
  } catch {
    throw invalidRequest("failed to parse CRL: expected a revocation list in PEM, or base64 of its DER");
  }
}

export const crlPaths = [crl, crls];
