/** Calls an engine's declared paths over a plain map, for tests of the engine alone. The store's own rules have their suite. */
import { randomBytes } from "node:crypto";
import type { Engine, Host, MountInfo, Storage } from "../../src/api/engine.ts";
import { unsupportedOperation, unsupportedPath } from "../../src/api/errors.ts";
import { declaredOutput, readInput } from "../../src/api/input.ts";
import type { PageRequest } from "../../src/api/list-fields.ts";
import type { Context, OperationName } from "../../src/api/path.ts";
import { Answered, Perishable } from "../../src/api/reply.ts";
import { Router } from "../../src/api/router.ts";
import { type JsonObject, parseJson } from "../../src/lib/json.ts";
import { outbound } from "../../src/server/outbound.ts";

/** What password policies make has its own tests; this is long enough to be told apart. */
const generatePassword = async () => `P-${randomBytes(9).toString("base64url")}`;

export class MapStorage implements Storage {
  readonly entries = new Map<string, Uint8Array>();

  async get(key: string) {
    return this.entries.get(key);
  }

  async read<T>(key: string, parse: (bytes: Uint8Array) => T) {
    const bytes = this.entries.get(key);
    return bytes && parse(bytes);
  }

  put(key: string, value: Uint8Array) {
    this.entries.set(key, value);
  }

  delete(key: string) {
    this.entries.delete(key);
  }

  async list(prefix: string, { after = "", limit }: PageRequest = {}) {
    const below = [...this.entries.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
    const names = new Set(below.map((rest) => (rest.includes("/") ? rest.slice(0, rest.indexOf("/") + 1) : rest)));
    const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return sorted.filter((name) => Buffer.compare(Buffer.from(name), Buffer.from(after)) > 0).slice(0, limit);
  }
}

export interface EngineCaller<Services = unknown> {
  readonly storage: MapStorage;
  /** The clock that the engine sees; move it as you like. */
  now: number;
  /** Where requests come from. */
  remoteAddress: string;
  /** What requests present on their TLS connection, as DER. */
  clientCertificates: readonly Uint8Array[];
  readonly services: Services;
  /** Body as an object, or as JSON text where digits matter. */
  call(operation: OperationName, path: string, body?: object | string): Promise<Called>;
  exists(path: string): Promise<boolean | undefined>;
}

export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly data: any;
  readonly status: number;
  /** What the envelope would say, where the answer says it. */
  readonly leaseSeconds: number | undefined;
  readonly warnings: readonly string[];
}

function unwrapped(answer: unknown): Omit<Called, "warnings"> {
  if (answer instanceof Answered) return { data: answer.data, status: answer.status, leaseSeconds: undefined };
  if (answer instanceof Perishable) return { data: answer.data, status: 200, leaseSeconds: answer.seconds };
  return { data: answer, status: answer === undefined ? 204 : 200, leaseSeconds: undefined };
}

interface CallerOptions extends Partial<Pick<MountInfo, "options" | "lockout" | "maxLeaseSeconds">> {
  storage?: MapStorage;
}

/** For an engine whose `start` answers at once. */
export function callerOf<Services, State = undefined>(
  engine: Engine<Services, State>,
  { options = {}, lockout, maxLeaseSeconds = 2_764_800, storage = new MapStorage() }: CallerOptions = {},
): EngineCaller<Services> {
  const router = new Router(engine.paths);
  const quiet = () => {};
  const caller = {
    storage,
    now: Date.UTC(2030, 0, 1),
    remoteAddress: "127.0.0.1",
    clientCertificates: [] as readonly Uint8Array[],
    get services() {
      return engine.services({ storage, host: host(), state, generatePassword });
    },
    async call(operation: OperationName, path: string, body: object | string = {}) {
      const match = router.match(path);
      const compiled = match?.route.operations[operation];
      if (!match) throw unsupportedPath();
      if (!compiled) throw unsupportedOperation();
      const parsed = parseJson(typeof body === "string" ? body : JSON.stringify(body)) as JsonObject;
      const warnings: string[] = [];
      const input = readInput(compiled as never, match.params, parsed);
      warnings.push(...input.warnings);
      const context = contextFor(path, parsed, input.given, warnings);
      const handle = async (): Promise<unknown> => compiled.operation.handler(input.values, context);
      const answer = await (compiled.operation.effects ? handle() : undoing(handle));
      return { ...unwrapped(declaredOutput(compiled.operation as never, answer)), warnings };
    },
    async exists(path: string) {
      const match = router.match(path);
      const operation = match?.route.operations.write?.operation;
      return operation?.exists?.(match!.params as never, contextFor(path, {}, new Set(), []));
    },
  };

  function contextFor(
    path: string,
    body: JsonObject,
    given: ReadonlySet<string>,
    warnings: string[],
  ): Context<Services> {
    const { services } = caller;
    return {
      services,
      caller: {
        key: "caller",
        accessor: "accessor",
        displayName: "test",
        entityId: "",
        policies: ["root"],
        sudo: true,
      },
      request: {
        id: "request",
        path,
        mountPath: "mount/",
        remoteAddress: caller.remoteAddress,
        header: () => undefined,
        clientCertificates: () => caller.clientCertificates,
      },
      body,
      rawBody: new Uint8Array(),
      identity: async () => undefined,
      fillTemplate: async (text) => [text],
      given: (field) => given.has(field),
      now: new Date(caller.now),
      warn: (message) => void warnings.push(message),
      transaction: (work) => undoing(() => work(services)),
    };
  }

  /** What is thrown takes its writes with it, as in a real transaction. */
  async function undoing<T>(work: () => Promise<T>): Promise<T> {
    const before = new Map(storage.entries);
    try {
      return await work();
    } catch (error) {
      storage.entries.clear();
      for (const [key, value] of before) storage.entries.set(key, value);
      throw error;
    }
  }

  const host = (): Host => ({
    namespace: { id: "root", path: "" },
    mount: {
      path: "mount/",
      type: engine.type,
      accessor: `${engine.type}_00000000`,
      options,
      defaultLeaseSeconds: 2_764_800,
      maxLeaseSeconds,
      lockout,
    },
    clock: { now: () => caller.now },
    random: { bytes: (count) => randomBytes(count) },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    outbound,
    metrics: { gauge: quiet, count: quiet },
  });

  const state = engine.start?.(host()) as State;
  return caller;
}
