/** An ACME client for tests, which can also be told to do things wrong. Speaks to a core without HTTP. */
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { OperationName } from "../../src/api/path.ts";
import { RawReply } from "../../src/api/reply.ts";
import { exchangeFor } from "../../src/core/pipeline/exchange.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { subjectAltName } from "../../src/lib/x509/alternative-names.ts";
import { buildRequest } from "../../src/lib/x509/certificate-request.ts";
import { publicKeyOf } from "../../src/lib/x509/key.ts";
import { encodeSubject } from "../../src/lib/x509/name.ts";
import { signerWith } from "../../src/lib/x509/signature.ts";
import type { KernelCaller } from "./kernel-caller.ts";

export interface AcmeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** What a test may set in place of what is right; undefined members of the header are left out. */
export interface Wrong {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly nonce?: string | undefined;
  /** In place of the key that should sign. */
  readonly signWith?: KeyObject;
  readonly contentType?: string;
  /** Changes the message after it was signed. */
  readonly tamper?: (jws: JsonObject) => unknown;
}

export const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

export const jwkOf = (key: KeyObject): JsonObject => {
  const { crv, kty, x, y } = key.export({ format: "jwk" });
  return { crv, kty, x, y };
};

export const thumbprintOf = (key: KeyObject): string =>
  createHash("sha256")
    .update(JSON.stringify(jwkOf(key)))
    .digest("base64url");

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** `payload` undefined: POST-as-GET. */
export function signedMessage(header: object, payload: unknown, key: KeyObject): JsonObject {
  const parts = { protected: encoded(header), payload: payload === undefined ? "" : encoded(payload) };
  const signed = Buffer.from(`${parts.protected}.${parts.payload}`);
  return { ...parts, signature: sign("sha256", signed, { key, dsaEncoding: "ieee-p1363" }).toString("base64url") };
}

export function boundMessage(header: object, payload: unknown, secret: string): JsonObject {
  const parts = { protected: encoded(header), payload: encoded(payload) };
  const mac = createHmac("sha256", Buffer.from(secret, "base64url"));
  return { ...parts, signature: mac.update(`${parts.protected}.${parts.payload}`).digest("base64url") };
}

/** The certificate request in base64url. */
export function csrFor(
  names: { dns?: readonly string[]; ips?: readonly string[]; cn?: string },
  key = newKey(),
): string {
  const subject = encodeSubject(names.cn === undefined ? {} : { commonName: names.cn });
  const extensions =
    names.dns || names.ips ? [subjectAltName({ dnsNames: names.dns ?? [], ips: names.ips ?? [] })] : [];
  const der = buildRequest({ subject, publicKey: publicKeyOf(key).spki, extensions }, signerWith(key));
  return Buffer.from(der).toString("base64url");
}

export class AcmeCaller {
  readonly #server: KernelCaller;
  readonly #base: string;
  /** Relative to the mount: `roles/web/acme`. */
  readonly directory: string;
  key: KeyObject;
  /** Set once there is an account. */
  kid = "";

  constructor(server: KernelCaller, base: string, directory = "acme", key = newKey()) {
    this.#server = server;
    this.#base = base;
    this.directory = directory;
    this.key = key;
  }

  url(rest: string): string {
    return rest.startsWith("https://") ? rest : `${this.#base}/${this.directory}/${rest}`;
  }

  /** The same account on another server that shares the store. */
  on(server: KernelCaller): AcmeCaller {
    const other = new AcmeCaller(server, this.#base, this.directory, this.key);
    other.kid = this.kid;
    return other;
  }

  async nonce(): Promise<string> {
    return String((await this.get("new-nonce", "head")).headers["replay-nonce"]);
  }

  get(rest: string, operation: OperationName = "read"): Promise<AcmeAnswer> {
    return this.#send(operation, this.url(rest), new Uint8Array(), "");
  }

  /** Signed by the account, or by the key while there is none. */
  async post(rest: string, payload?: unknown, wrong: Wrong = {}): Promise<AcmeAnswer> {
    const url = this.url(rest);
    const nonce = "nonce" in wrong ? wrong.nonce : await this.nonce();
    const signer = this.kid === "" ? { jwk: jwkOf(this.key) } : { kid: this.kid };
    const header = { alg: "ES256", nonce, url, ...signer, ...wrong.header };
    const message = signedMessage(header, payload, wrong.signWith ?? this.key);
    const sent = wrong.tamper ? wrong.tamper(message) : message;
    const text = typeof sent === "string" ? sent : JSON.stringify(sent);
    return this.#send("write", url, Buffer.from(text), wrong.contentType ?? "application/jose+json");
  }

  async register(payload: object = { termsOfServiceAgreed: true }): Promise<this> {
    const answer = await this.post("new-account", payload);
    if (answer.status > 201) throw new Error(`no account: ${JSON.stringify(answer.body)}`);
    this.kid = String(answer.headers["location"]);
    return this;
  }

  async #send(operation: OperationName, url: string, rawBody: Uint8Array, contentType: string): Promise<AcmeAnswer> {
    const path = url.slice(this.#base.length + 1);
    const headers: Record<string, string> = { "content-type": contentType };
    const exchange = exchangeFor({
      id: "request",
      operation,
      path: `pki/${path}`,
      body: {},
      ...(rawBody.length > 0 && { rawBody }),
      token: undefined,
      now: new Date(this.#server.now),
      source: { remoteAddress: "127.0.0.1", header: (name) => headers[name], clientCertificates: () => [] },
    });
    const answer = await this.#server.kernel.handle(exchange);
    if (!(answer instanceof RawReply)) throw new Error("expected an answer of ACME");
    const text = answer.body === undefined ? "" : Buffer.from(answer.body).toString();
    const isJson = String(answer.headers["content-type"] ?? "").endsWith("json");
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  }
}
