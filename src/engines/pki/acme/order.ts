/**
 * Orders, and in which state each is (RFC 8555, section 7.1.6):
 *
 *   pending ──(every name proven)──▶ ready ──(finalized)──▶ valid
 *      └──────────(a name refuted or given up, or time over)──────────▶ invalid
 *
 * Only the ends are written down. Whether an order is pending or ready follows from its authorizations and the time, so that
 * names are proven side by side without one waiting for another's commit, and no stored state can contradict them.
 */
import { hash } from "node:crypto";
import { Collection } from "../../../api/collection.ts";
import type { Random, Storage } from "../../../api/engine.ts";
import type { PageRequest } from "../../../api/list-fields.ts";
import { type Authorization, type AuthorizationStatus, authorizationStatus } from "./authorization.ts";
import { isId, newId } from "./id.ts";
import type { Identifier } from "./identifier.ts";
import type { ProblemDocument } from "./problem.ts";

export interface Order {
  readonly id: string;
  readonly account: string;
  readonly directory: string;
  readonly identifiers: readonly Identifier[];
  readonly authorizations: readonly string[];
  readonly expires: number;
  readonly state: "open" | "valid";
  /** RFC 3339, if the client asked for it. */
  readonly notAfter?: string | undefined;
  /** The certificate that this one is to replace, by its identifier in renewal information. */
  readonly replaces?: string | undefined;
  /** Of a valid order. */
  readonly certificate?: OrderedCertificate | undefined;
}

export interface OrderedCertificate {
  readonly serial: string;
  /** When it ends, in milliseconds since the epoch. */
  readonly notAfter: number;
  /** Hash of the request that was signed: a client that asks again with the same one has just not heard the answer. */
  readonly request: string;
  /** In PEM, with issuers. */
  readonly chains: readonly string[];
}

export type OrderStatus = "pending" | "ready" | "valid" | "invalid";

const orderMs = 86_400_000;

const ends: ReadonlySet<AuthorizationStatus> = new Set(["invalid", "deactivated", "expired"]);

export function orderStatus(order: Order, authorizations: readonly Authorization[], now: Date): OrderStatus {
  if (order.state === "valid") return "valid";
  const statuses = authorizations.map((authorization) => authorizationStatus(authorization, now));
  const isComplete = authorizations.length === order.authorizations.length;
  if (!isComplete || now.getTime() >= order.expires || statuses.some((status) => ends.has(status))) return "invalid";
  return statuses.every((status) => status === "valid") ? "ready" : "pending";
}

/** Why an order came to nothing. */
export function orderError(authorizations: readonly Authorization[]): ProblemDocument | undefined {
  for (const { challenges, identifier } of authorizations) {
    const failed = challenges.find(({ status, error }) => status === "invalid" && error !== undefined);
    if (failed) return { ...failed.error!, identifier };
  }
  return undefined;
}

export const requestDigest = (der: Uint8Array): string => hash("sha256", der, "base64url");

export class Orders {
  readonly #records: Collection<Order>;
  readonly #byAccount: (account: string) => Collection<object>;
  readonly #random: Random;

  constructor(storage: Storage, random: Random) {
    this.#records = new Collection(storage, "acme/orders/");
    this.#byAccount = (account) => new Collection(storage, `acme/account-orders/${account}/`);
    this.#random = random;
  }

  async get(id: string): Promise<Order | undefined> {
    return isId(id) ? this.#records.get(id) : undefined;
  }

  /** When an order that is made now ends. */
  static end(now: Date): number {
    return now.getTime() + orderMs;
  }

  create(about: Omit<Order, "id" | "state">, now: Date): Order {
    const order: Order = { ...about, id: newId(now, this.#random), state: "open" };
    this.#records.put(order.id, order);
    this.#byAccount(order.account).put(order.id, {});
    return order;
  }

  put(order: Order): void {
    this.#records.put(order.id, order);
  }

  delete(order: Order): void {
    this.#records.delete(order.id);
    this.#byAccount(order.account).delete(order.id);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }

  listOf(account: string, page?: PageRequest): Promise<string[]> {
    return this.#byAccount(account).list(page);
  }
}
