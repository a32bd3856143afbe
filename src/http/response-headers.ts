/** Headers that every answer of a listener has, beside its own: set by the server, or by the operator for a status. */

/** By status: `default`, `4xx`, `404`; the more exact wins. Each value is a header line of its own. */
export type HeadersByStatus = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface AddedHeaders {
  /** Names and values in turn, ready to be sent. */
  readonly list: readonly string[];
  /** In lower case: an answer's own headers of these names give way. */
  readonly names: ReadonlySet<string>;
}

const always: Readonly<Record<string, readonly string[]>> = {
  "strict-transport-security": ["max-age=31536000; includeSubDomains"],
};

export class ResponseHeaders {
  readonly #byStatus: HeadersByStatus;
  readonly #fixed: Readonly<Record<string, readonly string[]>>;
  /** Filled as statuses occur, of which there are a few dozen. */
  readonly #ready = new Map<number, AddedHeaders>();

  constructor(byStatus: HeadersByStatus = {}, hostname?: string) {
    this.#byStatus = byStatus;
    this.#fixed = hostname === undefined ? always : { ...always, ...hostnameHeaders(hostname) };
  }

  for(status: number): AddedHeaders {
    const ready = this.#ready.get(status);
    if (ready) return ready;
    const made = this.#make(status);
    this.#ready.set(status, made);
    return made;
  }

  #make(status: number): AddedHeaders {
    const headers = new Map<string, readonly string[]>();
    const sources = ["default", `${Math.floor(status / 100)}xx`, String(status)].map((key) => this.#byStatus[key]);
    for (const source of [this.#fixed, ...sources]) {
      for (const [name, values] of Object.entries(source ?? {})) headers.set(name.toLowerCase(), values);
    }
    return {
      list: [...headers].flatMap(([name, values]) => values.flatMap((value) => [name, value])),
      names: new Set(headers.keys()),
    };
  }
}

/** The peers' clients know the second name. */
const hostnameHeaders = (hostname: string) => ({
  "x-service-hostname": [hostname],
  "x-vault-hostname": [hostname],
});
