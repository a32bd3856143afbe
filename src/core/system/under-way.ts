/** The requests that a process is working on, as `sys/in-flight-req` tells them. */
import type { OperationName } from "../../api/path.ts";
import type { Exchange } from "../pipeline/exchange.ts";

const methods: Readonly<Record<OperationName, string>> = {
  read: "GET",
  head: "HEAD",
  write: "POST",
  patch: "PATCH",
  list: "LIST",
  scan: "SCAN",
  delete: "DELETE",
};

function described({ request, received, token }: Exchange, now: Date) {
  return {
    start_time: request.now.toISOString(),
    client_remote_address: request.source.remoteAddress,
    request_path: `/v1/${received.path}`,
    request_method: methods[request.operation],
    client_id: token?.entity_id ?? "",
    snapshot_time: now.toISOString(),
    duration: `${Math.max(0, now.getTime() - request.now.getTime())}ms`,
  };
}

/** By the id of each request. */
export type RequestsUnderWay = Readonly<Record<string, ReturnType<typeof described>>>;

export const requestsUnderWay = (exchanges: Iterable<Exchange>, now: Date): RequestsUnderWay =>
  Object.fromEntries([...exchanges].map((exchange) => [exchange.request.id, described(exchange, now)]));
