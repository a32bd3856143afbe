/** Declares logins through a provider's own pages. */

export const oidcPaths = [];
