/** Answers that are more than the data of the JSON envelope. */
import type { TokenFieldValues } from "./token-fields.ts";

/** A response that is not the envelope: DER, PEM, ACME's JSON, a redirect. */
export class RawReply {
  readonly body: string | Uint8Array | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;

  constructor(
    body: string | Uint8Array | undefined,
    contentType: string | undefined,
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string | readonly string[]> } = {},
  ) {
    this.body = body;
    this.status = status;
    this.headers = contentType === undefined ? headers : { ...headers, "content-type": contentType };
  }
}

/** Declared data under a status of its own, such as 202 for work that goes on after the answer. */
export class Answered<Data> {
  readonly data: Data;
  readonly status: number;

  constructor(status: number, data: Data) {
    this.status = status;
    this.data = data;
  }
}

/** Data that the caller should read again after a while. There is no lease: nothing ends when the time is up. */
export class Perishable<Data> {
  readonly data: Data;
  readonly seconds: number;

  constructor(data: Data, seconds: number) {
    this.data = data;
    this.seconds = seconds;
  }
}

/** Data that lives as long as its lease. The core keeps `secret` and gives it back to the lease kind to revoke. */
export class Leased<Data> {
  readonly data: Data;
  readonly lease: Lease;
  /** Filled in by the core. */
  readonly registered: RegisteredLease | undefined;

  constructor(data: Data, lease: Lease, registered?: RegisteredLease) {
    this.data = data;
    this.lease = lease;
    this.registered = registered;
  }
}

export interface RegisteredLease {
  readonly id: string;
  readonly seconds: number;
  readonly renewable: boolean;
}

export interface Lease {
  readonly kind: string;
  readonly seconds: number;
  readonly maxSeconds?: number;
  readonly renewable: boolean;
  readonly secret: Readonly<Record<string, unknown>>;
}

/** An auth method is content: the core makes the token, finds or makes the entity, and answers with `auth`. */
export class Login {
  readonly grant: LoginGrant;

  constructor(grant: LoginGrant) {
    this.grant = grant;
  }
}

export interface LoginGrant {
  /** Who this is in the auth method's own words; ties the token to an entity. */
  readonly alias?: { readonly name: string; readonly metadata?: Readonly<Record<string, string>> };
  /** Groups that the auth method vouches for, by the names of their aliases. */
  readonly groupAliases?: readonly string[];
  /** Shown with the mount's name in front. */
  readonly displayName: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly token: TokenFieldValues;
  /** Kept with the token, and handed to the engine's `renewLogin`. Secrets do not belong here. */
  readonly internal?: Readonly<Record<string, unknown>>;
  /** True unless said otherwise. */
  readonly renewable?: boolean;
}

/** A token, given out or renewed: the `auth` of the envelope. */
export class Authenticated {
  readonly auth: AuthData;

  constructor(auth: AuthData) {
    this.auth = auth;
  }
}

export interface AuthData {
  readonly client_token: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  readonly token_policies?: readonly string[];
  readonly identity_policies?: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly lease_duration: number;
  readonly renewable: boolean;
  readonly entity_id: string;
  readonly token_type: "service" | "batch";
  readonly orphan: boolean;
  readonly mfa_requirement: null;
  readonly num_uses: number;
}

/** Stands for an answer that was put behind a one-time token. */
export class WrappedAnswer {
  readonly info: WrapInfo;

  constructor(info: WrapInfo) {
    this.info = info;
  }
}

export interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  /** Seconds. */
  readonly ttl: number;
  readonly creation_time: string;
  readonly creation_path: string;
  readonly wrapped_accessor?: string;
}
