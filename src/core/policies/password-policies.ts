/** Stores password policies, and makes passwords by them. */
import { Collection } from "../../api/collection.ts";
import type { Random, Storage } from "../../api/engine.ts";
import { invalidRequest, notFound } from "../../api/errors.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { policyText } from "./parse-policy.ts";
import { generatePassword, parsePasswordPolicy, requireUsable } from "./password-policy.ts";

interface PasswordPolicyRecord {
  /** The text; never base64. */
  readonly policy: string;
}

const standardPolicy = [
  "length = 20",
  ...["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "-"].map(
    (charset) => `rule "charset" { charset = "${charset}" min-chars = 1 }`,
  ),
].join("\n");

const recordsIn = (storage: Storage) => new Collection<PasswordPolicyRecord>(storage, "sys/policy/password/");

export class PasswordPolicies {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Refuses a policy that no password, or hardly any, could keep. */
  put(name: string, text: string, storage: Storage): void {
    const policy = policyText(text);
    if (policy === "") throw invalidRequest("missing policy");
    requireUsable(parsePasswordPolicy(policy), this.#random);
    recordsIn(storage).put(name, { policy });
  }

  async get(name: string, storage: Storage): Promise<string> {
    const found = await recordsIn(storage).get(name);
    if (!found) throw notFound("policy does not exist");
    return found.policy;
  }

  /** By the standard rule if the name is empty. */
  async generate(name: string, storage: Storage): Promise<string> {
    const text = name === "" ? standardPolicy : await this.get(name, storage);
    return generatePassword(parsePasswordPolicy(text), this.#random);
  }

  delete(name: string, storage: Storage): void {
    recordsIn(storage).delete(name);
  }

  list(storage: Storage, page?: PageRequest): Promise<string[]> {
    return recordsIn(storage).list(page);
  }
}
