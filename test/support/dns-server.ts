/** A small DNS server for tests: every name has one address, and the TXT records that it is told. */
import { createSocket, type Socket } from "node:dgram";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const kinds = { a: 1, txt: 16 } as const;

export class DnsServer {
  readonly #socket: Socket;
  readonly #textsOf: (name: string) => readonly string[];
  readonly #address: string;
  /** Leaves questions without an answer. */
  isSilent = false;

  constructor(textsOf: (name: string) => readonly string[], address: string) {
    this.#textsOf = textsOf;
    this.#address = address;
    this.#socket = createSocket("udp4");
    this.#socket.on("message", (question, from) => {
      if (!this.isSilent) this.#socket.send(this.#answer(question), from.port, from.address);
    });
  }

  /** `address:port`. */
  async start(): Promise<string> {
    await new Promise<void>((ready) => this.#socket.bind(0, "127.0.0.1", ready));
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#socket.close();
  }

  #answer(question: Buffer): Buffer {
    const { name, end } = readName(question);
    const kind = question.readUInt16BE(end);
    const asked = question.subarray(12, end + 4);
    const answers = this.#records(name, kind).map((data) => record(kind, data));
    const header = Buffer.alloc(12);
    question.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    return Buffer.concat([header, asked, ...answers]);
  }

  #records(name: string, kind: number): Buffer[] {
    if (kind === kinds.a) return [Buffer.from(this.#address.split(".").map(Number))];
    if (kind !== kinds.txt) return [];
    return this.#textsOf(name.toLowerCase()).map((text) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]));
  }
}

/** A file named as the record has one value per line; it is read anew for every question. */
export const recordsIn =
  (folder: string) =>
  (name: string): string[] => {
    try {
      return readFileSync(join(folder, name), "utf8")
        .split("\n")
        .filter((line) => line !== "");
    } catch {
      return [];
    }
  };

function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

/** The name is a pointer to that of the question. */
function record(kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(kind, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
