/** Waits on this machine for the browser that comes back from a provider. */
import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CommandFailure, exitCodes } from "../failure.ts";

const path = "/oidc/callback";
const longestForm = 65_536;

export class CallbackListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #received = Promise.withResolvers<Record<string, string>>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start({ listenAddress, port }: { listenAddress: string; port: number }): Promise<CallbackListener> {
    const listener = new CallbackListener();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    listener.#server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new CommandFailure(
          `Error logging in: cannot listen on ${listenAddress}:${port} (${error.code}); another port is port=<number>, ` +
            "if the role and the provider allow it",
          exitCodes.local,
        ),
      ),
    );
    listener.#server.listen(port, listenAddress, resolve);
    await promise;
    return listener;
  }

  /** What the provider sent along. */
  async received(patienceMs: number): Promise<Record<string, string>> {
    const late = new CommandFailure("Error logging in: nobody came back from the provider in time", exitCodes.refused);
    const timer = setTimeout(() => this.#received.reject(late), patienceMs);
    try {
      return await this.#received.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const isForm = request.method === "POST";
    if (url.pathname !== path || (request.method !== "GET" && !isForm)) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
      return;
    }
    const fields = Object.fromEntries(isForm ? new URLSearchParams(await bodyOf(request)) : url.searchParams);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...guards, connection: "close" }).end(page);
    this.#received.resolve(fields);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeIdleConnections();
    });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8") as AsyncIterable<string>) {
    text += piece;
    if (text.length > longestForm) break;
  }
  return text;
}

const style =
  "body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f6f8;color:#1b2430;font:1rem/1.55 system-ui,sans-serif}" +
  "main{max-width:30rem;padding:2.25rem;background:#fff;border:1px solid #dde3ea;border-top:4px solid #1f6f5c;border-radius:.75rem}" +
  "h1{margin:0 0 .75rem;font-size:1.35rem}p{margin:0;color:#5b6776}";

const guards = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Back to the terminal</title>
<style>${style}</style>
<main>
<h1>Go back to the terminal</h1>
<p>The provider has answered. Whether you are logged in is told there; this window can be closed.</p>
</main>
</html>
`;
