/** Declares `sys/wrapping`: put data behind a one-time token, look at the token, and take the data out. */
import { invalidRequest } from "../../api/errors.ts";
import { duration, sensitive, text } from "../../api/fields.ts";
import { type Context, Open, pathsFor } from "../../api/path.ts";
import { RawReply, WrappedAnswer } from "../../api/reply.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const tokenField = { token: sensitive(text("The wrapping token; the caller's own when empty")).default("") };

const wrap = path({
  pattern: "wrapping/wrap",
  summary: "Put data behind a one-time token",
  dataOnTop: true,
  write: {
    summary: "Wrap data; how long is said in the header X-Service-Wrap-TTL",
    openInput: true,
    openOutput: true,
    async handler(_input, { services, body }) {
      if (services.exchange.request.wrapSeconds === undefined) {
        throw invalidRequest("endpoint requires response wrapping to be used");
      }
      return new Open({ ...body });
    },
  },
});

const infoFields = {
  creation_path: text("Path whose answer was wrapped"),
  creation_time: text("When it was wrapped"),
  creation_ttl: duration("How long the token lasts"),
};

const lookupOf = (token: string, { services, now }: Context<SystemServices>) =>
  services.wrapping.lookup(token || (services.exchange.request.token ?? ""), now, services.storage);

const lookup = path({
  pattern: "wrapping/lookup",
  summary: "What a wrapping token holds, without using it up",
  access: "public",
  read: {
    summary: "Look at the caller's own wrapping token",
    output: infoFields,
    handler: (_input, context) => lookupOf("", context),
  },
  write: {
    summary: "Look at a wrapping token",
    input: tokenField,
    output: infoFields,
    handler: ({ token }, context) => lookupOf(token, context),
  },
});

/** The record that a wrapping token holds, with the token used up. */
async function taken(token: string, { services, now }: Context<SystemServices>) {
  const { exchange, wrapping, storage, revocation } = services;
  if (token === "" || token === exchange.request.token) return wrapping.ownResponse(exchange.token!, storage);
  const { record, key } = await wrapping.unwrap(token, now, storage);
  exchange.afterCommit.push(() => revocation.finish(key));
  return record;
}

const unwrap = path({
  pattern: "wrapping/unwrap",
  summary: "Take out what a wrapping token holds; once",
  takesWrappingToken: true,
  write: {
    summary: "Unwrap",
    input: tokenField,
    async handler({ token }, context) {
      const { response } = await taken(token, context);
      return new RawReply(`${response}\n`, "application/json");
    },
  },
});

const rewrap = path({
  pattern: "wrapping/rewrap",
  summary: "Move what a wrapping token holds behind a new one",
  takesWrappingToken: true,
  write: {
    summary: "Rewrap",
    input: tokenField,
    async handler({ token }, context) {
      const { services, now } = context;
      const { response, creation_ttl, creation_path } = await taken(token, context);
      const info = await services.wrapping.wrap(response, creation_ttl, creation_path, now, services.storage);
      return new WrappedAnswer(info);
    },
  },
});

export const wrappingPaths = [wrap, lookup, unwrap, rewrap];
