/** Everything after this stage is one transaction: committed when the handler is done, run again on a conflict. */
import type { Records } from "../storage/records.ts";
import type { Around } from "./pipeline.ts";

export const inTransaction =
  (records: Records): Around =>
  async (exchange, next) => {
    const answer = await records
      .transaction((transaction) => {
        exchange.transaction = transaction;
        exchange.storage = transaction;
        exchange.body = exchange.request.body;
        exchange.warnings.length = 0;
        exchange.filterAnswer = undefined;
        exchange.afterCommit.length = 0;
        exchange.afterFailure.length = 0;
        return next();
      })
      .catch(async (error: unknown) => {
        for (const step of exchange.afterFailure) await step();
        throw error;
      });
    for (const step of exchange.afterCommit) await step();
    return answer;
  };
