/** Reads the configuration of a server from HCL or JSON: everything that is wrong is reported at once. */
import { HclError } from "../lib/hcl/error.ts";
import { parseHcl } from "../lib/hcl/parser.ts";
import { type AuditConfig, readAudit } from "./audit.ts";
import { checkListeners, type ListenerConfig, listenerStanza } from "./listener.ts";
import { ConfigError, type Place, Report } from "./report.ts";
import { checkSeal, type SealConfig, sealStanza } from "./seal.ts";
import { type Entry, type Environment, type Reading, readSection, type Section } from "./section.ts";
import { serverSettings } from "./server-settings.ts";
import type { Values } from "./setting.ts";
import { readStanzas, type Stanza, type StanzaTypes } from "./stanza.ts";
import { type StorageConfig, storageStanza } from "./storage.ts";
import { lockoutStanza, resolveLockout, type UserLockout } from "./user-lockout.ts";

export interface ConfigSource {
  /** As errors name it. */
  readonly file: string;
  readonly text: string;
  readonly syntax?: "hcl" | "json" | undefined;
  /** The text was made from flags: `file` names them, and lines and columns mean nothing to anybody. */
  readonly isFlag?: boolean | undefined;
  /** Wins over environment variables too. */
  readonly outranksEnvironment?: boolean | undefined;
}

/** Durations are in seconds, except timeouts of requests and connections, which are in milliseconds. */
export interface ServerConfig extends Omit<Values<typeof serverSettings>, "default_lease_ttl"> {
  readonly default_lease_ttl: number;
  readonly listeners: readonly ListenerConfig[];
  readonly storage: StorageConfig;
  readonly seal: SealConfig;
  readonly audit: readonly AuditConfig[];
  readonly user_lockout: UserLockout;
}

export interface LoadedConfig {
  readonly config: ServerConfig;
  /** One sentence each, with file, line and column. */
  readonly warnings: readonly string[];
}

const stanzaNames = new Set(["listener", "storage", "backend", "seal", "audit", "user_lockout"]);

/** Later sources win over earlier ones; listeners and audit devices add up. Throws `ConfigError`. */
export function parseServerConfig(sources: readonly ConfigSource[], environment: Environment = {}): LoadedConfig {
  const names = (some: readonly ConfigSource[]) => some.map((source) => source.file);
  const report = new Report(names(sources), names(sources.filter((source) => source.isFlag)));
  const reading = { report, environment };
  const entries = sources.flatMap((source) => sourceEntries(source, report));
  // With a file missing, complaints about what it may well have said would only hide the reason.
  if (report.problemCount > 0) throw new ConfigError(report.problems);
  const config = readConfig(entries, sources.at(-1)?.file ?? "configuration", reading);
  if (report.problemCount > 0) throw new ConfigError(report.problems);
  return { config, warnings: report.warnings };
}

function sourceEntries({ file, text, syntax, outranksEnvironment }: ConfigSource, report: Report): Entry[] {
  try {
    return parseHcl(text, { syntax }).items.map((item) => ({ item, file, outranksEnvironment }));
  } catch (error) {
    if (!(error instanceof HclError)) throw error;
    report.problem({ file, position: error.position }, error.reason);
    return [];
  }
}

function readConfig(entries: readonly Entry[], file: string, reading: Reading): ServerConfig {
  const { report } = reading;
  const named = (...names: string[]) => entries.filter(({ item }) => names.includes(item.key));
  const topLevel = entries.filter(({ item }) => !stanzaNames.has(item.key));
  const place = { file };
  const server = readSection(serverSettings, topLevel, place, reading);

  const listeners = requireStanza(
    () => readStanzas(listenerStanza, named("listener"), reading),
    'listener: must be set, as in listener "tcp" { … }',
    place,
    report,
  );
  checkListeners(listeners, report);

  const stores = requireStanza(
    () => readStanzas(storageStanza, named("storage", "backend"), reading),
    'storage: must be set, as in storage "lmdb" { path = "…" }',
    place,
    report,
  );
  const storage = onlyStanza("storage", stores, report);

  const seal = onlyStanza("seal", readStanzas(sealStanza, named("seal"), reading), report);
  if (seal !== undefined) checkSeal(seal, report);

  return {
    ...server.values,
    default_lease_ttl: defaultLifetime(server, report),
    listeners: listeners.map(({ values }) => ({
      ...values,
      max_request_duration: values.max_request_duration ?? server.values.default_max_request_duration,
    })),
    // Where there is none, its absence has been reported, and nobody will see this.
    storage: storage?.values ?? { type: "inmem" },
    seal: seal?.values ?? { type: "shamir" },
    audit: readAudit(named("audit"), server.values.allow_audit_log_prefixing, reading),
    user_lockout: resolveLockout(readStanzas(lockoutStanza, named("user_lockout"), reading)),
  };
}

const standardLifetime = 768 * 3600;

/** The one that mounts begin with. */
function defaultLifetime({ values, placeOf, isSound }: Section<typeof serverSettings>, report: Report): number {
  const { default_lease_ttl, max_lease_ttl } = values;
  if (isSound && default_lease_ttl !== undefined && default_lease_ttl > max_lease_ttl) {
    report.problem(placeOf("default_lease_ttl"), "default_lease_ttl: must not be longer than max_lease_ttl");
  }
  return default_lease_ttl ?? Math.min(standardLifetime, max_lease_ttl);
}

/** Reports that there is none, unless what was meant to be one has been found wrong. */
function requireStanza<Stanzas extends readonly unknown[]>(
  read: () => Stanzas,
  missing: string,
  place: Place,
  report: Report,
) {
  const problemsBefore = report.problemCount;
  const stanzas = read();
  if (stanzas.length === 0 && report.problemCount === problemsBefore) report.problem(place, missing);
  return stanzas;
}

/** A later file may replace the stanza of an earlier one, but one file cannot have two. */
function onlyStanza<Types extends StanzaTypes>(
  name: string,
  stanzas: readonly Stanza<Types>[],
  report: Report,
): Stanza<Types> | undefined {
  for (const [index, { place }] of stanzas.entries()) {
    const before = stanzas[index - 1];
    if (before === undefined) continue;
    if (before.place.file !== place.file)
      report.warning(place, `${name}: replaces the one at ${report.shown(before.place)}`);
    else report.problem(place, `${name}: only one is possible, and there is one at ${report.shown(before.place)}`);
  }
  return stanzas.at(-1);
}
