/**
 * One API path, declared once. Routing, validation, handler types, policy checks, audit, OpenAPI, help, docs and forms
 * are all read from the value that `path` returns.
 */
import type { JsonObject } from "../lib/json.ts";
import type { Fields, Values } from "./fields.ts";
import type { Answered, Authenticated, Leased, Login, Perishable, RawReply, WrappedAnswer } from "./reply.ts";

export const operationNames = ["read", "head", "write", "patch", "list", "scan", "delete"] as const;
export type OperationName = (typeof operationNames)[number];

/** What a handler may use besides its input. `Services` is what the engine built over this request's transaction. */
export interface Context<Services> {
  readonly services: Services;
  /** Who calls; undefined on public paths. */
  readonly caller: Caller | undefined;
  readonly request: RequestInfo;
  /** All of the body or query as it came, for operations that declare `openInput`. */
  readonly body: Readonly<JsonObject>;
  /** The bytes of the body as they came, on paths with the trait `rawBody`. */
  readonly rawBody: Uint8Array;
  /** Who the caller is beyond its token; undefined on public paths, and for a token without an entity. */
  identity(): Promise<CallerIdentity | undefined>;
  /** Fills in `{{identity.entity.name}}` and the like; empty where the caller has no value for one of them. */
  fillTemplate(text: string): Promise<readonly string[]>;
  /** Whether the caller sent this field: tells an update that sets a default from one that leaves it alone. */
  given(field: string): boolean;
  /** One moment for the whole request. */
  readonly now: Date;
  warn(message: string): void;
  /**
   * For operations that declare `effects`: commits what `work` wrote, now, running it again on a conflict.
   * Write the intent, act, then write the outcome; a crash in between leaves the intent to be resolved.
   */
  transaction<T>(work: (services: Services) => Promise<T>): Promise<T>;
}

export interface Caller {
  /** Names the token in storage without giving it away: a keyed hash of its id. */
  readonly key: string;
  readonly accessor: string;
  readonly displayName: string;
  readonly entityId: string;
  readonly policies: readonly string[];
  /** Whether its policies give it `sudo` on the path that it calls. */
  readonly sudo: boolean;
}

export interface CallerIdentity {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly aliases: readonly CallerAlias[];
  readonly groups: readonly CallerGroup[];
}

export interface CallerAlias {
  readonly id: string;
  readonly mount_accessor: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly custom_metadata: Readonly<Record<string, string>> | null;
}

export interface CallerGroup {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>> | null;
}

export interface RequestInfo {
  readonly id: string;
  /** Without `/v1/` and without the mount's own path. */
  readonly path: string;
  readonly mountPath: string;
  readonly remoteAddress: string;
  header(name: string): string | undefined;
  /** DER of the client's certificate chain, leaf first, verified by nobody yet. */
  clientCertificates(): readonly Uint8Array[];
}

export interface Operation<Params extends Fields, In extends Fields, Out extends Fields, Services> {
  readonly summary: string;
  readonly input?: In;
  readonly output?: Out;
  /** Needs the `sudo` capability as well. */
  readonly sudo?: boolean;
  /** Keys that are not declared are wanted too: the handler finds them in `context.body`. */
  readonly openInput?: boolean;
  /** An `Open` answer may hold keys that are not declared. */
  readonly openOutput?: boolean;
  /** Touches the outside world: the handler runs once, and commits through `context.transaction`. */
  readonly effects?: boolean;
  /** Declared fields that a write takes from the query too, such as a wish that is not part of what is written. */
  readonly queryInput?: readonly string[];
  /** Answers, but is in no document: it only helps those who took a wrong turn. */
  readonly unpublished?: boolean;
  /** Lets policy tell `create` from `update`; without it a write always needs `update`. */
  exists?(params: Values<Params>, context: Context<Services>): Promise<boolean>;
  handler(input: Values<Params & In>, context: Context<Services>): Answer<Out>;
}

/** Data with keys that no declaration names: stored secrets, plugin settings. */
export class Open {
  readonly data: Readonly<JsonObject>;

  constructor(data: Readonly<JsonObject>) {
    this.data = data;
  }
}

