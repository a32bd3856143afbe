/** What a handler may use besides its input, made of the exchange; each part is made when a handler asks for it. */
import type { Caller, CallerIdentity, Context, RequestInfo } from "../../api/path.ts";
import { entered } from "../namespaces/entered.ts";
import type { Records } from "../storage/records.ts";
import { callerIdentity, filledTemplate } from "./caller-identity.ts";
import type { Exchange } from "./exchange.ts";

const noBytes = new Uint8Array();

/**
 * Handlers take parts out of it by name, so functions come from getters that bind them: a method would lose its object.
 */
export class HandlerContext implements Context<unknown> {
  readonly #exchange: Exchange;
  readonly #given: ReadonlySet<string>;
  readonly #records: Records | undefined;

  constructor(exchange: Exchange, given: ReadonlySet<string>, records?: Records) {
    this.#exchange = exchange;
    this.#given = given;
    this.#records = records;
  }

  /** Built once per attempt, for the check whether a thing exists and for the handler alike. */
  get services(): unknown {
    const exchange = this.#exchange;
    exchange.services ??= exchange.mount!.services(exchange.storage!, exchange);
    return exchange.services;
  }

  get caller(): Caller | undefined {
    const { token, sudo } = this.#exchange;
    return (
      token && {
        key: token.key,
        accessor: token.accessor,
        displayName: token.display_name,
        entityId: token.entity_id,
        policies: token.policies,
        sudo,
      }
    );
  }

  get request(): RequestInfo {
    const { request, mount } = this.#exchange;
    const { source } = request;
    return {
      id: request.id,
      path: request.path.slice(mount!.path.length),
      mountPath: mount!.path,
      remoteAddress: source.remoteAddress,
      header: (name) => source.header(name),
      clientCertificates: () => source.clientCertificates(),
    };
  }

  get body(): Context<unknown>["body"] {
    return this.#exchange.body;
  }

  get rawBody(): Uint8Array {
    return this.#exchange.request.rawBody ?? noBytes;
  }

  get now(): Date {
    return this.#exchange.request.now;
  }

  get identity(): () => Promise<CallerIdentity | undefined> {
    const exchange = this.#exchange;
    return async () => callerIdentity(await exchange.identity?.());
  }

  get fillTemplate(): (text: string) => Promise<readonly string[]> {
    const exchange = this.#exchange;
    return async (text) => {
      const filled = filledTemplate(text, await exchange.identity?.(), exchange.request.now);
      return filled === undefined ? [] : [filled];
    };
  }

  get given(): (field: string) => boolean {
    const given = this.#given;
    return (field) => given.has(field);
  }

  get warn(): (message: string) => void {
    const { warnings } = this.#exchange;
    return (message) => void warnings.push(message);
  }

  get transaction(): Context<unknown>["transaction"] {
    const { namespace, mount } = this.#exchange;
    const exchange = this.#exchange;
    const records = this.#records;
    return (work) => {
      if (!records) throw new Error("this path answers without the store");
      return records.transaction(async (whole) => work(mount!.services(await entered(namespace, whole), exchange)));
    };
  }
}
