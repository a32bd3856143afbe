/** Declares `sys/loggers`: how much each part of this node logs, until it is reloaded or started anew. */
import { invalidRequest, notFound } from "../../api/errors.ts";
import { text } from "../../api/fields.ts";
import { Open, pathsFor } from "../../api/path.ts";
import { type LogLevel, logLevels } from "../../lib/log.ts";
import { changeLogLevel } from "./server-node.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const level = text(`One of ${logLevels.join(", ")}`).default("");

function readLevel(written: string): LogLevel {
  if (written === "") throw invalidRequest("level is required");
  const found = logLevels.find((candidate) => candidate === written.toLowerCase());
  if (!found) throw invalidRequest(`invalid level provided: it must be one of ${logLevels.join(", ")}`);
  return found;
}

function logOf({ node }: SystemServices, name: string) {
  const log = node.logs.part(name);
  if (log) return log;
  const names = node.logs.parts.map((part) => part.name);
  throw notFound(`there is no logger of that name: there are ${names.join(", ")}`);
}

/** In every process of this node, before the answer says so. */
async function setLevel({ node }: SystemServices, name: string | undefined, level: LogLevel | undefined) {
  changeLogLevel(node.logs, { name, level });
  await node.others.setLogLevel({ name, level });
}

const all = path({
  pattern: "loggers",
  summary: "How much all parts of this node log",
  read: {
    summary: "Read the level of each logger",
    openOutput: true,
    handler: async (_input, { services }) =>
      new Open(Object.fromEntries(services.node.logs.parts.map((log) => [log.name, log.level]))),
  },
  write: {
    summary: "Set the level of all loggers",
    input: { level },
    async handler(input, { services }) {
      await setLevel(services, undefined, readLevel(input.level));
    },
  },
  delete: {
    summary: "Set all loggers back to the level of the configuration",
    async handler(_input, { services }) {
      await setLevel(services, undefined, undefined);
    },
  },
  examples: [{ operation: "write", request: { level: "debug" } }],
});

const single = path({
  pattern: "loggers/:name",
  summary: "How much a part of this node logs",
  params: { name: text("Name of the logger") },
  read: {
    summary: "Read the level of a logger",
    openOutput: true,
    async handler({ name }, { services }) {
      const log = logOf(services, name);
      return new Open({ [log.name]: log.level });
    },
  },
  write: {
    summary: "Set the level of a logger",
    input: { level },
    async handler({ name, level }, { services }) {
      await setLevel(services, logOf(services, name).name, readLevel(level));
    },
  },
  delete: {
    summary: "Set a logger back to the level of the configuration",
    async handler({ name }, { services }) {
      await setLevel(services, logOf(services, name).name, undefined);
    },
  },
});

export const loggersPaths = [all, single];
