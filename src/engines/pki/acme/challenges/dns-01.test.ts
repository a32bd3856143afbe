import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { AcmeSolver } from "../../../../../test/support/acme-solver.ts";
import { requireAuthorityAllowed } from "../caa.ts";
import { usualSettings } from "../settings.ts";
import { validateDns } from "./dns-01.ts";
import type { Proof } from "./proof.ts";

const solver = new AcmeSolver();
const right = createHash("sha256").update("token.print").digest("base64url");

const proof = (name: string, changes: object = {}): Proof => ({
  identifier: { type: "dns", value: name },
  token: "token",
  thumbprint: "print",
  settings: { ...usualSettings, ...changes },
  network: solver.network,
  signal: AbortSignal.timeout(2000),
});

test.each<[records: string[], type: string | undefined]>([
  [[right], undefined],
  [["other", right], undefined],
  [[], "dns"],
  [["other"], "incorrectResponse"],
  [[`${right} `], "incorrectResponse"],
])("%j is %s", async (records, type) => {
  solver.texts.set("_acme-challenge.a.test", records);
  const outcome = validateDns(proof("a.test"));
  if (type === undefined) await outcome;
  else await expect(outcome).rejects.toMatchObject({ type });
});

test("a resolver without an answer is said", async () => {
  solver.unanswered.add("_acme-challenge.b.test");
  await expect(validateDns(proof("b.test"))).rejects.toMatchObject({
    type: "dns",
    message: expect.stringContaining("ESERVFAIL"),
  });
});

const issue = (value: string, tag = "issue", isCritical = false) => ({ isCritical, tag, value });

test.each<[name: string, at: string, records: ReturnType<typeof issue>[], wildcard: boolean, allowed: boolean]>([
  ["none", "x.test", [], false, true],
  ["ours", "a.b.test", [issue("ca.test")], false, true],
  ["ours with parameters", "a.b.test", [issue("CA.test; validationmethods=dns-01")], false, true],
  ["another's", "a.b.test", [issue("other.test")], false, false],
  ["nobody's", "a.b.test", [issue(";")], false, false],
  ["another's further up", "b.test", [issue("other.test")], false, false],
  ["ours among others", "b.test", [issue("other.test"), issue("ca.test")], false, true],
  ["wildcards for others", "b.test", [issue("ca.test"), issue("other.test", "issuewild")], true, false],
  [
    "wildcards for others, asked for a name",
    "b.test",
    [issue("ca.test"), issue("other.test", "issuewild")],
    false,
    true,
  ],
  ["wildcards for us", "b.test", [issue("other.test"), issue("ca.test", "issuewild")], true, true],
  ["only a mail address", "b.test", [issue("mailto:x@y", "iodef")], false, true],
  ["something critical", "b.test", [issue("x", "future", true)], false, false],
  ["something new", "b.test", [issue("x", "future")], false, true],
])("CAA: %s", async (_, at, records, wildcard, allowed) => {
  solver.authorities.clear();
  solver.authorities.set(at, records);
  const outcome = requireAuthorityAllowed(proof("a.b.test", { caa_identities: ["ca.test"] }), wildcard);
  if (allowed) await outcome;
  else await expect(outcome).rejects.toMatchObject({ type: "caa", status: 403 });
});

test("CAA is not asked for where the authority has no name in it", async () => {
  solver.authorities.set("c.test", [issue("other.test")]);
  await requireAuthorityAllowed(proof("c.test"), false);
});
