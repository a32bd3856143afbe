/** Puts an answer behind a one-time token, where the caller asks for it. */
import type { Storage } from "../../api/engine.ts";
import { Answered, Authenticated, RawReply, WrappedAnswer } from "../../api/reply.ts";
import { isJsonObject } from "../../lib/json.ts";
import { entered } from "../namespaces/entered.ts";
import type { Records } from "../storage/records.ts";
import type { Wrapping } from "../wrapping/wrapping.ts";
import { envelopeFor } from "./envelope.ts";
import type { Exchange } from "./exchange.ts";
import type { After } from "./pipeline.ts";

export const wrapAnswer = (wrapping: Wrapping, records: Records): After => ({
  after(exchange, answer) {
    const { wrapSeconds } = exchange.request;
    const isLeftAlone = wrapSeconds === undefined || answer instanceof RawReply || answer instanceof WrappedAnswer;
    return isLeftAlone ? answer : wrapped(exchange, answer, wrapSeconds, wrapping, records);
  },
});

async function wrapped(
  exchange: Exchange,
  answer: unknown,
  wrapSeconds: number,
  wrapping: Wrapping,
  records: Records,
): Promise<unknown> {
  const { status, body } = envelopeFor(exchange, answer);
  if (body === undefined || status !== 200) return answer;
  const transaction = exchange.transaction!;
  const { path, now } = exchange.request;
  const wrap = (storage: Storage) => wrapping.wrap(JSON.stringify(body), wrapSeconds, path, now, storage);
  const info = await (transaction.isFinished
    ? records.transaction(async (whole) => wrap(await entered(exchange.namespace, whole)))
    : wrap(exchange.storage!));
  const accessor = wrappedAccessor(answer);
  return new WrappedAnswer(accessor === undefined ? info : { ...info, wrapped_accessor: accessor });
}

/** Lets an operator revoke what was wrapped without unwrapping it. */
function wrappedAccessor(answer: unknown): string | undefined {
  if (answer instanceof Authenticated) return answer.auth.accessor;
  const data = answer instanceof Answered ? answer.data : answer;
  const accessor = isJsonObject(data) ? data["secret_id_accessor"] : undefined;
  return typeof accessor === "string" ? accessor : undefined;
}
