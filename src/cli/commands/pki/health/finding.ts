/** What a check of a certificate authority finds, and how bad it is. */

/** Exit codes that scripts know from similar tools; 1 is a wrong command line. */
export const severities = {
  ok: 0,
  informational: 2,
  warning: 3,
  critical: 4,
  insufficient_permissions: 6,
} as const;

export type Severity = keyof typeof severities;

export interface Finding {
  readonly status: Severity;
  /** Path in the API that it is about. */
  readonly endpoint: string;
  readonly message: string;
}

export interface Check<Subject> {
  readonly name: string;
  /** What is well when nothing is found. */
  readonly expects: string;
  run(subject: Subject): Promise<Finding[]>;
}

export const found = (status: Severity, endpoint: string, message: string): Finding => ({ status, endpoint, message });
