/** Declares how secret ids that are of no use any more are cleared away. */
import { pathsFor } from "../../api/path.ts";
import { Answered } from "../../api/reply.ts";
import type { ApproleServices } from "./services.ts";
import { tidyAll } from "./tidy.ts";

const path = pathsFor<ApproleServices>();

const tidy = path({
  pattern: "tidy/secret-id",
  summary: "Delete secret ids that have expired",
  write: {
    summary: "Begin to delete expired secret ids",
    effects: true,
    async handler(_, { services, transaction, warn }) {
      if (!services.tidying.begin((signal) => tidyAll(transaction, signal))) {
        warn("Tidy operation already in progress.");
        return new Answered(200, undefined);
      }
      warn(
        "Tidy operation successfully started. Any information from the operation will be printed to the server logs.",
      );
      return new Answered(202, undefined);
    },
  },
});

export const tidyPaths = [tidy];
