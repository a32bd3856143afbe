/** A whole core on a store in memory, called without HTTP. */
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { AnyEngine, EngineSource } from "../../src/api/engine.ts";
import type { OperationName } from "../../src/api/path.ts";
import { Authenticated } from "../../src/api/reply.ts";
import { createKernel, type Kernel, type KernelParts } from "../../src/core/kernel.ts";
import { type Exchange, exchangeFor } from "../../src/core/pipeline/exchange.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import type { Store } from "../../src/core/storage/store.ts";
import { identity } from "../../src/identity/engine.ts";
import { type JsonObject, parseJson } from "../../src/lib/json.ts";
import { outbound } from "../../src/server/outbound.ts";

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly auth: any;
  readonly warnings: readonly string[];
}

export class KernelCaller {
  readonly kernel: Kernel;
  readonly #clock: { now: number };
  rootToken = "";
  keys: string[] = [];

  constructor(
    engines: readonly (AnyEngine | EngineSource)[],
    store: Store = new MemoryStore(),
    clock = { now: Date.UTC(2030, 0, 1) },
    parts: Pick<KernelParts, "network" | "isPublicAcmeDisabled" | "autoSeal"> = {},
  ) {
    this.#clock = clock;
    const quiet = () => {};
    this.kernel = createKernel({
      store,
      engines,
      identity,
      clock: { now: () => this.#clock.now },
      random: { bytes: (count) => randomBytes(count) },
      outbound,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      pause: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false }),
      audit: { declared: [], allowApi: true, allowPrefix: true, folders: [tmpdir()] },
      version: "0.0.0",
      buildDate: "2030-01-01T00:00:00Z",
      clusterName: "test",
      unauthenticatedRekey: true,
      unauthenticatedGenerateRoot: true,
      defaultLeaseSeconds: 2_764_800,
      maxLeaseSeconds: 2_764_800,
      ...parts,
    });
  }

  get now(): number {
    return this.#clock.now;
  }

  /** Lets time pass. */
  passSeconds(seconds: number): void {
    this.#clock.now += seconds * 1000;
  }

  async initialize(): Promise<this> {
    const { data } = await this.call("write", "sys/init", { secret_shares: 1, secret_threshold: 1 }, "");
    this.rootToken = data.root_token;
    this.keys = data.keys;
    await this.call("write", "sys/unseal", { key: data.keys[0] }, "");
    return this;
  }

  async call(
    operation: OperationName,
    path: string,
    body: object | string = {},
    token = this.rootToken,
  ): Promise<Answer> {
    const { answer, exchange } = await this.exchange(operation, path, body, token);
    const auth = answer instanceof Authenticated ? answer.auth : undefined;
    return { data: auth ? undefined : answer, auth, warnings: exchange.warnings };
  }

  /** Calls in a namespace that is named apart from the path, as with a header. */
  async callIn(
    namespace: string,
    operation: OperationName,
    path: string,
    body: object | string = {},
    token = this.rootToken,
  ): Promise<Answer> {
    const { answer, exchange } = await this.exchange(operation, path, body, token, undefined, undefined, namespace);
    const auth = answer instanceof Authenticated ? answer.auth : undefined;
    return { data: auth ? undefined : answer, auth, warnings: exchange.warnings };
  }

  /** Calls with the wish that the answer be wrapped, and gives the wrap info, if it was. */
  async wrapped(
    operation: OperationName,
    path: string,
    body: object,
    seconds: number,
    token = this.rootToken,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  ): Promise<any> {
    return (await this.exchange(operation, path, body, token, "127.0.0.1", seconds)).answer;
  }

  async exchange(
    operation: OperationName,
    path: string,
    body: object | string,
    token: string,
    remoteAddress = "127.0.0.1",
    wrapSeconds?: number,
    namespace?: string,
  ): Promise<{ answer: unknown; exchange: Exchange }> {
    const isList = operation === "list" || operation === "scan";
    const exchange = exchangeFor({
      id: "request",
      operation,
      namespace,
      path: isList && !path.endsWith("/") ? `${path}/` : path,
      body: parseJson(typeof body === "string" ? body : JSON.stringify(body)) as JsonObject,
      token: token === "" ? undefined : token,
      wrapSeconds,
      now: new Date(this.#clock.now),
      source: { remoteAddress, header: () => undefined, clientCertificates: () => [] },
    });
    return { answer: await this.kernel.handle(exchange), exchange };
  }
}
