/** Opens every configured listener on one core. */
import { hostname } from "node:os";
import type { ServerConfig } from "../config/server-config.ts";
import type { Kernel } from "../core/kernel.ts";
import { httpHandler } from "../http/handler.ts";
import { type HttpRequest, type Listener, listen } from "../http/server.ts";
import type { NamedLog } from "../lib/log.ts";
import { described } from "./described.ts";
import { hiddenPaths, jsonLimits, listenerOptions, openPaths } from "./listener.ts";

export interface ListenerParts {
  readonly kernel: Kernel;
  readonly config: ServerConfig;
  readonly log: NamedLog;
  readonly now: () => number;
  /** Set where other processes listen on the same addresses. */
  readonly sharing: AddressSharing | undefined;
  readonly answered: (request: HttpRequest, status: number, milliseconds: number) => void;
}

export interface AddressSharing {
  readonly isFirst: boolean;
  /** What the first process listens on, for those that come later. */
  readonly ports: readonly number[];
}

/** All of them or none: if one cannot be had, the others are closed again. */
export async function openListeners(parts: ListenerParts): Promise<Listener[]> {
  const { kernel, config, log, now, answered, sharing } = parts;
  const listeners: Listener[] = [];
  const listenerLog = {
    warn: (message: string) => log.warn(message),
    error: (message: string, error: unknown) => log.error(message, described(error)),
    answered,
  };
  try {
    for (const [index, listener] of config.listeners.entries()) {
      const handle = httpHandler({
        kernel,
        now,
        limits: jsonLimits(listener),
        isHidden: hiddenPaths(listener),
        openPaths: openPaths(listener),
        onUnexpected: (error, requestId) => log.error("a request failed inside", { requestId, ...described(error) }),
      });
      const shared = sharing && { isFirst: sharing.isFirst, port: sharing.ports[index] };
      listeners.push(await listen({ ...optionsOf(config, index), sharing: shared }, handle, listenerLog));
    }
    return listeners;
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close(0)));
    throw error;
  }
}

/** Certificates and headers of a changed configuration; a listener whose new ones are bad keeps the old ones. */
export async function reloadListeners(listeners: readonly Listener[], config: ServerConfig, log: NamedLog) {
  // Listeners that came or went wait for the next start, and then nobody can tell which of them is which.
  const isSame = listeners.length === config.listeners.length;
  for (const [index, listener] of listeners.entries()) {
    await listener
      .reload(isSame ? optionsOf(config, index) : undefined)
      .catch((error: unknown) => log.error("a listener keeps its old settings", described(error)));
  }
}

const optionsOf = ({ listeners, enable_response_header_hostname }: ServerConfig, index: number) =>
  listenerOptions(listeners[index]!, enable_response_header_hostname ? hostname() : undefined);
