/** Declares `sys/internal/counters`: how many tokens and entities there are. */
import { group, integer } from "../../api/fields.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

/** Counted in pages, so that neither memory nor other requests suffer. */
const pageSize = 1000;

async function countAll(list: (page: PageRequest) => Promise<string[]>): Promise<number> {
  let total = 0;
  for (let after: string | undefined; ; ) {
    const page = await list({ after, limit: pageSize });
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
    handler: async (_input, { services: { tokens, storage } }) => ({
      counters: { service_tokens: { total: await countAll((page) => tokens.accessors(storage, page)) } },
    }),
  },
});

const entities = path({
  pattern: "internal/counters/entities",
  summary: "How many entities there are",
  read: {
    summary: "Count entities",
    output: {
      counters: group("What was counted", { entities: group("Entities", { total: integer("How many there are") }) }),
    },
    handler: async (_input, { services: { identityLink, storage } }) => ({
      counters: { entities: { total: await countAll((page) => identityLink.entityIds(storage, page)) } },
    }),
  },
});

export const counterPaths = [tokens, entities];
