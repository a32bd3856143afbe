/** When something was revoked, in the two forms that answers give. */
export const shownTime = (milliseconds: number) => ({
  revocation_time: Math.floor(milliseconds / 1000),
  revocation_time_rfc3339: new Date(milliseconds).toISOString(),
});
