/** An issuer for tests: its keys, the tokens it signs, and the server at which it publishes its keys. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export const rsaPair: Pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const otherRsaPair: Pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const curvePair: Pair = generateKeyPairSync("ec", { namedCurve: "P-256" });

export const pemOf = ({ publicKey }: Pair): string => publicKey.export({ format: "pem", type: "spki" }) as string;
export const jwkOf = ({ publicKey }: Pair, kid?: string): object => ({
  ...publicKey.export({ format: "jwk" }),
  ...(kid !== undefined && { kid }),
});

/** RS256, or ES256 for a key on a curve. Claims may be given as text, to be signed as they are. */
export function signToken(claims: object | string, { privateKey }: Pair = rsaPair, header: object = {}): string {
  const isCurve = privateKey.asymmetricKeyType === "ec";
  const payload = typeof claims === "string" ? Buffer.from(claims).toString("base64url") : part(claims);
  const signed = `${part({ alg: isCurve ? "ES256" : "RS256", ...header })}.${payload}`;
  const signature = sign("sha256", Buffer.from(signed), {
    key: privateKey,
    ...(isCurve && { dsaEncoding: "ieee-p1363" as const }),
  });
  return `${signed}.${signature.toString("base64url")}`;
}

/** A server that publishes keys, and counts how often it is asked. */
export class KeyServer {
  keys: object[] = [];
  asked = 0;
  /** Answers in place of the keys. */
  status = 200;
  /** Never answers. */
  hangs = false;
  readonly #server: Server;
  readonly #scheme: "http" | "https";

  constructor(tls?: { readonly key: string; readonly cert: string }) {
    this.#scheme = tls ? "https" : "http";
    const answer: RequestListener = (request, response) => {
      this.asked += 1;
      if (this.hangs) return;
      const discovery = { issuer: this.url, jwks_uri: `${this.url}/keys` };
      const body = request.url?.includes("openid-configuration") ? discovery : { keys: this.keys };
      response.writeHead(this.status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    this.#server = tls ? (createTlsServer(tls, answer) as unknown as Server) : createServer(answer);
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
