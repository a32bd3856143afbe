/** Posts each entry to a URL; any answer but a 2xx is a failure. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AuditDevice, DeviceOptionError, type DeviceType } from "../device.ts";

const timeoutMs = 5000;

export const httpDevice: DeviceType = {
  type: "http",
  async open(options) {
    const url = urlOf(options["uri"] ?? "");
    const headers = headersOf(options["headers"] ?? "{}");
    return new HttpDevice(url, headers);
  },
};

class HttpDevice implements AuditDevice {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: URL, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
  }

  write(line: string): Promise<void> {
    const send = this.#url.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = { "content-type": "application/json", ...this.#headers };
    return new Promise((done, fail) => {
      const request = send(this.#url, { method: "POST", headers, timeout: timeoutMs }, (response) => {
        response.resume();
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) done();
        else fail(new Error(`the audit server answered with status ${statusCode}`));
      });
      request.on("timeout", () => request.destroy(new Error("the audit server did not answer in time")));
      request.on("error", fail);
      request.end(line);
    });
  }

  async reopen(): Promise<void> {}
  async close(): Promise<void> {}
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new DeviceOptionError("uri must be an http:// or https:// address");
}

function headersOf(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text);
    const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isPlain && Object.values(value).every((member) => typeof member === "string" || isTexts(member))) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, [member].flat().join(", ")]));
    }
  } catch {
    // Said below.
  }
  throw new DeviceOptionError('headers must be a JSON object such as {"Authorization": "Bearer …"}');
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === "string");
