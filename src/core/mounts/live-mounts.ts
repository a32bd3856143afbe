/** Mounts as this process serves them: each with its engine, its routes and what the engine keeps between requests. */
import type { AnyEngine, Clock, Host, Log, Random, Storage } from "../../api/engine.ts";
import type { LockoutRules } from "../../api/lockout.ts";
import type { Network } from "../../api/network.ts";
import type { Outbound } from "../../api/outbound.ts";
import type { Path } from "../../api/path.ts";
import type { Router } from "../../api/router.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import type { MountMetrics } from "../metrics/engine-metrics.ts";
import { type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { PasswordPolicies } from "../policies/password-policies.ts";
import { StorageView } from "../storage/view.ts";
import type { MountEntry } from "./mount-entry.ts";
import { type LoadedEngine, type OfferedEngine, ServedEngine } from "./served-engine.ts";

export interface LiveMount {
  readonly entry: MountEntry;
  readonly path: string;
  readonly engine: AnyEngine | CoreEngine;
  readonly router: Router<unknown>;
  /** Over the records of the mount's namespace. */
  services(storage: Storage, exchange: Exchange): unknown;
}

/** A part of the core that answers under a mount: it may see all records of its namespace, and all of the request. */
export interface CoreEngine<Services = unknown> {
  readonly type: string;
  readonly kind: "secrets" | "auth";
  readonly summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: one list holds engines of every services type.
  readonly paths: readonly Path<any>[];
  coreServices(storage: Storage, exchange: Exchange, mount: MountEntry): Services;
}

export interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly network?: Network | undefined;
  readonly isPublicAcmeDisabled?: boolean | undefined;
  readonly mountMetrics: MountMetrics;
  readonly defaultLeaseSeconds: number;
  readonly maxLeaseSeconds: number;
  /** When users of an auth method are locked out, where its mount is not tuned. */
  readonly lockoutOf?: ((type: string) => LockoutRules | undefined) | undefined;
}

export class LiveMounts {
  readonly #engines: ReadonlyMap<string, ServedEngine>;
  readonly #surroundings: Surroundings;
  /** By the stored row: a changed row is another object, and gets a host of its own. */
  readonly #live = new WeakMap<MountEntry, Promise<LiveMount> | LiveMount>();
  /** By namespace and mount. */
  readonly #states = new Map<string, Map<string, { readonly engine: AnyEngine; readonly state: unknown }>>();

  constructor(engines: readonly OfferedEngine[], surroundings: Surroundings) {
    this.#engines = new Map(engines.map((engine) => [engine.type, new ServedEngine(engine)]));
    this.#surroundings = surroundings;
  }

