/** Declares `sys/audit`, `sys/audit-hash` and the audited request headers. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { dictionary, flag, named, object, sensitive, text } from "../../api/fields.ts";
import { type Context, Open, pathsFor } from "../../api/path.ts";
import {
  type AuditEntry,
  readAuditedHeaders,
  readAuditTable,
  writeAuditedHeaders,
  writeAuditTable,
} from "../audit/audit-table.ts";
import { DeviceOptionError } from "../audit/device.ts";
import { hashWith } from "../audit/hashing.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const params = { path: text("Name of the device") };

const devicePath = (name: string) => `${name.replace(/^\/+|\/+$/g, "")}/`;

const shown = ({ salt, declared, ...entry }: AuditEntry) => entry;

const deviceFields = {
  type: text("file, socket, syslog or http"),
  description: text("Text for people"),
  options: dictionary("Settings of the device"),
  local: flag("Not replicated"),
  path: text("Name of the device"),
};

const devices = path({
  pattern: "audit",
  summary: "All audit devices",
  dataOnTop: true,
  read: {
    summary: "List audit devices",
    sudo: true,
    openOutput: true,
    async handler(_input, { services }) {
      const table = await readAuditTable(services.storage);
      return new Open(Object.fromEntries(table.map((entry) => [entry.path, shown(entry)])));
    },
  },
});

const device = path({
  pattern: "audit/:path*",
  summary: "Add an audit device, read or remove it",
  dataOnTop: true,
  params,
  read: {
    summary: "Read an audit device",
    sudo: true,
    output: deviceFields,
    async handler({ path }, { services }) {
      const entry = (await readAuditTable(services.storage)).find((each) => each.path === devicePath(path));
      if (!entry) throw absent();
      return shown(entry);
    },
  },
  write: {
    summary: "Add an audit device",
    sudo: true,
    effects: true,
    input: {
      type: text("file, socket, syslog or http").default(""),
      description: text("Text for people").default(""),
      options: dictionary("Settings of the device, such as file_path").default({}),
      local: flag("Accepted").default(false),
    },
    handler: ({ path, ...device }, context) => enable({ ...device, path: devicePath(path) }, context),
  },
  delete: {
    summary: "Remove an audit device",
    sudo: true,
    async handler({ path }, { services }) {
      const table = await readAuditTable(services.storage);
      const entry = table.find((each) => each.path === devicePath(path));
      if (!entry) return;
      if (entry.declared) throw invalidRequest("cannot disable configuration-managed audit device");
      writeAuditTable(
        table.filter((each) => each !== entry),
        services.storage,
      );
    },
  },
});

type NewDevice = Omit<AuditEntry, "salt" | "declared">;

async function enable(device: NewDevice, { services, transaction }: Context<SystemServices>): Promise<void> {
  if (!services.auditSettings.allowApi) {
    throw invalidRequest(
      "cannot enable audit device via API; use declarative, config-based audit device management instead",
    );
  }
  if (device.options["prefix"] && !services.auditSettings.allowPrefix) {
    throw invalidRequest("the option prefix needs allow_audit_log_prefixing in the configuration");
  }
  if (device.path === "/") throw invalidRequest("an audit device needs a path");
  const salt = Buffer.from(services.random.bytes(32)).toString("base64");
  const entry: AuditEntry = { ...device, salt, declared: false };
  await requireWorking(entry, services);
  await transaction(async ({ storage }) => {
    const table = await readAuditTable(storage);
    if (table.some(({ path }) => path.startsWith(device.path) || device.path.startsWith(path))) {
      throw invalidRequest("path already in use");
    }
    writeAuditTable([...table, entry], storage);
  });
}

/** A device that cannot take a test entry would stop the server. */
async function requireWorking(entry: AuditEntry, { auditDevices }: SystemServices): Promise<void> {
  try {
    const device = await auditDevices.open(entry);
    await device.write(`${JSON.stringify({ type: "request", request: { path: "sys/audit/test" } })}\n`);
    await device.close();
  } catch (error) {
    const reason = error instanceof DeviceOptionError || error instanceof Error ? error.message : "unknown error";
    throw invalidRequest(`audit backend failed test message: ${reason}`);
  }
}

const hash = path({
  pattern: "audit-hash/:path*",
  summary: "How a text looks in the log of a device",
  dataOnTop: true,
  params,
  write: {
    summary: "Hash a text as a device does",
    input: { input: sensitive(text("The text")).default("") },
    output: { hash: text("What the device writes for it") },
    async handler({ path, input }, { services }) {
      if (input === "") throw invalidRequest('the "input" parameter is empty');
      const entry = (await readAuditTable(services.storage)).find((each) => each.path === devicePath(path));
      if (!entry) throw invalidRequest(`unknown audit backend ${JSON.stringify(devicePath(path))}`);
      return { hash: hashWith(Buffer.from(entry.salt, "base64"))(input) };
    },
  },
});

const headers = path({
  pattern: "config/auditing/request-headers",
  summary: "Request headers that audit entries show",
  dataOnTop: true,
  read: {
    summary: "List audited request headers",
    sudo: true,
    output: { headers: named("By name", { hmac: flag("Whether the value is hashed") }) },
    handler: async (_input, { services }) => ({ headers: await readAuditedHeaders(services.storage) }),
  },
});

const header = path({
  pattern: "config/auditing/request-headers/:header",
  summary: "Whether audit entries show a request header",
  dataOnTop: true,
  params: { header: text("Name of the header") },
  read: {
    summary: "Read how a header is audited",
    sudo: true,
    openOutput: true,
    output: { headers: object("By name").optional() },
    async handler({ header }, { services }) {
      const found = (await readAuditedHeaders(services.storage))[header.toLowerCase()];
      if (!found) throw invalidRequest("could not find header in config");
      return new Open({ [header.toLowerCase()]: found });
    },
  },
  write: {
    summary: "Audit a request header",
    sudo: true,
    input: { hmac: flag("Hash its value").default(false) },
    async handler({ header, hmac }, { services }) {
      const all = await readAuditedHeaders(services.storage);
      writeAuditedHeaders({ ...all, [header.toLowerCase()]: { hmac } }, services.storage);
    },
  },
  delete: {
    summary: "Audit a request header no more",
    sudo: true,
    async handler({ header }, { services }) {
      const { [header.toLowerCase()]: _gone, ...rest } = await readAuditedHeaders(services.storage);
      writeAuditedHeaders(rest, services.storage);
    },
  },
});

export const auditPaths = [devices, device, hash, headers, header];
