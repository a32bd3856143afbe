/** Logins through a provider that are under way. They are kept in the store, so that any process can go on with them. */
import { hash } from "node:crypto";
import { Collection } from "../../../api/collection.ts";
import type { Storage } from "../../../api/engine.ts";
import type { LoginGrant } from "../../../api/reply.ts";
import type { CallbackMode } from "../role.ts";

export interface Flow {
  readonly role: string;
  readonly mode: CallbackMode;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** What the client must show again; empty if it gave none. */
  readonly client_nonce: string;
  /** Who asked, for the page that asks for confirmation. */
  readonly requester: string;
  readonly redirect_uri: string;
  /** Where a browser goes on after a form was posted to this server; empty for nowhere. */
  readonly continue_uri: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly device_code: string;
  /** What a form brought, until the client asks for it. */
  readonly received?: { readonly code: string; readonly id_token: string };
  /** What the login came to, until the client polls. */
  readonly outcome?: { readonly grant: LoginGrant } | { readonly refusal: string; readonly status: number };
}

const minute = 60_000;

export class Flows {
  readonly #storage: Storage;
  readonly #flows: Collection<Flow>;
  /** The same keys under the minute in which they are over: what is due is found without looking at the rest. */
  readonly #due: Collection<Record<string, never>>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#flows = new Collection(storage, "flow/");
    this.#due = new Collection(storage, "flow-due/");
  }

  /** Undefined for one that is unknown, over or used up. */
  async find(state: string, now: number): Promise<Flow | undefined> {
    const flow = await this.#flows.get(keyOf(state));
    return flow && flow.expires > now ? flow : undefined;
  }

  begin(state: string, flow: Flow): void {
    this.#flows.put(keyOf(state), flow);
    this.#due.put(`${minuteOf(flow.expires)}/${keyOf(state)}`, {});
  }

  change(state: string, flow: Flow): void {
    this.#flows.put(keyOf(state), flow);
  }

  /** Whoever takes it has it alone: a second one in another process fails at its commit, tries again and finds nothing. */
  async take(state: string, now: number): Promise<Flow | undefined> {
    const flow = await this.find(state, now);
    if (flow) this.end(state, flow);
    return flow;
  }

  end(state: string, flow: Flow): void {
    this.#flows.delete(keyOf(state));
    this.#due.delete(`${minuteOf(flow.expires)}/${keyOf(state)}`);
  }

  /** Removes up to that many that are over; answers whether there may be more. */
  async removeOver(now: number, most: number): Promise<boolean> {
    let left = most;
    for (const folder of await this.#storage.list("flow-due/", { limit: 100 })) {
      if (Number(folder.slice(0, -1)) >= Math.floor(now / minute)) return false;
      for (const key of await this.#storage.list(`flow-due/${folder}`, { limit: left })) {
        this.#flows.delete(key);
        this.#storage.delete(`flow-due/${folder}${key}`);
        left -= 1;
        if (left <= 0) return true;
      }
    }
    return false;
  }
}

/** States are secrets of those who hold them, so the store does not show them in its keys. */
const keyOf = (state: string): string => hash("sha256", state, "hex");

const minuteOf = (milliseconds: number): string => String(Math.ceil(milliseconds / minute)).padStart(10, "0");
