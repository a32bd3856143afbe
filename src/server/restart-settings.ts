/** Which settings of a changed configuration wait for the next start: a running server keeps what it began with. */
import { type ListenerConfig, tcpListener } from "../config/listener.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { serverSettings } from "../config/server-settings.ts";
import { Setting, type Settings } from "../config/setting.ts";

/** Names as they stand in the configuration, sorted. */
export function waitingForRestart(before: ServerConfig, after: ServerConfig): string[] {
  const top = changedIn(serverSettings, before, after);
  const stanzas = (["storage", "seal", "user_lockout"] as const).filter((name) => differ(before[name], after[name]));
  return [...top, ...stanzas, ...changedListeners(before.listeners, after.listeners)].sort();
}

function changedListeners(before: readonly ListenerConfig[], after: readonly ListenerConfig[]): string[] {
  if (before.length !== after.length) return ["listener"];
  const names = before.flatMap((listener, index) => changedIn(tcpListener, listener, after[index]!));
  return [...new Set(names)].map((name) => `listener.${name}`);
}

function changedIn(settings: Settings, before: object, after: object): string[] {
  const read = (config: object, name: string) => (config as Record<string, unknown>)[name];
  return Object.keys(settings).filter((name) => {
    const setting = settings[name];
    const reloads = setting instanceof Setting && setting.reloads;
    return !reloads && differ(read(before, name), read(after, name));
  });
}

const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
