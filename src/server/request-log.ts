/** One line for each finished request, if the operator wants that; never a token, a query or a body. */
import type { HttpRequest } from "../http/server.ts";
import type { LogLevel, NamedLog } from "../lib/log.ts";

export class RequestLog {
  readonly #log: NamedLog;
  level: LogLevel | "off";

  constructor(log: NamedLog, level: LogLevel | "off") {
    this.#log = log;
    this.level = level;
  }

  answered(request: HttpRequest, status: number, milliseconds: number): void {
    const { level } = this;
    if (level === "off" || !this.#log.shows(level)) return;
    this.#log.write(level, "answered a request", {
      request_id: request.id,
      method: request.method,
      path: request.rawPath,
      status,
      duration_ms: Math.round(milliseconds * 1000) / 1000,
      client_address: request.remoteAddress,
    });
  }
}
