/** Declares `sys/in-flight-req`: what the processes of this node are working on. */
import { Open, pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";
import { requestsUnderWay } from "./under-way.ts";

const path = pathsFor<SystemServices>();

const inFlight = path({
  pattern: "in-flight-req",
  summary: "Requests that this node is working on",
  bare: true,
  read: {
    summary: "Read what is under way, by the id of each request",
    openOutput: true,
    async handler(_input, { services, now }) {
      const elsewhere = await services.node.others.underWay();
      return new Open(Object.assign({}, requestsUnderWay(services.requests.underWay, now), ...elsewhere));
    },
  },
});

export const inFlightPaths = [inFlight];
