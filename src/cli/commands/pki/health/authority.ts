/** A mount as checks see it: each thing is asked for once, however many checks look at it. */
import type { Answer, Client } from "../../../../client/client.ts";
import type { JsonObject } from "../../../../lib/json.ts";
import { type Certificate, parseCertificate } from "../../../../lib/x509/certificate.ts";
import { isSameName } from "../../../../lib/x509/name.ts";
import { pemBlocksOf } from "../../../../lib/x509/pem.ts";

export interface IssuerView {
  readonly endpoint: string;
  readonly id: string;
  readonly label: string;
  readonly isDefault: boolean;
  readonly isRoot: boolean;
  readonly settings: JsonObject;
  readonly certificate: Certificate;
}

export interface RoleView {
  readonly endpoint: string;
  readonly name: string;
  readonly settings: JsonObject;
}

/** Listing more would take long, and says nothing new. */
const mostRoles = 1000;
const countingPage = 10_000;

export class Authority {
  readonly mount: string;
  readonly now: number;
  readonly #client: Client;
  readonly #answers = new Map<string, Promise<Answer | undefined>>();

  constructor(client: Client, mount: string, now: number) {
    this.#client = client;
    this.mount = mount;
    this.now = now;
  }

  path = (below: string): string => `${this.mount}/${below}`;

  async read(below: string): Promise<JsonObject> {
    return (await this.#ask(below))?.data ?? {};
  }

  /** A file; empty if there is none. */
  async bytes(below: string): Promise<Uint8Array> {
    return (await this.#ask(below))?.bytes ?? new Uint8Array();
  }

  async list(below: string, page: { readonly after?: string; readonly limit?: number } = {}): Promise<string[]> {
    const query = {
      ...(page.after !== undefined && { after: page.after }),
      ...(page.limit !== undefined && { limit: String(page.limit) }),
    };
    const keys = (await this.#client.list(this.path(below), query))?.data["keys"];
    return Array.isArray(keys) ? keys : [];
  }

  async issuers(): Promise<IssuerView[]> {
    const { default: defaultId } = await this.read("config/issuers");
    const views: IssuerView[] = [];
    for (const id of await this.list("issuers")) {
      const settings = await this.read(`issuer/${id}`);
      const certificate = parseCertificate(pemBlocksOf(String(settings["certificate"]), "CERTIFICATE")[0]!);
      views.push({
        endpoint: this.path(`issuer/${id}`),
        id,
        label: String(settings["issuer_name"] || id),
        isDefault: id === defaultId,
        isRoot: isSameName(certificate.issuer.der, certificate.subject.der),
        settings,
        certificate,
      });
    }
    return views;
  }

  async roles(): Promise<RoleView[]> {
    const names = await this.list("roles", { limit: mostRoles });
    return Promise.all(
      names.map(async (name) => ({
        endpoint: this.path(`roles/${name}`),
        name,
        settings: await this.read(`roles/${name}`),
      })),
    );
  }

  /** Serial numbers, of those that end first. */
  async issuedBy(issuer: string, limit: number): Promise<string[]> {
    const query = { issuer_ref: issuer, limit: String(limit) };
    const keys = (await this.#client.find(this.path("certs/search"), { query }))?.data["keys"];
    return Array.isArray(keys) ? keys : [];
  }

  /** Counts no further than `most`. */
  async certificateCount(most: number): Promise<number> {
    let count = 0;
    for (let after = ""; count < most; ) {
      const serials = await this.list("certs", { after, limit: countingPage });
      count += serials.length;
      if (serials.length < countingPage) break;
      after = serials.at(-1)!;
    }
    return count;
  }

  #ask(below: string): Promise<Answer | undefined> {
    const asked = this.#answers.get(below) ?? this.#client.find(this.path(below));
    this.#answers.set(below, asked);
    return asked;
  }
}
