/** Takes policies whose time is over out of the store; nobody could use them before that either. */
import type { Chore } from "../jobs/jobs.ts";
import type { Policies } from "./policies.ts";

const pageSize = 200;

export const policyExpiry = (policies: Policies): Chore => ({
  name: "policy-expiry",
  everySeconds: 600,
  async run(within, now) {
    let after: string | undefined;
    do {
      const page = { after, limit: pageSize };
      after = await within((storage) => policies.removeExpired(storage, now, page));
    } while (after !== undefined);
  },
});
