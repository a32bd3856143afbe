/** Reads what stands inside one `path "…" { … }` block of a policy. */
import { readTime } from "../../api/coerce.ts";
import { DurationError, parseDuration } from "../../lib/duration.ts";
import { plainValue } from "../../lib/hcl/plain-value.ts";
import { type Body, describeValue, type Item, type Value } from "../../lib/hcl/syntax-tree.ts";
import {
  type Capabilities,
  type CapabilityName,
  capabilityBits,
  isCapabilityName,
  withoutDenied,
} from "./capability.ts";
import { parseKeyFilter } from "./key-filter.ts";
import { mixesWildcards, withoutLeadingSlash } from "./path-pattern.ts";
import type { ParameterValues, PolicyRule } from "./policy.ts";
import { PolicyFault } from "./policy-error.ts";
import { parseTemplate } from "./templating.ts";

type Settings = { -readonly [Key in keyof Omit<PolicyRule, "path" | "template" | "line">]: PolicyRule[Key] };

/** Throws `PolicyFault`. */
export function parseRule(writtenPath: string, body: Body, line: number): PolicyRule {
  const path = withoutLeadingSlash(writtenPath);
  const template = parseTemplate(path);
  if (mixesWildcards(path)) throw new PolicyFault("invalid use of wildcards ('+*' is forbidden)");
  const settings = readSettings(body);
  settings.capabilities = withoutDenied(settings.written);
  checkLimits(settings);
  return { path, template, line, ...settings };
}

const readers: Record<string, (value: Value, settings: Settings) => void> = {
  comment: (value) => void readString(value),
  policy: (value, settings) => {
    settings.written |= legacyCapabilities(readString(value));
  },
  capabilities: (value, settings) => {
    for (const name of readStrings(value)) settings.written |= capability(name);
  },
  allowed_parameters: (value, settings) => {
    settings.allowedParameters = readParameters(value);
  },
  denied_parameters: (value, settings) => {
    settings.deniedParameters = readParameters(value);
  },
  required_parameters: (value, settings) => {
    settings.requiredParameters = unique(readStrings(value).map((name) => name.toLowerCase()));
  },
  min_wrapping_ttl: (value, settings) => {
    settings.minWrappingTtl = readSeconds(value);
  },
  max_wrapping_ttl: (value, settings) => {
    settings.maxWrappingTtl = readSeconds(value);
  },
  mfa_methods: (value, settings) => {
    settings.mfaMethods = unique(readStrings(value));
  },
  pagination_limit: (value, settings) => {
    settings.paginationLimit = readLimit(value);
  },
  expiration: (value, settings) => {
    settings.expires = readExpiration(value);
  },
  list_scan_response_keys_filter_path: (value, settings) => {
    const text = readString(value);
    settings.keyFilter = text === "" ? undefined : parseKeyFilter(text);
  },
};

function readSettings(body: Body): Settings {
  const settings: Settings = {
    capabilities: 0,
    written: 0,
    allowedParameters: new Map(),
    deniedParameters: new Map(),
    requiredParameters: [],
    minWrappingTtl: 0,
    maxWrappingTtl: 0,
    paginationLimit: 0,
    keyFilter: undefined,
    mfaMethods: [],
    expires: undefined,
  };
  const seen = new Set<string>();
  for (const item of body.items) readSetting(item, settings, seen);
  return settings;
}

function readSetting({ key, labels, value, position }: Item, settings: Settings, seen: Set<string>): void {
  if (!Object.hasOwn(readers, key))
    throw new PolicyFault(`invalid key ${JSON.stringify(key)} on line ${position.line}`);
  // Elsewhere the last one counts, which hides a deny from whoever reads only the first.
  if (seen.has(key)) throw new PolicyFault(`${JSON.stringify(key)} is set again on line ${position.line}`);
  seen.add(key);
  if (labels.length > 0) throw new PolicyFault(`${JSON.stringify(key)} on line ${position.line} takes no label`);
  try {
    readers[key]!(value, settings);
  } catch (error) {
    // Clients know the texts about capabilities and legacy policies as they are.
    if (!(error instanceof PolicyFault) || key === "capabilities" || key === "policy") throw error;
    throw new PolicyFault(`${key} on line ${position.line}: ${error.message}`);
  }
}

