/** Asks the outside world over HTTP, with the authorities and server names of a configuration. */
import type { Host } from "../../api/engine.ts";
import { OutboundError, type OutboundReply, type OutboundRequest, type OutboundTls } from "../../api/outbound.ts";
import { isJsonObject, JsonError, type JsonObject, parseJson } from "../../lib/json.ts";

const timeoutMs = 10_000;
const redirects = 3;

/** The other side could not be reached, or answered what cannot be used. Says so without quoting it. */
export class WebError extends Error {
  override readonly name = "WebError";
}

export class Web {
  readonly #host: Pick<Host, "outbound">;
  readonly #tls: OutboundTls;

  constructor(host: Pick<Host, "outbound">, tls: OutboundTls) {
    this.#host = host;
    this.#tls = tls;
  }

  async request(request: OutboundRequest): Promise<OutboundReply> {
    try {
      return await this.#host.outbound.request({ timeoutMs, tls: this.#tls, ...request });
    } catch (error) {
      if (error instanceof OutboundError) throw new WebError(error.message);
      throw error;
    }
  }

  /** The text that a GET answers with 200. */
  async text(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { status, body } = await this.request({ url, headers, redirects });
    if (status !== 200) throw new WebError(`the server answered with status ${status}`);
    return Buffer.from(body).toString("utf8");
  }

  async json(url: string, headers: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
    return jsonOf(await this.text(url, { accept: "application/json", ...headers }));
  }

  /** A form, and the JSON that answers it, whatever the status. */
  async form(url: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
    const { status, body } = await this.request({
      url,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json", ...headers },
      body: new URLSearchParams(fields).toString(),
    });
    return { status, text: Buffer.from(body).toString("utf8") };
  }
}

export function jsonOf(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new WebError("the server did not answer with a JSON object");
}
