/** Declares CRLs that are signed for others: from lists of other servers, or from entries that the caller names. */
import { invalidRequest } from "../../api/errors.ts";
import { anything, type Fields, integer, items, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { parseDuration } from "../../lib/duration.ts";
import { isJsonObject } from "../../lib/json.ts";
import { type Extension, extension, extensionIds } from "../../lib/x509/extension.ts";
import { authorityKeyId } from "../../lib/x509/key-identifier.ts";
import { isSameName } from "../../lib/x509/name.ts";
import { parsePem, pemText } from "../../lib/x509/pem.ts";
import { crlNumber, deltaCrlIndicator } from "../../lib/x509/revocation-extensions.ts";
import {
  buildRevocationList,
  parseRevocationList,
  type RevocationList,
  type RevokedEntry,
} from "../../lib/x509/revocation-list.ts";
import { parseSerialText, serialText } from "../../lib/x509/serial-number.ts";
import { isSignedBy } from "../../lib/x509/signature.ts";
import { crlSigner, keyIdFor } from "./crl-build.ts";
import type { Issuer } from "./issuer.ts";
import { isObjectIdentifier } from "./object-identifier.ts";
import { refusing } from "./refusal.ts";
import type { PkiServices } from "./services.ts";
import { issuerFor } from "./signing.ts";
import { requireTime } from "./validity.ts";

const path = pathsFor<PkiServices>();

const listFields = {
  crl_number: integer("Number of the list").default(0),
  delta_crl_base_number: integer("Number of the complete list that this one adds to; -1 for a complete one").default(
    -1,
  ),
  next_update: text("How long the list is valid").default("72h"),
  format: text("Form of the answer: pem, or der (base64)").default("pem"),
} satisfies Fields;

const params = { issuer_ref: text("Issuer that signs: its id, its name, or default") };
const output = { crl: text("The list") } satisfies Fields;

const resign = path({
  pattern: "issuer/:issuer_ref/resign-crls",
  summary: "Combine CRLs of one issuer",
  params,
  write: {
    summary: "Combine CRLs that this issuer signed, here or elsewhere, into one",
    input: { ...listFields, crls: items("The lists, in PEM").default([]) },
    output,
    async handler(input, context) {
      const signer = await issuerFor(context.services, input.issuer_ref, "crl-signing", 404);
      if (input.crls.length === 0) throw invalidRequest('the "crls" parameter is empty: give at least one CRL in PEM');
      const lists = input.crls.map((pem, index) => readList(pem, index, signer.issuer));
      return sign(input, context, merged(lists, context.warn), []);
    },
  },
  examples: [{ operation: "write", request: { crls: ["-----BEGIN X509 CRL-----\n…"], crl_number: 7 } }],
});

const signList = path({
  pattern: "issuer/:issuer_ref/sign-revocation-list",
  summary: "Sign a CRL of one's own making",
  params,
  write: {
    summary: "Sign a CRL with the entries and extensions that are given",
    input: {
      ...listFields,
      revoked_certs: anything("List of objects with serial_number, revocation_time and extensions").default([]),
      extensions: anything("List of objects with id, critical and value (base64)").default([]),
    },
    output,
    handler: (input, context) =>
      sign(
        input,
        context,
        objects("revoked_certs", input.revoked_certs).map(readEntry),
        readExtensions("extensions", input.extensions),
      ),
  },
  examples: [
    {
      operation: "write",
      request: { crl_number: 7, revoked_certs: [{ serial_number: "1a:2b", revocation_time: "2030-01-01T00:00:00Z" }] },
    },
  ],
});

type ListInput = Values<typeof listFields> & { readonly issuer_ref: string };

async function sign(
  input: ListInput,
  { services, now }: Context<PkiServices>,
  entries: readonly RevokedEntry[],
  further: readonly Extension[],
) {
  const { issuer, key } = await issuerFor(services, input.issuer_ref, "crl-signing", 404);
  if (input.format !== "pem" && input.format !== "der") throw invalidRequest('format must be "pem" or "der"');
  if (input.crl_number < 0) throw invalidRequest("crl_number must not be negative");
  const isDelta = input.delta_crl_base_number >= 0;
  if (isDelta && input.delta_crl_base_number >= input.crl_number) {
    throw invalidRequest("delta_crl_base_number must be below crl_number");
  }
  const thisUpdate = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const nextUpdate = new Date(thisUpdate.getTime() + validSeconds(input.next_update) * 1000);
  const extensions = [
    authorityKeyId(keyIdFor(issuer)),
    crlNumber(BigInt(input.crl_number)),
    ...(isDelta ? [deltaCrlIndicator(BigInt(input.delta_crl_base_number))] : []),
    ...further,
  ];
  const fields = { issuer: issuer.certificate.subject.der, thisUpdate, nextUpdate, extensions, entries };
  const der = await buildRevocationList(fields, crlSigner(issuer, key));
  return { crl: input.format === "der" ? Buffer.from(der).toString("base64") : pemText("X509 CRL", der) };
}

function validSeconds(text: string): number {
  let seconds = 0;
  try {
    seconds = parseDuration(text);
  } catch {
    // Said below.
  }
  if (seconds > 0) return seconds;
  throw invalidRequest(`next_update ${JSON.stringify(text)} is no duration such as "72h"`);
}

function readList(pem: string, index: number, issuer: Issuer): RevocationList {
  const where = `CRL ${index}: `;
  const [block] = refusing(() => parsePem(pem), where);
  if (block?.kind !== "X509 CRL") throw invalidRequest(`${where}expected a PEM block of the kind X509 CRL`);
  const list = refusing(() => parseRevocationList(block.der), where);
  const signed = { algorithm: list.signatureAlgorithm, data: list.toBeSigned, signature: list.signature };
  const { certificate } = issuer;
  if (!isSameName(list.issuer.der, certificate.subject.der) || !isSignedBy(signed, certificate.publicKey)) {
    throw invalidRequest(`${where}was not signed by this issuer`);
  }
  return list;
}

/** One that is in several was revoked when the first of them says. */
function merged(lists: readonly RevocationList[], warn: (message: string) => void): RevokedEntry[] {
  const entries = new Map<bigint, RevokedEntry>();
  for (const list of lists) {
    for (const { serial, revokedAt, reason } of refusing(() => [...list.entries()])) {
      const known = entries.get(serial);
      if (known && known.revokedAt.getTime() !== revokedAt.getTime()) {
        warn(`serial number ${serialText(serial)} is in several lists with different times: the earliest was taken`);
      }
      if (!known || revokedAt < known.revokedAt) entries.set(serial, { serial, revokedAt, reason });
    }
  }
  return [...entries.values()];
}

function objects(field: string, given: unknown): Record<string, unknown>[] {
  const value = typeof given === "string" ? parsedJson(given) : given;
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw invalidRequest(`${field} must be a list of objects`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readEntry(given: Record<string, unknown>): RevokedEntry {
  const serial = parseSerialText(String(given["serial_number"] ?? ""));
  if (serial === undefined) throw invalidRequest("each of revoked_certs needs a serial_number in hexadecimal");
  const revokedAt = requireTime("revocation_time", String(given["revocation_time"] ?? ""));
  return { serial, revokedAt, extensions: readExtensions("extensions of revoked_certs", given["extensions"] ?? []) };
}

const reserved: ReadonlySet<string> = new Set([
  extensionIds.authorityKeyId,
  extensionIds.crlNumber,
  extensionIds.deltaCrlIndicator,
]);

function readExtensions(field: string, given: unknown): Extension[] {
  return objects(field, given).map(({ id, critical, value }) => {
    if (typeof id !== "string" || !isObjectIdentifier(id))
      throw invalidRequest(`${field}: id must be an object identifier`);
    if (reserved.has(id)) throw invalidRequest(`${field}: the extension ${id} is reserved`);
    if (typeof value !== "string") throw invalidRequest(`${field}: value must be base64`);
    return refusing(() => extension(id, critical === true || critical === "true", Buffer.from(value, "base64")));
  });
}

export const signedListPaths = [resign, signList];
