/**
 * Lets node's HTTP/1.1 servers take the methods LIST and SCAN, which their parser does not know.
 *
 * A word that the parser refuses is swapped for one of equal length that it knows, before the parser sees it, and the
 * request gets its method back afterwards. Swapping anything but a method would change what a client said, and knowing
 * better than the parser where a request begins is request smuggling: so the parser alone says when it stands between
 * two messages, and only there a word is swapped. Everything else is about not asking it too often.
 *
 * This leans on the inside of node's HTTP parser; `list-method-check.ts` finds out at start-up whether it still holds.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { findWord, wordLength } from "./method-search.ts";

/** None of ours means anything: a client that really sends one is told that it is not allowed. */
const standIns = { LIST: "LINK", SCAN: "COPY" } as const;
type Method = keyof typeof standIns;

/**
 * How often in a row the parser is asked in vain about words in one read, before the rest goes to it as it is. Bounds
 * what headers and chunked bodies made of such words cost; words in a body of known length are skipped without asking.
 */
const vainQuestions = 100;

interface Parser {
  readonly constructor: {
    readonly kOnMessageBegin: number;
    readonly kOnBody: number;
    readonly kOnMessageComplete: number;
  };
  readonly socket: Socket | null;
  onIncoming: (message: IncomingMessage, keepAlive: boolean) => number;
  [slot: number]: Callback;
  /** Ours. Parsers are used again for other connections, also for some that are not ours. */
  [connectionOf]?: Connection | undefined;
}

type Callback = (this: Parser, value?: unknown) => unknown;
const connectionOf = Symbol("connection");

interface Handle {
  useUserBuffer(buffer: Buffer): void;
}

type ParsedSocket = Socket & {
  readonly parser?: Parser | null;
  /** The parser is paused, and must not be fed, because the client does not read its answers. */
  readonly _paused?: boolean;
  readonly _handle: Handle | null;
  [option: symbol]: unknown;
};

/** Where a socket keeps what the documented option `onread` of its constructor sets. */
const readOptions = { buffer: socketSymbol("kBuffer"), callback: socketSymbol("kBufferCb") };

/** One for all sockets: a read is handled, or what must wait is copied, before the next one can begin. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

const connections = new WeakMap<Socket, Connection>();

/** Call before the server listens. */
export function acceptListAndScan(server: Server | Http2SecureServer): void {
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", attach);
}

/** After an error has been answered: whatever else the client sends is dropped. */
export function dropFurtherInput(socket: Socket): void {
  connections.get(socket)?.drop();
}

function attach(socket: ParsedSocket): void {
  if (socket.destroyed || !socket.parser) return; // HTTP/2 has no such parser, and takes any method
  const [execute] = socket.listeners("data") as ((bytes: Buffer) => void)[];
  const { buffer, callback } = readOptions;
  if (!execute || !socket._handle || !buffer || !callback) {
    socket.destroy(); // a node that works otherwise, which the check at start-up has told the operator
    return;
  }
  const connection = new Connection(socket, socket.parser, execute);
  connections.set(socket, connection);
  // Taking over "data" makes node stop feeding the parser behind our back. What node has read already comes that way;
  // all the rest comes through the read buffer, which costs less than a new buffer and an event for every read.
  socket.on("data", (bytes: Buffer) => connection.receive(bytes));
  socket.removeListener("data", execute);
  socket[buffer] = readBuffer;
  socket[callback] = (size: number) => {
    connection.receive(readBuffer.subarray(0, size));
    return true;
  };
  socket._handle.useUserBuffer(readBuffer);
  socket.on("resume", () => connection.receiveKept());
  socket.prependListener("end", () => connection.feedKept());
  socket.prependListener("close", () => connection.leave());
}

class Connection {
  private readonly socket: ParsedSocket;
  private readonly parser: Parser;
  private readonly execute: (bytes: Buffer) => void;
  /** Said by the parser: the last message is complete, and the next has not begun. */
  betweenMessages = true;
  /** The message whose body is being received. */
  private message: IncomingMessage | undefined;
  private bodySeen = 0;
  /** The method of the request that the parser takes for one with the stand-in. */
  private disguised: Method | undefined;
  /** A method that was cut by the end of a read, or what came while the parser was paused. */
  private kept: Buffer | undefined;
  private dropping = false;

