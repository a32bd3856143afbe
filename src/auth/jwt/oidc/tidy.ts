/** Removes logins that nobody finished. */
import type { Job } from "../../../api/engine.ts";
import type { JwtServices } from "../services.ts";

const mostAtOnce = 500;

export const tidyJob: Job<JwtServices> = {
  name: "oidc-flows",
  everySeconds: 60,
  async work({ now, signal, transaction }) {
    for (let more = true; more && !signal.aborted; ) {
      more = await transaction(({ flows }) => flows.removeOver(now.getTime(), mostAtOnce));
    }
  },
};
