/** Certificate policies as roles write them: object identifiers, or objects that add a notice or an address. */
import { type CertificatePolicy, parsePolicyIdentifier } from "../../lib/x509/certificate-policies.ts";
import { refusing } from "./refusal.ts";

/** As they are kept and shown: an object identifier, or the JSON text of an object. */
export const policyTexts = (given: unknown): string[] =>
  entries(given).map((entry) => {
    const { oid, notice, cps } = refusing(() => parsePolicyIdentifier(entry));
    return notice === undefined && cps === undefined ? oid : JSON.stringify({ oid, notice, cps });
  });

export const parsePolicies = (texts: unknown): CertificatePolicy[] =>
  entries(texts).map((entry) => refusing(() => parsePolicyIdentifier(entry)));

/** A list; or one text that is a JSON list, a JSON object, or has commas between. */
function entries(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (typeof given !== "string") return [given];
  const text = given.trim();
  if (text.startsWith("[")) {
    const parsed = parsedJson(text);
    return Array.isArray(parsed) ? parsed : [text];
  }
  if (text.startsWith("{")) return [text];
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
