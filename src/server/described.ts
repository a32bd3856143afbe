/** An error for the operator's log. The stack never goes to a caller; error messages of ours hold no secrets. */
export const described = (error: unknown) =>
  error instanceof Error
    ? { error: error.message, stack: error.stack, cause: String(error.cause ?? "") }
    : { error: String(error) };
