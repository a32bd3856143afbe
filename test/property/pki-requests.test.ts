/** Whatever a caller sends to an authority that is at work, the answer is a certificate or a clear refusal. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../src/api/errors.ts";
import {
  type TestAuthority as Authority,
  request,
  TestAuthority,
} from "../../src/engines/pki/authority-fixture.suite.ts";
import { pki } from "../../src/engines/pki/engine.ts";

const nasty = [
  null,
  "",
  "a",
  "-1",
  "true",
  "1h",
  "99999999999h",
  "2030-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "0000-01-01T00:00:00Z",
  "a,b",
  "../..",
  "\u0000",
  "\ud800",
  "💣\u202e",
  "x".repeat(5000),
  "*",
  "*.*",
  "a@b@c",
  "@",
  "xn--",
  "xn--\u0000",
  "1.2.3;UTF8:x",
  "9.9.9;utf8:",
  "aa:bb",
  "zz",
  "::",
  "1.2.3.4",
  "https://",
  "https://a b/",
  "{{issuer_id}}",
  "default",
  "root",
  0,
  -1,
  1,
  1.5,
  2 ** 53,
  true,
  false,
  [],
  ["a", "", "é"],
  [[1]],
  {},
  { a: 1 },
  "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
  `-----BEGIN PRIVATE KEY-----\n${"A".repeat(100)}\n-----END PRIVATE KEY-----`,
];

const names = { name: "web", issuer_ref: "root", exported: "internal", key_ref: "default", role: "web" };

/** Settings come last, since they may put an end to all issuing. */
const targets = pki.paths
  .filter(({ patterns }) => !patterns.some((pattern) => /acme|eab|^tidy/.test(pattern)))
  .flatMap((path) =>
    (["write", "patch", "read", "list"] as const)
      .filter((operation) => path.operations[operation])
      .map((operation) => ({
        pattern: path.patterns[0]!,
        operation,
        input: Object.keys(path.operations[operation]!.input ?? {}),
      })),
  )
  .sort((a, b) => Number(a.pattern.startsWith("config/")) - Number(b.pattern.startsWith("config/")));

/** What is changed is not what the others work with. */
function concrete(pattern: string): string {
  const isChange = /^(cel\/)?roles\/:name$|^issuer\/:issuer_ref(\/revoke)?$/.test(pattern);
  const spare = isChange ? { name: "spare", issuer_ref: "spare" } : {};
  const known: Record<string, string> = { ...names, ...spare };
  return pattern.replace(/:([a-z_]+)\*?/g, (_, name: string) => known[name] ?? "aa:bb");
}

describe("an authority at work", () => {
  let authority: Authority;
  let csr = "";
  beforeAll(async () => {
    authority = await TestAuthority.withRoot();
    await authority.write("root/generate/internal", { common_name: "Spare", key_type: "ec", issuer_name: "spare" });
    await authority.write("roles/web", {
      allow_any_name: true,
      enforce_hostnames: false,
      key_type: "any",
      allowed_uri_sans: "*",
      allowed_other_sans: "*",
      allowed_user_ids: "*",
      allowed_serial_numbers: "*",
      cn_validations: "disabled",
      require_cn: false,
    });
    await authority.write("cel/roles/web", {
      cel_program: {
        expression:
          "ValidationOutput{template: CertTemplate{Subject: PKIX.Name{CommonName: string(request.common_name)}, DNSNames: [string(request.alt_names)]}, key_type: 'ec'}",
      },
    });
    csr = (await request({ commonName: "a.b" })).csr;
  });

  test.each(targets)("$operation $pattern", async ({ pattern, operation, input }) => {
    const path = concrete(pattern);
    const useful: Record<string, unknown> = { key_type: "ec", ...(input.includes("csr") && { csr }) };
    const fields = input.length > 0 ? input : ["anything"];
    const bodies = fc.dictionary(fc.constantFrom(...fields, "common_name", "alt_names"), fc.constantFrom(...nasty), {
      maxKeys: 4,
    });
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        try {
          await authority.call(operation, path, { ...useful, ...body });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect(error.status).toBeLessThan(500);
        }
      }),
      { numRuns: 25 },
    );
  });
});
