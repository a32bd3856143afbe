/** A real OIDC provider for tests, and a person with a browser who logs in there. */
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";

export const clientId = "strongroom";
export const clientSecret = "a secret: with / and %";
export const localRedirect = "http://localhost:8250/oidc/callback";
export const webRedirect = "https://strongroom.example/ui/vault/auth/oidc/oidc/callback";
export const postedRedirect = "https://strongroom.example/v1/auth/oidc/oidc/callback";

export interface ProviderOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly tokenAuth?: "client_secret_basic" | "client_secret_post";
  readonly redirectUris?: readonly string[];
}

const configuration = ({ tokenAuth = "client_secret_basic", redirectUris = [] }: ProviderOptions): Configuration => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      token_endpoint_auth_method: tokenAuth,
      redirect_uris: [localRedirect, webRedirect, postedRedirect, ...redirectUris],
      application_type: "native",
      grant_types: ["authorization_code", "refresh_token", "implicit", "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code", "id_token", "code id_token"],
    },
  ],
  features: { devInteractions: { enabled: true }, deviceFlow: { enabled: true } },
  conformIdTokenClaims: false,
  claims: { openid: ["sub"], profile: ["name", "groups", "department"], email: ["email"] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: async () => ({
      sub: id,
      name: `${id} the tester`,
      email: `${id}@example.com`,
      groups: ["ops", "dev"],
      department: "tools",
    }),
  }),
  pkce: { required: () => true },
  cookies: { keys: ["only for tests"] },
});

export class TestProvider {
  readonly #server: Server;
  #provider: Provider | undefined;
  readonly #options: ProviderOptions;

  constructor(options: ProviderOptions = {}) {
    this.#options = options;
    const handle = (...pair: Parameters<ReturnType<Provider["callback"]>>) => this.#provider!.callback()(...pair);
    this.#server = options.tls ? (createTlsServer(options.tls, handle) as unknown as Server) : createServer(handle);
  }

  get issuer(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#options.tls ? "https" : "http"}://localhost:${port}`;
  }

  async start(): Promise<this> {
    // Its development pages and keys are what a test wants; it warns of them at length.
    console.warn = console.info = () => {};
    await new Promise<void>((resolve) => this.#server.listen(0, "localhost", resolve));
    this.#provider = new Provider(this.issuer, configuration(this.#options));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Cookies, forms, and redirects up to the first that leaves the provider. */
export class Person {
  readonly #cookies = new Map<string, string>();
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Logs in and consents. Answers what the provider sends to the redirect URI: from the URL, or from the form. */
  async logIn(url: string): Promise<Record<string, string>> {
    let reply = await this.#open(url);
    for (let step = 0; step < 12; step++) {
      if (reply.left) return Object.fromEntries(new URL(reply.url).searchParams);
      const form = formOf(reply.text, reply.url);
      if (!form) throw new Error(`no form at ${reply.url}: ${reply.text.slice(0, 300)}`);
      if (!form.action.startsWith(new URL(url).origin)) return form.fields;
      const filled = {
        ...form.fields,
        ...(form.text.includes('name="login"') && { login: this.#name, password: "x" }),
      };
      reply = await this.#open(form.action, filled);
    }
    throw new Error("the provider asks for ever");
  }

  /** Types a code in and consents. */
  async approveDevice(url: string): Promise<void> {
    let reply = await this.#open(url);
    for (let step = 0; step < 12; step++) {
      const form = formOf(reply.text, reply.url);
      if (!form) return;
      const filled = {
        ...form.fields,
        ...(form.text.includes('name="login"') && { login: this.#name, password: "x" }),
      };
      reply = await this.#open(form.action, filled);
    }
  }

  async #open(start: string, form?: Record<string, string>) {
    let url = start;
    let body = form;
    const { origin } = new URL(start);
    for (;;) {
      const response = await fetch(url, {
        redirect: "manual",
        method: body ? "POST" : "GET",
        headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(body && { body: new URLSearchParams(body) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = "", value = ""] = cookie.split(";", 1)[0]!.split(/=(.*)/);
        this.#cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (!location) return { url, text: await response.text(), left: false };
      url = new URL(location, url).toString();
      if (new URL(url).origin !== origin) return { url, text: "", left: true };
      body = undefined;
    }
  }
}

function formOf(html: string, base: string) {
  const [, attributes = "", text = ""] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(html) ?? [];
  if (attributes === "") return undefined;
  const attribute = (tag: string, name: string) =>
    new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&amp;", "&");
  const fields: Record<string, string> = {};
  for (const [tag] of text.matchAll(/<input[^>]*>/g)) {
    const name = attribute(tag, "name");
    if (name !== undefined) fields[name] = attribute(tag, "value") ?? "";
  }
  return { action: new URL(attribute(attributes, "action") ?? "", base).toString(), fields, text };
}
