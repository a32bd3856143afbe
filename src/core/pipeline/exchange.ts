/** One request on its way through the stages, with what each of them found out. */
import type { Storage } from "../../api/engine.ts";
import type { OperationName } from "../../api/path.ts";
import type { Match } from "../../api/router.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { AuditedHeaders } from "../audit/audit-table.ts";
import type { LiveDevice } from "../audit/live-devices.ts";
import type { IdentityGrant } from "../identity-link.ts";
import type { LiveMount } from "../mounts/live-mounts.ts";
import { type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import type { AccessOperation } from "../policies/capability.ts";
import type { Transaction } from "../storage/transaction.ts";
import type { Token } from "../tokens/token.ts";

export interface Request {
  readonly id: string;
  readonly operation: OperationName;
  /** The namespace that the caller named apart from the path, without slashes around it. */
  readonly namespace?: string | undefined;
  /** Decoded, without `/v1/`; a list's path ends in a slash. */
  readonly path: string;
  /** The JSON body of a write, or the query of anything else. */
  readonly body: Readonly<JsonObject>;
  /** The query of a write. */
  readonly query?: Readonly<JsonObject> | undefined;
  /** The body itself, where it is not JSON. */
  readonly rawBody?: Uint8Array | undefined;
  readonly token: string | undefined;
  /** Seconds for which the caller wants the answer wrapped. */
  readonly wrapSeconds?: number | undefined;
  readonly now: Date;
  readonly source: Source;
}

/** Where a request came from. */
export interface Source {
  readonly remoteAddress: string;
  header(name: string): string | undefined;
  clientCertificates(): readonly Uint8Array[];
  /** Paths below `sys/` that the listener answers to anybody, because its operator says so. */
  readonly openPaths?: ReadonlySet<string> | undefined;
}

export interface Exchange {
  /** As it came. */
  readonly received: Request;
  /** The same with the path within its namespace. */
  request: Request;
  namespace: Namespace;
  /** What the handler reads: the request's body, perhaps with a limit that policy sets. */
  body: Readonly<JsonObject>;
  readonly warnings: string[];
  /** What follows once the transaction is durable; a crash before it must be harmless. */
  readonly afterCommit: (() => Promise<void>)[];
  /** What follows when the request was refused and its transaction dropped. */
  readonly afterFailure: (() => Promise<void>)[];
  /** The transaction of this attempt; stages before it see none. */
  transaction: Transaction | undefined;
  /** The records of the namespace, as this attempt sees them. */
  storage: Storage | undefined;
  mount: LiveMount | undefined;
  match: Match<unknown> | undefined;
  token: Token | undefined;
  /** Looks up what the caller's identity brings; unset where no caller is known. */
  identity: (() => Promise<IdentityGrant | undefined>) | undefined;
  /** Whether the caller's policies give it `sudo` here. */
  sudo: boolean;
  /** What the request does in the words of policies, once that is known. */
  accessOperation: AccessOperation | undefined;
  /** Whether policy allowed it, and the policies that did. */
  verdictAllowed: boolean | undefined;
  granting: readonly string[];
  /** Takes out of the answer what policy does not let the caller see. */
  filterAnswer: ((answer: unknown) => unknown) | undefined;
  /** Set when the request is in the audit log: where, and with which headers. */
  audited: { readonly devices: readonly LiveDevice[]; readonly headers: AuditedHeaders } | undefined;
  services: unknown;
}

export const exchangeFor = (request: Request, namespace = rootNamespace): Exchange => ({
  received: request,
  request,
  namespace,
  body: request.body,
  warnings: [],
  afterCommit: [],
  afterFailure: [],
  transaction: undefined,
  storage: undefined,
  mount: undefined,
  match: undefined,
  token: undefined,
  identity: undefined,
  sudo: false,
  accessOperation: undefined,
  verdictAllowed: undefined,
  granting: [],
  filterAnswer: undefined,
  audited: undefined,
  services: undefined,
});
