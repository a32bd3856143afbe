/** The options of each type of credential: read, checked and completed when a role is written. */
import { invalidRequest } from "../../api/errors.ts";
import { TemplateError } from "../../lib/template/error.ts";
import { Template } from "../../lib/template/template.ts";
import { requireAuthority } from "./client-certificate.ts";
import type { CredentialType } from "./plugin.ts";

export interface PasswordConfig {
  readonly password_policy?: string;
}

export interface RsaConfig {
  readonly key_bits: number;
  readonly format: "pkcs8";
}

export interface CertificateConfig {
  readonly common_name_template: string;
  readonly ca_cert: string;
  readonly ca_private_key: string;
  readonly key_type: "rsa" | "ec" | "ed25519";
  readonly key_bits: number;
  readonly signature_bits: number;
}

export type CredentialConfig = PasswordConfig | RsaConfig | CertificateConfig;

type Options = Readonly<Record<string, string>>;

const rsaBits = [2048, 3072, 4096];
const ecBits = [224, 256, 384, 521];
const signatureBits = [256, 384, 512];

const failed = (problem: string) => invalidRequest(`credential_config validation failed: ${problem}`);

export function readCredentialConfig(type: CredentialType, options: Options): CredentialConfig {
  if (type === "password") return options["password_policy"] ? { password_policy: options["password_policy"] } : {};
  if (type === "rsa_private_key") return readRsa(options);
  return readCertificate(options);
}

export const optionNames: Readonly<Record<CredentialType, readonly string[]>> = {
  password: ["password_policy"],
  rsa_private_key: ["key_bits", "format"],
  client_certificate: ["common_name_template", "ca_cert", "ca_private_key", "key_type", "key_bits", "signature_bits"],
};

/** What may be seen of it again; undefined where there is nothing. */
export function shownConfig(config: CredentialConfig): Record<string, unknown> | undefined {
  const { ca_private_key: _, ...visible } = config as CertificateConfig;
  const shown = Object.fromEntries(Object.entries(visible).filter(([, value]) => value !== "" && value !== 0));
  return Object.keys(shown).length === 0 ? undefined : shown;
}

function readRsa(options: Options): RsaConfig {
  const format = (options["format"] || "pkcs8").toLowerCase();
  const key_bits = numberIn(options, "key_bits", 2048);
  if (!rsaBits.includes(key_bits))
    throw failed(`invalid key_bits: ${options["key_bits"]}; one of ${rsaBits.join(", ")}`);
  if (format !== "pkcs8") throw failed(`invalid format: ${options["format"]}; only pkcs8`);
  return { key_bits, format };
}

function readCertificate(options: Options): CertificateConfig {
  const { common_name_template = "", ca_cert = "", ca_private_key = "" } = options;
  const key_type = options["key_type"] ?? "";
  if (key_type !== "rsa" && key_type !== "ec" && key_type !== "ed25519") {
    throw failed(`invalid key_type${key_type === "" ? "" : `: ${key_type}`}; one of rsa, ec, ed25519`);
  }
  const key_bits = keyBits(options, key_type);
  const signature_bits = numberIn(options, "signature_bits", 256);
  if (!signatureBits.includes(signature_bits)) {
    throw failed(`invalid signature_bits: ${options["signature_bits"]}; one of ${signatureBits.join(", ")}`);
  }
  if (common_name_template !== "") requireTemplate(common_name_template);
  if ((ca_cert === "") !== (ca_private_key === "")) throw failed("ca_cert and ca_private_key must be set together");
  if (ca_cert !== "") requireAuthority(ca_cert, ca_private_key, failed);
  return { common_name_template, ca_cert, ca_private_key, key_type, key_bits, signature_bits };
}

function keyBits(options: Options, keyType: "rsa" | "ec" | "ed25519"): number {
  if (keyType === "ed25519") return 0;
  const [allowed, usual] = keyType === "rsa" ? [rsaBits, 2048] : [ecBits, 256];
  const bits = numberIn(options, "key_bits", usual);
  if (!allowed.includes(bits))
    throw failed(`invalid key_bits: ${options["key_bits"]}; one of ${allowed.join(", ")} for ${keyType}`);
  return bits;
}

function requireTemplate(source: string): void {
  try {
    new Template(source);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw failed(`invalid common_name_template: ${error.message}`);
  }
}

/** Not a number where it is none, so that it is in no list of allowed ones. */
function numberIn(options: Options, name: string, usual: number): number {
  const value = options[name];
  if (value === undefined || value === "" || value === "0") return usual;
  return /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
}
