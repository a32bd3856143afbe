/** Declares `sys/in-flight-req`: what this process is working on. */
import { Open, type OperationName, pathsFor } from "../../api/path.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

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

const inFlight = path({
  pattern: "in-flight-req",
  summary: "Requests that this process is working on",
  bare: true,
  read: {
    summary: "Read what is under way, by the id of each request",
    openOutput: true,
    async handler(_input, { services, now }) {
      const underWay = [...services.requests.underWay];
      return new Open(Object.fromEntries(underWay.map((exchange) => [exchange.request.id, described(exchange, now)])));
    },
  },
});

export const inFlightPaths = [inFlight];
