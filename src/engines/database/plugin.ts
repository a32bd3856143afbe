/** The contract between the engine and the databases it knows: one plugin is one value, in one file. */
import type { Fields, Values } from "../../api/fields.ts";
import type { Outbound } from "../../api/outbound.ts";

export const credentialTypes = ["password", "rsa_private_key", "client_certificate"] as const;
export type CredentialType = (typeof credentialTypes)[number];

/** What proves that a user is who it says, as the database is told it. */
export type DatabaseCredential =
  | { readonly type: "password"; readonly password: string }
  | { readonly type: "rsa_private_key"; readonly publicKey: string }
  | { readonly type: "client_certificate"; readonly commonName: string };

export interface DatabasePlugin<Settings extends Fields = Fields> {
  /** `<kind>-database-plugin`. */
  readonly name: string;
  /** Other names under which connections may ask for it. */
  readonly aliases?: readonly string[];
  /** Semantic, with a `v` in front. */
  readonly version: string;
  /** Of the file that it was loaded from. */
  readonly sha256?: string;
  readonly credentialTypes: readonly CredentialType[];
  /** What a connection may say besides what every connection says. What is `writeOnly` is never read back. */
  readonly settings: Settings;
  /** How users are named where the connection has no `username_template`. */
  readonly usernameTemplate: string;
  /** In bytes. */
  readonly longestUsername: number;
  /** Replaces what the database would not take in a name that was made up. */
  fitUsername?(username: string): string;
  /** The setting that holds the root secret, if the engine can change it. */
  readonly rootSecret: string;
  /** The database makes the secrets of its users: nobody can tell it one. */
  readonly makesSecrets?: boolean;
  /** Reads the settings, refusing bad ones; touches no network yet. */
  open(settings: Values<Settings>, tools: PluginTools): Database | Promise<Database>;
}

export interface PluginTools {
  readonly outbound: Outbound;
  /** Of a file beside the server, such as a bundle of authorities. */
  readText(path: string): Promise<string>;
}

/**
 * One open connection, or pool of them. Failures are thrown as `DatabaseFailure`. Every call may be made again after an
 * answer that was lost, and must then come to the same end.
 */
export interface Database {
  /** How many calls may be under way at once. */
  readonly width: number;
  /** Proves that the database can be reached, and that the root credential holds. */
  verify(): Promise<void>;
  /** Answers the user's secret where the database makes it. */
  createUser(user: NewUser): Promise<string | undefined>;
  /** Tells the database that a user lives longer; absent where it keeps no time. */
  renewUser?(user: RenewedUser): Promise<void>;
  /** Of an existing user; answers its new secret where the database makes it. */
  changeCredential(change: CredentialChange): Promise<string | undefined>;
  /** Succeeds when the user is gone already. */
  deleteUser(user: EndedUser): Promise<void>;
  /** For databases that make secrets: a root credential that stands beside the old one, until that is dropped. */
  readonly root?: RootSuccession;
  close(): Promise<void>;
}

/** The new root user is made and its secret known and kept before the old one is given up. */
export interface RootSuccession {
  /** Refuses where the present root user could not be given up afterwards. */
  succeed(name: string): Promise<{ readonly secret: string; readonly predecessor: string }>;
  /** Deletes what `succeed` made, or the predecessor; succeeds when it is gone. */
  remove(name: string): Promise<void>;
}

export interface NewUser {
  readonly username: string;
  /** The name has a template of its own, and somebody may have it already: it must then be refused. */
  readonly mayExist: boolean;
  readonly credential: DatabaseCredential;
  readonly statements: readonly string[];
  readonly rollbackStatements: readonly string[];
  readonly expires: Date;
}

export interface RenewedUser {
  readonly username: string;
  readonly statements: readonly string[];
  readonly expires: Date;
}

export interface CredentialChange {
  readonly username: string;
  readonly credential: DatabaseCredential;
  readonly statements: readonly string[];
}

export interface EndedUser {
  readonly username: string;
  readonly statements: readonly string[];
}

/** Ties the types of a plugin's settings together. */
export const databasePlugin = <Settings extends Fields>(plugin: DatabasePlugin<Settings>) => plugin;

// biome-ignore lint/suspicious/noExplicitAny: one list holds plugins of every type of settings.
export type AnyPlugin = DatabasePlugin<any>;
