/** The first stage: knows what is under way, and counts how it ended and how long it took. */
import { ApiError } from "../../api/errors.ts";
import { Answered, RawReply } from "../../api/reply.ts";
import type { RequestMetrics } from "../metrics/request-metrics.ts";
import type { Around } from "./pipeline.ts";

export const measure =
  (requests: RequestMetrics, stopwatch: () => number): Around =>
  async (exchange, next) => {
    const started = stopwatch();
    requests.begin(exchange);
    let status = 500;
    try {
      const answer = await next();
      status = answer instanceof RawReply || answer instanceof Answered ? answer.status : 200;
      return answer;
    } catch (error) {
      if (error instanceof ApiError) status = error.status;
      throw error;
    } finally {
      requests.end(exchange, status, stopwatch() - started);
    }
  };
