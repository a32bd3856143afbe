/** The two ways in which a request fails: the server refuses it, or there is no talking to the server. */

/** Says which request it was. Neither headers nor body: they hold secrets. */
export interface RequestLine {
  readonly method: string;
  readonly url: string;
  readonly namespace: string | undefined;
}

/** The server answered, and it was no. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly request: RequestLine;
  readonly status: number;
  readonly messages: readonly string[];
  /** The answer's JSON; some refusals carry data and warnings. */
  readonly json: unknown;

  constructor(request: RequestLine, status: number, messages: readonly string[], json: unknown) {
    super(refusalText(request, status, messages));
    this.request = request;
    this.status = status;
    this.messages = messages;
    this.json = json;
  }

  get isAbsence(): boolean {
    return this.status === 404;
  }
}

/** In the layout that people know from similar tools. */
function refusalText({ method, url, namespace }: RequestLine, status: number, messages: readonly string[]): string {
  const lines = ["Error making API request.", ""];
  if (namespace !== undefined) lines.push(`Namespace: ${namespace}`);
  lines.push(`URL: ${method} ${url}`, `Code: ${status}. Errors:`, "", ...messages.map((message) => `* ${message}`));
  return lines.join("\n").trimEnd();
}

/** No answer came. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  readonly request: RequestLine;
  /** The system's or OpenSSL's word for it, such as `ECONNREFUSED`. */
  readonly code: string;

  constructor(request: RequestLine, code: string, reason: string) {
    super(`${request.method} ${request.url}: ${reason}`);
    this.request = request;
    this.code = code;
  }
}
