/** What linters and another library say of the certificates, revocation lists and OCSP answers that `lib/x509` writes. */
import { hash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ToolUnavailable } from "../../scripts/interop/cached-tool.ts";
import { installPkilint, type Pkilint } from "../../scripts/interop/pkilint.ts";
import { installZlint, type Zlint } from "../../scripts/interop/zlint.ts";
import { integer, nothing, objectIdentifier, octetString, sequence } from "../../src/lib/der/writer.ts";
import { subjectAltName } from "../../src/lib/x509/alternative-names.ts";
import { basicConstraints } from "../../src/lib/x509/basic-constraints.ts";
import { certificatePolicies } from "../../src/lib/x509/certificate-policies.ts";
import { authorityInfoAccess, crlDistributionPoints, freshestCrl } from "../../src/lib/x509/information-access.ts";
import { keyIdOf } from "../../src/lib/x509/key.ts";
import { authorityKeyId, subjectKeyId } from "../../src/lib/x509/key-identifier.ts";
import { extendedKeyUsage, extendedKeyUsages, keyUsage } from "../../src/lib/x509/key-usage.ts";
import { nameConstraints } from "../../src/lib/x509/name-constraints.ts";
import { parseOcspRequest } from "../../src/lib/x509/ocsp-request.ts";
import { buildOcspResponse } from "../../src/lib/x509/ocsp-response.ts";
import { pemText } from "../../src/lib/x509/pem.ts";
import { crlNumber, deltaCrlIndicator } from "../../src/lib/x509/revocation-extensions.ts";
import { buildRevocationList } from "../../src/lib/x509/revocation-list.ts";
import {
  classicalKinds,
  latticeKinds,
  makeAuthority,
  makeLeaf,
  type TestAuthority,
} from "../support/x509-authority.ts";

const thisUpdate = new Date("2026-06-01T00:00:00Z");
const nextUpdate = new Date("2026-06-05T00:00:00Z");
const notAfter = new Date("2026-12-01T00:00:00Z");

/** Rules of the public web that say which keys a browser would take, and what we are asked for here on purpose. */
const rulesOfTheWeb = new Set([
  "e_algorithm_identifier_improper_encoding",
  "e_cabf_ecc_allowed_key_usages",
  "e_ec_improper_curves",
  "e_mp_ecdsa_pub_key_encoding_correct",
  "e_policy_qualifiers_other_than_cps_not_permitted",
  "e_signature_algorithm_not_supported",
]);

const leafOf = (authority: TestAuthority) =>
  makeLeaf(authority, {
    serial: 2n ** 100n + 1n,
    notBefore: thisUpdate,
    notAfter,
    extensions: [
      basicConstraints({ isAuthority: false }),
      keyUsage(["DigitalSignature"]),
      extendedKeyUsage([extendedKeyUsages.ServerAuth]),
      subjectAltName({ dnsNames: ["web.example.com"], ips: ["8.8.8.8"] }),
      subjectKeyId(keyIdOf(authority.publicKey)),
      authorityInfoAccess({
        ocspServers: ["http://ca.example.com/ocsp"],
        issuingCertificates: ["http://ca.example.com/ca"],
      }),
      crlDistributionPoints(["http://ca.example.com/crl"]),
      freshestCrl(["http://ca.example.com/delta"]),
      certificatePolicies([{ oid: "2.23.140.1.2.1", cps: "https://example.com/cps", notice: "For tests" }]),
    ],
  });

function listOf({ certificate, publicKey, signer }: TestAuthority, isDelta: boolean): Promise<Uint8Array> {
  const kind = isDelta
    ? [crlNumber(4n), deltaCrlIndicator(3n)]
    : [crlNumber(3n), freshestCrl(["http://ca.example.com/delta"])];
  const fields = {
    issuer: certificate.subject.der,
    thisUpdate,
    nextUpdate,
    extensions: [authorityKeyId(keyIdOf(publicKey)), ...kind],
    entries: isDelta ? [] : [0, 1, 4].map((reason) => ({ serial: BigInt(reason + 1), revokedAt: thisUpdate, reason })),
  };
  return buildRevocationList(fields, signer);
}

function answerOf({ certificate, publicKey, signer }: TestAuthority): Uint8Array {
  const id = sequence(
    sequence(objectIdentifier("2.16.840.1.101.3.4.2.1"), nothing),
    octetString(hash("sha256", certificate.subject.der, "buffer")),
    octetString(hash("sha256", publicKey.keyBits, "buffer")),
    integer(5),
  );
  const request = parseOcspRequest(sequence(sequence(sequence(sequence(id)))));
  const status = { status: "revoked", at: thisUpdate, reason: 4, thisUpdate, nextUpdate } as const;
  const answers = request.certificates.map((each) => ({ ...status, certificate: each }));
  const responder = { name: certificate.subject.der };
  return buildOcspResponse({ responder, producedAt: thisUpdate, nonce: Buffer.alloc(32, 1), answers }, signer);
}

let folder: string;
let pkilint: Pkilint | string;
let zlint: Zlint | string;

/** The tool, or why there is none. */
async function orReason<T>(install: () => Promise<T>): Promise<T | string> {
  try {
    return await install();
  } catch (error) {
    if (error instanceof ToolUnavailable) return error.message;
    throw error;
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "linters-"));
  pkilint = await orReason(installPkilint);
  zlint = await orReason(installZlint);
});

afterAll(() => rm(folder, { recursive: true }));

/** It knows no ML-DSA, and so takes such a root for one that another authority signed. */
const forZlint = (kind: { readonly type: string }) =>
  kind.type === "ml-dsa" ? ["list", "delta"] : ["root", "leaf", "list", "delta"];

describe.each([...classicalKinds, ...latticeKinds])("$name", (kind) => {
  const file = (name: string) => join(folder, `${kind.name.replaceAll(" ", "-")}-${name}`);

  beforeAll(async () => {
    const authority = await makeAuthority(kind, [nameConstraints({ permitted: { dnsDomains: ["example.com"] } })]);
    await writeFile(file("root"), `${pemText("CERTIFICATE", authority.certificate.der)}\n`);
    await writeFile(file("leaf"), `${pemText("CERTIFICATE", leafOf(authority))}\n`);
    await writeFile(file("list"), `${pemText("X509 CRL", await listOf(authority, false))}\n`);
    await writeFile(file("delta"), `${pemText("X509 CRL", await listOf(authority, true))}\n`);
    await writeFile(file("answer"), answerOf(authority));
  });

  test.for([
    ["root", "lint_pkix_cert"],
    ["leaf", "lint_pkix_cert"],
    ["list", "lint_crl"],
    ["delta", "lint_crl"],
    ["answer", "lint_ocsp_response"],
  ] as const)("pkilint has nothing to say of the %s", async ([name, tool], { skip }) => {
    if (typeof pkilint === "string") return skip(pkilint);
    expect(await pkilint.findings(tool, file(name))).toEqual([]);
  });

  test.for(forZlint(kind))("zlint finds no fault in the %s", async (name, { skip }) => {
    if (typeof zlint === "string") return skip(zlint);
    expect((await zlint.findings(file(name))).filter((rule) => !rulesOfTheWeb.has(rule))).toEqual([]);
  });

  test("Python's cryptography verifies the leaf and the list", async ({ skip }) => {
    if (typeof pkilint === "string") return skip(pkilint);
    const program = join(import.meta.dirname, "verify_certificates.py");
    const { stdout } = await pkilint.python(program, file("root"), file("leaf"), file("list"));
    expect(stdout).toBe("sound\n");
  });
});
