/** Reads the keys of one block by their declaration: unknown ones are warned of, wrong ones reported, missing ones filled in. */
import { HclError } from "../lib/hcl/error.ts";
import type { Item } from "../lib/hcl/syntax-tree.ts";
import { nearestName } from "../lib/nearest.ts";
import type { Place, Report } from "./report.ts";
import { Group, Ignored, literal, type Setting, type Settings, type Values } from "./setting.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Reading {
  readonly report: Report;
  readonly environment: Environment;
}

/** An item and the file it stands in. The keys of one section may come from several files. */
export interface Entry {
  readonly item: Item;
  readonly file: string;
  /** Comes from the command line, which the environment does not change. */
  readonly outranksEnvironment?: boolean | undefined;
}

export interface Section<Declared extends Settings> {
  readonly values: Values<Declared>;
  /** Where the section itself begins. */
  readonly place: Place;
  /** Where a key was set; where the section begins, if it was not. */
  placeOf(key: keyof Values<Declared>): Place;
  /** Nothing in it was wrong. What was is replaced by its default, about which nothing more should be said. */
  readonly isSound: boolean;
}

export function readSection<Declared extends Settings>(
  declared: Declared,
  entries: readonly Entry[],
  place: Place,
  reading: Reading,
): Section<Declared> {
  const problemsBefore = reading.report.problemCount;
  const last = lastOfEachKey(declared, entries, reading.report);
  const places = new Map<PropertyKey, Place>();
  const values: Record<string, unknown> = Object.create(null);
  for (const [key, setting] of Object.entries(declared)) {
    const entry = last.get(key);
    if (entry !== undefined) places.set(key, { file: entry.file, position: entry.item.value.position });
    if (setting instanceof Ignored) warnOfIgnored(key, setting, entry, reading.report);
    else if (setting instanceof Group) values[key] = readGroup(setting, key, entry, place, reading);
    else values[key] = readSetting(setting, key, entry, place, reading);
  }
  return {
    values: values as Values<Declared>,
    place,
    placeOf: (key) => places.get(key) ?? place,
    isSound: reading.report.problemCount === problemsBefore,
  };
}

/** Later files win, and so do later lines, which are more likely a mistake. */
function lastOfEachKey(declared: Settings, entries: readonly Entry[], report: Report): Map<string, Entry> {
  const last = new Map<string, Entry>();
  for (const entry of entries) {
    const { item, file } = entry;
    const place = { file, position: item.position };
    if (!Object.hasOwn(declared, item.key)) {
      const nearest = nearestName(item.key, Object.keys(declared));
      const guess = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      report.warning(place, `${item.key}: unknown key, which changes nothing${guess}`);
      continue;
    }
    const before = last.get(item.key);
    if (before !== undefined && before.file === file) {
      report.warning(
        place,
        `${item.key}: set again, and this one counts; it was set on line ${before.item.position.line} too`,
      );
    }
    last.set(item.key, entry);
  }
  return last;
}

function warnOfIgnored(key: string, { reason }: Ignored, entry: Entry | undefined, report: Report): void {
  if (entry !== undefined)
    report.warning({ file: entry.file, position: entry.item.position }, `${key}: changes nothing: ${reason}`);
}

function readGroup(
  group: Group<Settings>,
  key: string,
  entry: Entry | undefined,
  place: Place,
  reading: Reading,
): unknown {
  const inner = entry === undefined ? [] : reading.report.attempt(entry.file, key, () => groupEntries(entry));
  return readSection(group.settings, inner ?? [], entry === undefined ? place : itemPlace(entry), reading).values;
}

/** Written as a block or, in JSON, perhaps as a list of them. */
function groupEntries({ item, file }: Entry): Entry[] {
  const bodies = item.value.kind === "list" ? item.value.items : [item.value];
  if (item.labels.length > 0) throw new HclError("takes no label", item.labels[0]!.position);
  return bodies.flatMap((body) => {
    if (body.kind !== "object") throw new HclError("must be a block", body.position);
    return body.items.map((inner) => ({ item: inner, file }));
  });
}

function readSetting(
  setting: Setting<unknown>,
  key: string,
  entry: Entry | undefined,
  place: Place,
  { report, environment }: Reading,
): unknown {
  const asked = entry?.outranksEnvironment ? [] : setting.variables;
  const variable = asked.find((name) => (environment[name] ?? "") !== "");
  if (variable !== undefined) return readVariable(setting, key, variable, environment[variable]!, report);
  if (entry === undefined) {
    if (setting.isRequired) report.problem(place, `${key}: must be set`);
    return setting.initial;
  }
  const read = () => {
    if (entry.item.labels.length > 0) throw new HclError("takes no label", entry.item.labels[0]!.position);
    const value = setting.read(entry.item.value);
    if (value === undefined && setting.isRequired) throw new HclError("must be set", entry.item.value.position);
    return value;
  };
  return report.attempt(entry.file, key, read) ?? setting.initial;
}

function readVariable(
  setting: Setting<unknown>,
  key: string,
  variable: string,
  written: string,
  report: Report,
): unknown {
  try {
    return setting.read(literal(written));
  } catch (error) {
    if (!(error instanceof HclError)) throw error;
    report.problem({ file: `environment variable ${variable}` }, `${key}: ${error.reason}`);
    return setting.initial;
  }
}

function itemPlace({ item, file }: Entry): Place {
  return { file, position: item.position };
}