function checkLimits({ minWrappingTtl, maxWrappingTtl, keyFilter, capabilities }: Settings): void {
  if (minWrappingTtl !== 0 && maxWrappingTtl !== 0 && maxWrappingTtl < minWrappingTtl) {
    throw new PolicyFault("max_wrapping_ttl cannot be less than min_wrapping_ttl");
  }
  if (keyFilter && (capabilities & (capabilityBits.list | capabilityBits.scan)) === 0) {
    throw new PolicyFault("list_scan_response_keys_filter_path needs the list or scan capability beside it");
  }
}

function capability(name: string): Capabilities {
  if (!isCapabilityName(name)) throw new PolicyFault(`invalid capability ${JSON.stringify(name)}`);
  return capabilityBits[name];
}

const legacyNames = new Map<string, readonly CapabilityName[]>([
  ["deny", ["deny"]],
  ["read", ["read", "list"]],
  ["write", ["create", "read", "update", "delete", "list"]],
  ["sudo", ["create", "read", "update", "delete", "list", "sudo"]],
]);

function legacyCapabilities(name: string): Capabilities {
  if (name === "") return 0;
  const names = legacyNames.get(name);
  if (!names) throw new PolicyFault(`invalid policy ${JSON.stringify(name)}`);
  return names.reduce((bits, each) => bits | capabilityBits[each], 0);
}

function readString(value: Value): string {
  if (value.kind !== "string") throw new PolicyFault(`expected a string, found ${describeValue(value)}`);
  return value.value;
}

function readStrings(value: Value): string[] {
  if (value.kind !== "list") throw new PolicyFault(`expected a list of strings, found ${describeValue(value)}`);
  return value.items.map(readString);
}

function readParameters(value: Value): ParameterValues {
  // JSON made by other tools wraps objects into lists.
  const bodies = value.kind === "list" ? value.items : [value];
  const parameters = new Map<string, ReturnType<typeof plainValue>[]>();
  for (const body of bodies) {
    if (body.kind !== "object") throw new PolicyFault(`expected a map of lists, found ${describeValue(body)}`);
    for (const item of body.items) {
      const name = item.key.toLowerCase();
      if (item.value.kind !== "list" || item.labels.length > 0) {
        throw new PolicyFault(`the values of ${JSON.stringify(item.key)} must be a list; an empty one means any value`);
      }
      if (parameters.has(name)) throw new PolicyFault(`${JSON.stringify(item.key)} stands there twice`);
      parameters.set(name, item.value.items.map(plainValue));
    }
  }
  return parameters;
}

function readSeconds(value: Value): number {
  try {
    const seconds = parseDuration(scalarText(value));
    if (seconds < 0) throw new PolicyFault("a duration here cannot be negative");
    return seconds;
  } catch (error) {
    if (error instanceof DurationError) throw new PolicyFault(error.message);
    throw error;
  }
}

function readLimit(value: Value): number {
  const text = scalarText(value);
  if (!/^[0-9]{1,9}$/.test(text)) throw new PolicyFault("expected a whole number of entries; 0 for no limit");
  return Number(text);
}

function readExpiration(value: Value): number | undefined {
  const text = scalarText(value);
  if (text === "") return undefined;
  const time = readTime(text);
  if (typeof time !== "number") {
    throw new PolicyFault(`${JSON.stringify(text)} is not a time: use RFC 3339, such as 2030-01-31T12:00:00Z`);
  }
  return time;
}

function scalarText(value: Value): string {
  if (value.kind === "string") return value.value;
  if (value.kind === "number") return value.text;
  throw new PolicyFault(`expected a string or a number, found ${describeValue(value)}`);
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];
