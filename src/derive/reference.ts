/** Writes the API reference of one engine as Markdown, from its declarations. */
import { type AnyOperation, type AnyPath, type OperationName, operationNames } from "../api/path.ts";
import { type JsonSchema, schemaOf } from "../api/schema.ts";

export interface ReferenceSource {
  readonly title: string;
  readonly summary: string;
  /** Where it is mounted in examples, with its slash. */
  readonly mount: string;
  readonly paths: readonly AnyPath[];
}

const methods: Readonly<Record<OperationName, string>> = {
  read: "GET",
  head: "HEAD",
  write: "POST",
  patch: "PATCH",
  list: "LIST",
  scan: "SCAN",
  delete: "DELETE",
};

export function referencePage({ title, summary, mount, paths }: ReferenceSource): string {
  const sections = paths
    .filter(({ unpublished }) => !unpublished)
    .sort((a, b) => ((a.patterns[0] ?? "") < (b.patterns[0] ?? "") ? -1 : 1))
    .map((path) => pathSection(mount, path));
  const note = "Generated from the declarations in the source; do not edit.";
  return `# ${title}\n\n${summary}. ${note}\n\n${sections.join("\n")}`;
}

function pathSection(mount: string, path: AnyPath): string {
  const titles = path.patterns.map((pattern) => `\`/v1/${mount}${pattern}\``);
  const marks = [
    ...(path.access === "public" ? ["needs no token"] : []),
    ...(path.access === "optional" ? ["a token is optional"] : []),
    ...(path.whileSealed ? ["answers while sealed"] : []),
    ...(path.bare ? ["answers without the envelope"] : []),
  ];
  const lines = [`## ${titles.join(", ")}`, "", sentence(path.summary, marks), ""];
  for (const name of operationNames) {
    const operation = path.operations[name];
    if (operation && !operation.unpublished) lines.push(...operationSection(path, name, operation));
  }
  return `${lines.join("\n")}\n`;
}

function operationSection(path: AnyPath, name: OperationName, operation: AnyOperation): string[] {
  const marks = [
    ...(operation.sudo ? ["needs `sudo`"] : []),
    ...(operation.exists ? ["tells `create` from `update`"] : []),
    ...(operation.openInput ? ["takes any further fields"] : []),
    ...(operation.openOutput ? ["answers with further fields"] : []),
  ];
  const lines = [`### ${methods[name]}`, "", sentence(operation.summary, marks), ""];
  const input = schemaOf({ ...path.params, ...operation.input }, "input");
  const output = schemaOf(operation.output ?? {}, "output");
  lines.push(...fieldTable("Takes", input, true), ...fieldTable("Answers", output, false));
  const example = path.examples.find((each) => each.operation === name);
  if (example) lines.push("```json", JSON.stringify(example.request, null, 2), "```", "");
  return lines;
}

function fieldTable(title: string, { properties = {}, required = [] }: JsonSchema, isInput: boolean): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const rule = isInput ? ` | ${required.includes(name) ? "required" : defaultText(schema)}` : "";
    return `| \`${name}\` | ${typeText(schema)} | ${cell(schema.description ?? "")}${rule} |`;
  });
  if (rows.length === 0) return [];
  const head = isInput
    ? [`| ${title} | Type | Meaning | Default |`, "|---|---|---|---|"]
    : [`| ${title} | Type | Meaning |`, "|---|---|---|"];
  return [...head, ...rows, ""];
}

const defaultText = ({ default: value }: JsonSchema) =>
  value === undefined ? "" : `\`${cell(JSON.stringify(value))}\``;

function typeText(schema: JsonSchema): string {
  const format = schema["format"];
  if (format === "seconds") return "duration";
  const options = schema["enum"];
  if (Array.isArray(options)) return options.map((option) => `\`${option === "" ? '""' : option}\``).join(", ");
  const type = String(schema["type"] ?? "any");
  const items = schema["items"] as JsonSchema | undefined;
  return type === "array" ? `list of ${String(items?.["type"] ?? "any")}` : type;
}

const sentence = (text: string, marks: readonly string[]) =>
  `${text}${marks.length > 0 ? ` (${marks.join("; ")})` : ""}.`;

/** A bar would end the cell. */
const cell = (text: string) => text.replaceAll("|", "\\|");
