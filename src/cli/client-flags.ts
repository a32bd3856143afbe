/** Flags that every command has that asks a server, and what becomes of them. */
import type { ClientSettings } from "../client/client.ts";
import {
  choiceFlag,
  durationFlag,
  type Environment,
  environmentNames,
  type FlagValues,
  integerFlag,
  pairsFlag,
  switchFlag,
  textFlag,
} from "./flags.ts";
import { formats } from "./output/printer.ts";
import { tlsSettings } from "./tls-files.ts";
import { readTokenFile } from "./token-file.ts";

export const defaultAddress = "http://127.0.0.1:8200";

export const connectionFlags = {
  address: textFlag("Address of the server; a server that was started without TLS is asked by http, others by https", {
    default: defaultAddress,
    environment: environmentNames("ADDR"),
  }),
  namespace: textFlag("Namespace that the command is about", { environment: environmentNames("NAMESPACE") }),
  ns: textFlag("Short for -namespace", { hidden: true }),
  "wrap-ttl": textFlag("Wrap the answer in a token that lives this long", {
    environment: environmentNames("WRAP_TTL"),
    placeholder: "duration",
  }),
  "ca-cert": textFlag("File with the PEM certificates of the authorities to trust", {
    environment: environmentNames("CACERT"),
    placeholder: "file",
  }),
  "ca-path": textFlag("Folder with PEM certificates of the authorities to trust", {
    environment: environmentNames("CAPATH"),
    placeholder: "folder",
  }),
  "client-cert": textFlag("File with the PEM certificate to show to the server", {
    environment: environmentNames("CLIENT_CERT"),
    placeholder: "file",
  }),
  "client-key": textFlag("File with the private key of -client-cert", {
    environment: environmentNames("CLIENT_KEY"),
    placeholder: "file",
  }),
  "tls-server-name": textFlag("Name that the server's certificate must have", {
    environment: environmentNames("TLS_SERVER_NAME"),
  }),
  "tls-skip-verify": switchFlag("Trust whatever certificate the server has: for trials only", {
    environment: environmentNames("SKIP_VERIFY"),
  }),
  timeout: durationFlag("How long to wait for an answer; 0 for ever", {
    default: 60,
    environment: environmentNames("CLIENT_TIMEOUT"),
  }),
  "max-retries": integerFlag("How often to ask again when the server is busy or away", {
    default: 0,
    environment: environmentNames("MAX_RETRIES"),
  }),
  header: pairsFlag("One more header to send; may be given several times"),
  "output-curl-string": switchFlag("Print a curl command in place of sending the request"),
  "output-policy": switchFlag("Print the policy that the request needs in place of sending it"),
};

export const formatFlag = {
  format: choiceFlag(formats, "How to print: pretty is the data alone, raw is the answer byte for byte", {
    default: "table",
    environment: environmentNames("FORMAT"),
  }),
};

const fieldFlag = { field: textFlag("Print this field alone, without a line feed at its end") };

export const outputFlags = { ...formatFlag, ...fieldFlag };

export type ConnectionValues = FlagValues<typeof connectionFlags>;

export async function clientSettings(flags: ConnectionValues, environment: Environment): Promise<ClientSettings> {
  return {
    address: flags.address,
    token: await currentToken(environment),
    namespace: namespacePath(flags.ns ?? flags.namespace ?? ""),
    wrapTtl: flags["wrap-ttl"],
    headers: flags.header,
    tls: await tlsSettings(flags, environment),
    timeout: flags.timeout * 1000,
    maxRetries: flags["max-retries"],
  };
}

/** From the environment, or from the file that `login` leaves. */
export async function currentToken(environment: Environment): Promise<string> {
  const set = environmentNames("TOKEN").map((name) => environment[name]?.trim());
  return set.find((token) => token !== undefined && token !== "") ?? (await readTokenFile(environment));
}

/** Namespaces end with a slash on the wire; the root one is not named at all. */
function namespacePath(written: string): string {
  const name = written
    .split("/")
    .filter((part) => part !== "")
    .join("/");
  return name === "" || name === "root" ? "" : `${name}/`;
}

/** Where the address came from, for the message that says that nobody answers there. */
export function addressSource(given: ReadonlySet<string>, environment: Environment): string {
  if (given.has("address")) return "from -address";
  const variable = environmentNames("ADDR").find((name) => (environment[name] ?? "") !== "");
  return variable === undefined ? "the default" : `from ${variable}`;
}
