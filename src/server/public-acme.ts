/** Whether the environment says that nobody gets certificates by ACME without an account binding. */

const names = [
  "SERVICE_DISABLE_PUBLIC_ACME",
  "STRONGROOM_DISABLE_PUBLIC_ACME",
  "BAO_DISABLE_PUBLIC_ACME",
  "VAULT_DISABLE_PUBLIC_ACME",
];
const no = new Set(["", "0", "f", "false"]);

/** A word that is neither yes nor no counts as yes: who sets the variable wants to be safe. */
export const isPublicAcmeDisabled = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  names.some((name) => !no.has((environment[name] ?? "").trim().toLowerCase()));
