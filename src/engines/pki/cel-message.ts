/** Reads fields of the messages that programs make, as plain values. */
import { Message } from "../../lib/cel/message.ts";
import { isList, Timestamp, Uint, type Value } from "../../lib/cel/values.ts";

export class Fields {
  readonly #fields: ReadonlyMap<string, Value>;

  constructor(message: Value | undefined) {
    this.#fields = message instanceof Message ? message.fields : new Map();
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  message(name: string): Fields {
    return new Fields(this.#fields.get(name));
  }

  messages(name: string): Fields[] {
    return this.#list(name).map((each) => new Fields(each));
  }

  text(name: string): string {
    const value = this.#fields.get(name);
    return typeof value === "string" ? value : "";
  }

  texts(name: string): string[] {
    return this.#list(name).filter((each) => typeof each === "string");
  }

  flag(name: string): boolean {
    return this.#fields.get(name) === true;
  }

  number(name: string): number {
    return numberOf(this.#fields.get(name));
  }

  numbers(name: string): number[] {
    return this.#list(name).map(numberOf);
  }

  bytes(name: string): Uint8Array {
    const value = this.#fields.get(name);
    return value instanceof Uint8Array ? value : new Uint8Array();
  }

  /** To the second, as certificates have it. */
  time(name: string): Date | undefined {
    const value = this.#fields.get(name);
    if (!(value instanceof Timestamp)) return undefined;
    return new Date(Math.floor(Number(value.nanoseconds / 1_000_000n) / 1000) * 1000);
  }

  #list(name: string): readonly Value[] {
    const value = this.#fields.get(name);
    return value !== undefined && isList(value) ? value : [];
  }
}

function numberOf(value: Value | undefined): number {
  if (value instanceof Uint) return Number(value.value);
  return typeof value === "bigint" || typeof value === "number" ? Number(value) : 0;
}