/** Declared data, bare, with a status or leased; or bytes of its own; or nothing (204). */
export type Answer<Out extends Fields> = {} extends Out
  ?
      | Promise<
          RawReply | Open | Perishable<Open> | Authenticated | Login | WrappedAnswer | Answered<undefined> | undefined
        >
      | Promise<void>
  : Promise<RawReply | Open | Given<Out> | Answered<Given<Out> | undefined> | Leased<Given<Out>> | undefined>;

/** What handlers give out may be shared with a cache, so it need not be theirs to change. */
type Given<Out extends Fields> = Frozen<Values<Out>>;
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

export interface PathTraits {
  /** `token` unless said otherwise. `public` takes no notice of a token; `optional` checks it only if there is one. */
  readonly access: "token" | "public" | "optional";
  /** Answers while the server is sealed or not initialized. */
  readonly whileSealed: boolean;
  /** The data itself is the answer, without the envelope. */
  readonly bare: boolean;
  /** The caller's token may be the very thing that is used up: an unknown one is then a mistake, not a stranger. */
  readonly takesWrappingToken: boolean;
  /** Answers only to say what is right: in no document. */
  readonly unpublished: boolean;
  /** Takes bodies that are not JSON: the handler finds them in `context.rawBody`. */
  readonly rawBody: boolean;
  /** Older clients read the data at the top level of the envelope; it stands there too. */
  readonly dataOnTop: boolean;
}

export interface Path<Services> extends PathTraits {
  readonly patterns: readonly string[];
  readonly summary: string;
  readonly params: Fields;
  readonly operations: { readonly [Name in OperationName]?: StoredOperation<Services> | undefined };
  readonly examples: readonly Example[];
}

export interface Example {
  readonly operation: OperationName;
  readonly request: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
}

/** A path or operation of any engine, for code that reads declarations and never calls them. */
export type AnyPath = Path<never>;
export type AnyOperation = StoredOperation<never>;

// biome-ignore lint/suspicious/noExplicitAny: one list holds operations of every input and output type.
export type StoredOperation<Services> = Operation<any, any, any, Services>;

type ParamName<Pattern extends string> = Pattern extends `${infer Head}/${infer Tail}`
  ? ParamName<Head> | ParamName<Tail>
  : Pattern extends `:${infer Name}*`
    ? Name
    : Pattern extends `:${infer Name}`
      ? Name
      : never;

/** Binds `path` to the services of one engine, so that its handlers are fully typed. */
export function pathsFor<Services>() {
  return function path<
    const Pattern extends string,
    Params extends { [Name in ParamName<Pattern>]: Fields[string] },
    ReadIn extends Fields = {},
    ReadOut extends Fields = {},
    WriteIn extends Fields = {},
    WriteOut extends Fields = {},
    PatchIn extends Fields = {},
    PatchOut extends Fields = {},
    ListIn extends Fields = {},
    ListOut extends Fields = {},
    ScanIn extends Fields = {},
    ScanOut extends Fields = {},
    DeleteIn extends Fields = {},
    DeleteOut extends Fields = {},
  >(
    declaration: {
      /** `roles/:name`; `:path*` takes any number of segments. A list declares the same operations under several paths. */
      pattern: Pattern | readonly Pattern[];
      summary: string;
      examples?: readonly Example[];
      read?: Operation<Params, ReadIn, ReadOut, Services>;
      head?: Operation<Params, {}, {}, Services>;
      write?: Operation<Params, WriteIn, WriteOut, Services>;
      patch?: Operation<Params, PatchIn, PatchOut, Services>;
      list?: Operation<Params, ListIn, ListOut, Services>;
      scan?: Operation<Params, ScanIn, ScanOut, Services>;
      delete?: Operation<Params, DeleteIn, DeleteOut, Services>;
    } & Partial<PathTraits> &
      ([ParamName<Pattern>] extends [never] ? { params?: Params } : { params: Params }),
  ): Path<Services> {
    const {
      pattern,
      summary,
      access = "token",
      whileSealed = false,
      bare = false,
      dataOnTop = false,
      rawBody = false,
      unpublished = false,
      takesWrappingToken = false,
      params = {},
      examples = [],
      ...operations
    } = declaration;
    const patterns = typeof pattern === "string" ? [pattern] : pattern;
    return {
      patterns,
      summary,
      access,
      whileSealed,
      bare,
      dataOnTop,
      rawBody,
      unpublished,
      takesWrappingToken,
      params,
      examples,
      operations,
    };
  };
}
