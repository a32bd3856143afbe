/** Which account ordered a certificate, and what has replaced it since. */
import { Collection } from "../../../api/collection.ts";
import type { Storage } from "../../../api/engine.ts";

export interface CertificateLink {
  readonly account: string;
  readonly order: string;
  /** The order that a client announced as its replacement. */
  readonly replacedBy?: string | undefined;
}

export class CertificateLinks {
  readonly #records: Collection<CertificateLink>;

  constructor(storage: Storage) {
    this.#records = new Collection(storage, "acme/certificates/");
  }

  get(serial: string): Promise<CertificateLink | undefined> {
    return this.#records.get(serial);
  }

  put(serial: string, link: CertificateLink): void {
    this.#records.put(serial, link);
  }

  delete(serial: string): void {
    this.#records.delete(serial);
  }
}