  constructor(socket: ParsedSocket, parser: Parser, execute: (bytes: Buffer) => void) {
    this.socket = socket;
    this.parser = parser;
    this.execute = execute;
    const { kOnMessageBegin, kOnBody, kOnMessageComplete } = parser.constructor;
    parser[kOnMessageBegin] = () => {
      this.betweenMessages = false;
    };
    const incoming = parser.onIncoming;
    parser.onIncoming = (message, keepAlive) => {
      this.begin(message);
      return incoming(message, keepAlive);
    };
    watch(parser, kOnBody, bodyWatcher);
    watch(parser, kOnMessageComplete, completionWatcher);
    parser[connectionOf] = this;
  }

  receive(bytes: Buffer): void {
    if (this.dropping) return;
    if (this.kept !== undefined) {
      bytes = Buffer.concat([this.kept, bytes]);
      this.kept = undefined;
    }
    if (this.socket._paused) {
      this.keep(bytes);
      return;
    }
    const at = findWord(bytes, 0);
    if (at === -1) this.feed(bytes);
    else this.feedInPieces(bytes, at);
  }

  receiveKept(): void {
    if (this.kept !== undefined) this.receive(nothing);
  }

  /** No more bytes will come: what looked like the start of a method is not. */
  feedKept(): void {
    const bytes = this.kept;
    this.kept = undefined;
    if (bytes !== undefined && !this.dropping) this.feed(bytes);
  }

  drop(): void {
    this.dropping = true;
    this.kept = undefined;
  }

  /** The parser may serve another connection by now. */
  leave(): void {
    if (this.parser[connectionOf] === this) this.parser[connectionOf] = undefined;
  }

  private feedInPieces(bytes: Buffer, first: number): void {
    let fed = 0;
    let vain = 0;
    for (let at = first; at !== -1 && vain < vainQuestions; ) {
      if (!this.feed(bytes.subarray(fed, at))) {
        if (this.socket._paused) this.keep(bytes.subarray(at));
        return;
      }
      fed = at;
      if (!this.betweenMessages) {
        const bodyLeft = this.bodyLeft();
        if (bodyLeft === 0) vain++;
        at = findWord(bytes, at + Math.max(1, bodyLeft));
      } else if (bytes.length - at < wordLength) {
        this.keep(bytes.subarray(at));
        return;
      } else {
        this.disguise(bytes, at);
        vain = 0;
        at = findWord(bytes, at + wordLength);
      }
    }
    this.feed(bytes.subarray(fed));
  }

  /** Whether the parser can take more. */
  private feed(bytes: Buffer): boolean {
    if (bytes.length > 0) this.execute.call(this.socket, bytes);
    const { socket } = this;
    return socket.parser === this.parser && !socket.destroyed && !socket._paused && !this.dropping;
  }

  private keep(bytes: Buffer): void {
    this.kept = Buffer.from(bytes);
  }

  private disguise(bytes: Buffer, at: number): void {
    this.disguised = bytes[at] === 0x4c ? "LIST" : "SCAN";
    bytes.write(standIns[this.disguised], at, "latin1");
  }

  private begin(message: IncomingMessage): void {
    this.message = message;
    this.bodySeen = 0;
    if (this.disguised === undefined) return;
    if (message.method === standIns[this.disguised]) message.method = this.disguised;
    this.disguised = undefined;
  }

  /** Only a number of bytes that cannot hold a method, never a decision: if it is wrong, a method is not recognized. */
  private bodyLeft(): number {
    const length = Number(this.message?.headers["content-length"]);
    return length > this.bodySeen ? length - this.bodySeen : 0;
  }

  sawBody(size: number): void {
    this.bodySeen += size;
  }

  sawCompletion(): void {
    this.betweenMessages = true;
    this.message = undefined;
  }
}

const nothing = Buffer.alloc(0);

interface Watcher {
  /** What node does there. */
  node: Callback;
  readonly callback: Callback;
}

const nodeDoesNothing: Callback = () => undefined;

const bodyWatcher: Watcher = {
  node: nodeDoesNothing,
  callback(piece) {
    this[connectionOf]?.sawBody((piece as Buffer).length);
    return bodyWatcher.node.call(this, piece);
  },
};

const completionWatcher: Watcher = {
  node: nodeDoesNothing,
  callback() {
    this[connectionOf]?.sawCompletion();
    return completionWatcher.node.call(this);
  },
};

/** A parser keeps these callbacks when it goes on to another connection. */
function watch(parser: Parser, slot: number, watcher: Watcher): void {
  if (parser[slot] === watcher.callback) return;
  watcher.node = parser[slot]!;
  parser[slot] = watcher.callback;
}

function socketSymbol(name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(new Socket()).find(({ description }) => description === name);
}
