/** Declares `sys/internal/counters/tokens`: how many tokens there are. */
import { group, integer } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

/** Counted in pages, so that neither memory nor other requests suffer. */
const pageSize = 1000;

async function countTokens({ tokens, storage }: SystemServices): Promise<number> {
  let total = 0;
  for (let after: string | undefined; ; ) {
    const page = await tokens.accessors(storage, { after, limit: pageSize });
    total += page.length;
    if (page.length < pageSize) return total;
    after = page.at(-1);
  }
}

const tokens = path({
  pattern: "internal/counters/tokens",
  summary: "How many tokens there are",
  read: {
    summary: "Count service tokens; batch tokens are stored nowhere",
    output: {
      counters: group("What was counted", {
        service_tokens: group("Service tokens", { total: integer("How many there are") }),
      }),
    },
    handler: async (_input, { services }) => ({
      counters: { service_tokens: { total: await countTokens(services) } },
    }),
  },
});

export const counterPaths = [tokens];
