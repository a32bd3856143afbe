/** Writes the reference of all configuration keys, from their declarations, as Markdown. */
import { auditSettings, auditTypes } from "./audit.ts";
import { tcpListener } from "./listener.ts";
import { sealTypes } from "./seal.ts";
import { serverSettings } from "./server-settings.ts";
import { Group, Ignored, type Setting, type Settings } from "./setting.ts";
import { storageTypes } from "./storage.ts";
import { lockoutSettings } from "./user-lockout.ts";

export const exampleConfiguration = `storage "lmdb" {
  path = "/var/lib/strongroom"
}

listener "tcp" {
  address       = "0.0.0.0:8200"
  tls_cert_file = "/etc/strongroom/server.pem"
  tls_key_file  = "/etc/strongroom/server.key"
}

seal "static" {
  current_key_id = "2026-01"
  current_key    = "file:///etc/strongroom/seal.key"
}

audit "file" "main" {
  options {
    file_path = "/var/log/strongroom/audit.log"
  }
}

api_addr          = "https://strongroom.example.com:8200"
default_lease_ttl = "24h"
max_lease_ttl     = "30d"
log_format        = "json"
`;

const introduction = `# Configuration

\`strongroom server -config=PATH\` reads a file, or every \`.hcl\` and \`.json\` file of a folder in alphabetical order.
The flag may be given several times. Where two files set the same key, the later one counts; listeners and audit
devices add up. A file is HCL, the language of the example, or JSON with the same names:
\`listener "tcp" { … }\` is \`{"listener": {"tcp": { … }}}\`.

\`\`\`hcl
${exampleConfiguration}\`\`\`

A wrong value stops the server before it starts, with file, line, column and what is allowed; everything that is wrong is
told at once. An unknown key is told in a warning, and changes nothing. Of the keys in the tables below, those that say so
are read again when the server gets SIGHUP; where environment variables are named, the first that is set wins over the file.

| Kind | How it is written |
|---|---|
| duration | \`"1h30m"\`, \`"45s"\`, \`"30d"\`, \`"500ms"\`, or a number of seconds |
| boolean | \`true\` or \`false\`, with or without quotes |
| integer | \`5\`, with or without quotes |
| list | \`["a", "b"]\`, or \`"a,b"\` |
| address | \`"127.0.0.1:8200"\`, \`"[::1]:8200"\`, \`"localhost:8200"\`, or \`":8200"\` for all interfaces |
| CIDR range | \`"10.0.0.0/8"\`, \`"fd00::/8"\` |
`;

interface Chapter {
  readonly title: string;
  readonly text: string;
  readonly settings: Settings;
}

const chapters: readonly Chapter[] = [
  { title: "Top level", text: "Keys outside of any block.", settings: serverSettings },
  {
    title: '`listener "tcp"`',
    text: "Where the server listens. There may be several, and there must be one.",
    settings: tcpListener,
  },
  {
    title: '`storage "lmdb"`',
    text: "Keeps everything in a folder on this machine, where several processes may use it at once. `backend` is another word for `storage`.",
    settings: storageTypes.lmdb,
  },
  {
    title: '`storage "postgresql"`',
    text: "Keeps everything in PostgreSQL, for servers on more than one machine. All of them read and write.",
    settings: storageTypes.postgresql,
  },
  {
    title: '`storage "inmem"`',
    text: "Keeps everything in memory, and loses it when the server stops. For tests.",
    settings: storageTypes.inmem,
  },
  {
    title: '`seal "static"`',
    text: 'Unseals by itself with a key from a file or an environment variable. Without a `seal` block, or with `seal "shamir" {}`, people unseal the server with their key shares.',
    settings: sealTypes.static,
  },
  {
    title: '`audit "<type>" "<path>"`',
    text: `An audit device. The type is ${auditTypes.map((type) => `\`${type}\``).join(", ")}; no two devices have the same path.`,
    settings: auditSettings,
  },
  {
    title: '`user_lockout "<method>"`',
    text: "Locks users out who fail to log in. The method is `userpass`, `approle`, `ldap`, or `all` for what the others do not say.",
    settings: lockoutSettings,
  },
];

export function configurationReference(): string {
  return [introduction, ...chapters.map((chapter) => renderChapter("##", chapter))].join("\n");
}

function renderChapter(level: string, { title, text, settings }: Chapter): string {
  const rows: string[] = [];
  const ignored = new Map<string, string[]>();
  const groups: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    if (setting instanceof Ignored)
      ignored.set(setting.reason, [...(ignored.get(setting.reason) ?? []), `\`${name}\``]);
    else if (setting instanceof Group) {
      const inner = { title: `${title}: \`${name}\``, text: setting.description, settings: setting.settings };
      groups.push(renderChapter(`${level}#`, inner));
    } else rows.push(tableRow(`\`${name}\``, setting.kind, shownDefault(setting), description(setting)));
  }
  const parts = [`${level} ${title}\n`, `${text}\n`];
  if (rows.length > 0) parts.push(`${tableHead("Key", "Value", "Default", "What it does")}${rows.join("")}`);
  const reasons = Array.from(ignored, ([reason, names]) => tableRow(names.join(", "), reason));
  if (reasons.length > 0) parts.push(`Accepted, and without effect:\n\n${tableHead("Key", "Why")}${reasons.join("")}`);
  return [...parts, ...groups].join("\n");
}

function shownDefault(setting: Setting<unknown>): string {
  if (setting.isRequired) return "must be set";
  return setting.shownDefault === undefined ? "" : `\`${setting.shownDefault}\``;
}

function description(setting: Setting<unknown>): string {
  const sentences = [setting.description];
  if (setting.reloads) sentences.push("Read again on SIGHUP");
  if (setting.variables.length > 0) {
    sentences.push(`Environment: ${setting.variables.map((name) => `\`${name}\``).join(", ")}`);
  }
  return sentences.join(". ");
}

const tableHead = (...titles: string[]) => `${tableRow(...titles)}|${titles.map(() => "---|").join("")}\n`;

const tableRow = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