  of(entry: MountEntry, namespace = rootNamespace): Promise<LiveMount> | LiveMount {
    const existing = this.#live.get(entry);
    if (existing) return existing;
    const made = this.#make(entry, namespace);
    this.#live.set(entry, made);
    if (made instanceof Promise) made.then((live) => this.#live.set(entry, live)).catch(() => this.#live.delete(entry));
    return made;
  }

  kindOf(type: string): "secrets" | "auth" | undefined {
    return this.#served({ type, options: null })?.kind;
  }

  /** Stops what mounts of a namespace that are no longer in its table kept between requests. */
  keepOnly(namespace: string, entries: readonly MountEntry[]): void {
    const states = this.#states.get(namespace);
    if (!states) return;
    const kept = new Set(entries.map(({ uuid }) => uuid));
    for (const [uuid, { engine, state }] of states) {
      if (kept.has(uuid)) continue;
      states.delete(uuid);
      this.#surroundings.mountMetrics.forget(uuid);
      Promise.resolve(engine.stop?.(state)).catch((error: unknown) => {
        this.#surroundings.log.error("an engine failed to stop", { type: engine.type, error: String(error) });
      });
    }
    if (states.size === 0) this.#states.delete(namespace);
  }

  /** For sealing: connections and keys that engines keep go with what they were made from. */
  stopAll(): void {
    for (const namespace of this.namespacesWithState()) this.keepOnly(namespace, []);
  }

  /** Ids of the namespaces whose mounts keep something between requests. */
  namespacesWithState(): string[] {
    return [...this.#states.keys()];
  }

  /** Asked of mounts of all namespaces, most of which nobody uses at the moment: nothing is started for it. */
  hasJobs(entry: MountEntry): boolean {
    return this.#served(entry)?.mayHaveJobs ?? false;
  }

  async pathsOf(entry: MountEntry): Promise<readonly Path<never>[]> {
    return (await this.#served(entry)?.load())?.engine.paths ?? [];
  }

  /** An engine whose versions differ in their paths is declared once for each: `kv-v1` and `kv-v2`. */
  #served({ type, options }: Pick<MountEntry, "type" | "options">): ServedEngine | undefined {
    return this.#engines.get(type) ?? this.#engines.get(`${type}-v${options?.["version"] ?? "1"}`);
  }

  #make(entry: MountEntry, namespace: Namespace): AtHand<LiveMount> {
    const found = this.#served(entry);
    if (!found) throw new Error(`no engine of type ${entry.type} for the mount ${entry.path}`);
    return withValue(found.load(), (loaded) => this.#start(entry, loaded, namespace));
  }

  #start(entry: MountEntry, found: LoadedEngine, namespace: Namespace): AtHand<LiveMount> {
    const host = this.#host(entry, namespace);
    const { engine } = found;
    const known = this.#states.get(namespace.id)?.get(entry.uuid);
    if ("coreServices" in engine || !engine.start || known) return live(entry, found, host, known?.state);
    return Promise.resolve(engine.start(host)).then((state) => {
      const states = this.#states.get(namespace.id) ?? new Map();
      this.#states.set(namespace.id, states.set(entry.uuid, { engine, state }));
      return live(entry, found, host, state);
    });
  }

  #host({ uuid, path, type, accessor, options, config }: MountEntry, { id, path: place }: Namespace): Host {
    const { clock, random, log, outbound, network, isPublicAcmeDisabled, mountMetrics } = this.#surroundings;
    const { defaultLeaseSeconds, maxLeaseSeconds } = this.#surroundings;
    const mount = {
      path,
      type,
      accessor,
      options: options ?? {},
      defaultLeaseSeconds: config.default_lease_ttl || defaultLeaseSeconds,
      maxLeaseSeconds: config.max_lease_ttl || maxLeaseSeconds,
      lockout: tunedLockout(config) ?? this.#surroundings.lockoutOf?.(type),
    };
    const metrics = mountMetrics.of(uuid, place + path);
    const namespace = { id, path: place };
    return { mount, namespace, clock, random, log, outbound, network, isPublicAcmeDisabled, metrics };
  }
}

function live(entry: MountEntry, { engine, router }: LoadedEngine, host: Host, state: unknown): LiveMount {
  const prefix = storagePrefix(entry);
  const passwords = new PasswordPolicies(host.random);
  const services: LiveMount["services"] =
    "coreServices" in engine
      ? (records, exchange) => engine.coreServices(records, exchange, entry)
      : (records) =>
          engine.services({
            storage: new StorageView(records, prefix),
            host,
            state,
            generatePassword: (policy) => passwords.generate(policy, records),
          });
  return { entry, path: entry.path, engine, router, services };
}

/** Where a mount keeps its records; named by its uuid, so that moving the mount moves nothing. */
export const storagePrefix = ({ uuid }: MountEntry): string => `logical/${uuid}/`;

function tunedLockout({ user_lockout_config: tuned }: MountEntry["config"]): LockoutRules | undefined {
  return (
    tuned && {
      threshold: tuned.lockout_threshold,
      durationSeconds: tuned.lockout_duration,
      counterResetSeconds: tuned.lockout_counter_reset,
      disabled: tuned.lockout_disable,
    }
  );
}
