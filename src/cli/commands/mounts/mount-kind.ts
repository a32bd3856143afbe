/** What tells secrets engines and auth methods apart: where they are mounted, and what they are called. */

export interface MountKind {
  readonly what: string;
  readonly plural: string;
  /** Path of the table: mounts are enabled below it. */
  readonly table: "sys/mounts" | "sys/auth";
  /** In front of a mount's path where both kinds stand side by side. */
  readonly prefix: "" | "auth/";
  readonly exampleType: string;
}

export const secretsKind: MountKind = {
  what: "secrets engine",
  plural: "secrets engines",
  table: "sys/mounts",
  prefix: "",
  exampleType: "kv",
};

export const authKind: MountKind = {
  what: "auth method",
  plural: "auth methods",
  table: "sys/auth",
  prefix: "auth/",
  exampleType: "userpass",
};
