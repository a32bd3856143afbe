/** The role that stands in where a path has none: everything is allowed, and nothing is added. */
import { z } from "zod";
import { type Role, roleFields } from "./role-fields.ts";

const usual = z.object(roleFields).parse({}) as Role;

export const permissiveRole: Role = {
  ...usual,
  allow_any_name: true,
  allow_localhost: true,
  allow_ip_sans: true,
  allow_wildcard_certificates: true,
  enforce_hostnames: false,
  allowed_uri_sans: ["*"],
  allowed_other_sans: ["*"],
  allowed_serial_numbers: ["*"],
  allowed_user_ids: ["*"],
  cn_validations: ["disabled"],
  require_cn: false,
  key_type: "any",
};
