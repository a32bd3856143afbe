/** Declares how tokens are prolonged: `renew`, `renew-self` and `renew-accessor`. */
import { invalidRequest } from "../../api/errors.ts";
import { duration, sensitive, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { TokenServices } from "./token-services.ts";

const path = pathsFor<TokenServices>();

const increment = duration("How much longer, from now; the token's own lifetime when 0").default(0);
const token = sensitive(text("Token to renew")).default("");

const renew = path({
  pattern: ["renew", "renew/:token"],
  summary: "Prolong a token",
  params: { token },
  write: {
    summary: "Renew a token",
    input: { token, increment },
    async handler({ token, increment }, { services, warn }) {
      const found = await services.alive(token);
      if (!found) throw invalidRequest("token not found");
      return services.renew(found, increment, warn);
    },
  },
});

const renewSelf = path({
  pattern: "renew-self",
  summary: "Prolong the caller's own token",
  write: {
    summary: "Renew the caller's own token",
    input: { token, increment },
    handler: async ({ increment }, { services, warn }) => services.renew(services.own, increment, warn),
  },
});

const renewAccessor = path({
  pattern: "renew-accessor",
  summary: "Prolong the token behind an accessor",
  write: {
    summary: "Renew a token by its accessor",
    input: { accessor: text("Accessor of the token").default(""), increment },
    async handler({ accessor, increment }, { services, warn }) {
      const token = await services.aliveByAccessor(accessor);
      return services.renew({ id: "", token }, increment, warn);
    },
  },
});

export const renewPaths = [renew, renewSelf, renewAccessor];
