/** `audit "<type>" "<path>"`: where every request and answer is recorded. */
import { text, textMap } from "./kinds.ts";
import { type Entry, type Reading, readSection, type Section } from "./section.ts";
import { Ignored } from "./setting.ts";
import { bodyEntries, labeledBlocks } from "./stanza.ts";

export const auditTypes = ["file", "socket", "syslog", "http"] as const;
export type AuditType = (typeof auditTypes)[number];

export const auditSettings = {
  description: text("What the device is for"),
  options: textMap("Settings of the device, such as `file_path`"),
  local: new Ignored("devices belong to the node whose configuration they stand in"),
};

export interface AuditConfig {
  readonly type: AuditType;
  /** Without slashes at either end. */
  readonly path: string;
  readonly description: string;
  readonly options: Readonly<Record<string, string>>;
}

const examples = auditTypes.map((type) => `${type}" "name`);

/** Devices in the order of the files. Two of them cannot have one path. */
export function readAudit(entries: readonly Entry[], allowsPrefix: boolean, reading: Reading): AuditConfig[] {
  const { report } = reading;
  const byPath = new Map<string, { config: AuditConfig; section: Section<typeof auditSettings> }>();
  for (const { block, file } of labeledBlocks(entries, "audit", 2, examples, reading)) {
    const [typeLabel, pathLabel] = block.labels as [(typeof block.labels)[0], (typeof block.labels)[0]];
    const type = auditTypes.find((known) => known === typeLabel.text);
    const path = pathLabel.text.replace(/^\//, "").replace(/\/$/, "");
    const section = readSection(auditSettings, bodyEntries(block, file), { file, position: block.position }, reading);
    const before = byPath.get(path);
    const pathPlace = { file, position: pathLabel.position };
    if (path === "") report.problem(pathPlace, "audit: the path must not be empty");
    if (before !== undefined) {
      report.problem(
        pathPlace,
        `audit: the path ${JSON.stringify(path)} is taken by the device at ${report.shown(before.section.place)}`,
      );
    }
    if (type === undefined) {
      const text = `audit: the type ${JSON.stringify(typeLabel.text)} is not supported: use one of ${auditTypes.join(", ")}`;
      report.problem({ file, position: typeLabel.position }, text);
      continue;
    }
    const { description = "", options = {} } = section.values;
    if (Object.hasOwn(options, "prefix") && !allowsPrefix) {
      report.problem(section.placeOf("options"), "options: prefix needs allow_audit_log_prefixing = true");
    }
    byPath.set(path, { config: { type, path, description, options }, section });
  }
  return [...byPath.values()].map(({ config }) => config);
}
