/** What a certificate is asked for: names of hosts, perhaps with a wildcard in front, and IP addresses (RFC 8555, 9.7.7; RFC 8738). */
import { isIP } from "node:net";
import { isJsonObject } from "../../../lib/json.ts";
import { malformed, Problem } from "./problem.ts";

export interface Identifier {
  readonly type: "dns" | "ip";
  readonly value: string;
}

const mostIdentifiers = 100;
const longestName = 253;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isWildcard = ({ type, value }: Identifier): boolean => type === "dns" && value.startsWith("*.");

/** The name that is to be proven: a wildcard stands for all names below it. */
export const provenName = ({ value }: Identifier): string => (value.startsWith("*.") ? value.slice(2) : value);

export const identifierText = ({ type, value }: Identifier): string => `${type}:${value}`;

/** The identifiers of a new order, in one spelling each and without repetitions. */
export function readIdentifiers(given: unknown): Identifier[] {
  if (!Array.isArray(given) || given.length === 0) throw malformed("an order needs a list of identifiers");
  if (given.length > mostIdentifiers) throw malformed(`an order has at most ${mostIdentifiers} identifiers`);
  const known = new Map<string, Identifier>();
  for (const each of given) {
    const identifier = readIdentifier(each);
    known.set(identifierText(identifier), identifier);
  }
  return [...known.values()];
}

function readIdentifier(given: unknown): Identifier {
  if (!isJsonObject(given)) throw malformed("an identifier is an object with a type and a value");
  const { type, value } = given;
  if (typeof type !== "string" || typeof value !== "string" || value === "") {
    throw malformed("an identifier has a type and a value, which are not empty");
  }
  if (type === "dns") return { type, value: readName(value) };
  if (type === "ip") return { type, value: readAddress(value) };
  throw new Problem(
    "unsupportedIdentifier",
    `identifiers of type ${JSON.stringify(type)} are not known; there are dns and ip`,
  );
}

function readName(given: string): string {
  const name = given.toLowerCase();
  const bare = name.startsWith("*.") ? name.slice(2) : name;
  const refuse = (why: string) => malformed(`the name ${JSON.stringify(given)} ${why}`);
  if (isIP(bare) !== 0) throw refuse("is an address: its type is ip");
  if (bare.length > longestName) throw refuse(`is longer than ${longestName} characters`);
  if (bare.includes("*")) throw refuse("has a wildcard that is not its whole first label");
  const labels = bare.split(".");
  if (!labels.every((each) => label.test(each))) {
    throw refuse(
      "is not the name of a host: labels of letters, digits and hyphens with dots between, IDNs as A-labels",
    );
  }
  if (/^\d+$/.test(labels.at(-1)!)) throw refuse("ends in a number, as no name does");
  if (name !== bare && labels.length < 2) throw refuse("has a wildcard right below the root of all names");
  return name;
}

function readAddress(given: string): string {
  const family = isIP(given);
  if (family === 0 || given.includes("%")) throw malformed(`${JSON.stringify(given)} is not an IP address`);
  return normalIp(given);
}

/** One spelling per address, that of RFC 5952; URLs know it. */
export function normalIp(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
