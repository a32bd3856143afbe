/** Receives a request's body as a whole, up to a limit. */
import type { Readable } from "node:stream";
import { ApiError } from "../api/errors.ts";

export class PayloadTooLarge extends ApiError {
  constructor() {
    super(413, "http: request body too large");
  }
}

/** Nobody is there to read the answer. */
export class ClientGone extends ApiError {
  constructor() {
    super(400, "the connection was closed before the request was complete");
  }
}

/** Leaves the rest of a body that is too large unread. `onEnd` is called before the promise is settled. */
export function collectPayload(stream: Readable, limit: number, onEnd: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const payload = new Payload();
    let isOver = false;
    const fail = (makeError: () => ApiError) => {
      if (isOver) return;
      isOver = true;
      onEnd();
      reject(makeError());
    };
    const add = (piece: Buffer) => {
      if (payload.size + piece.length <= limit) {
        payload.add(piece);
        return;
      }
      stream.off("data", add).pause();
      fail(() => new PayloadTooLarge());
    };
    stream.on("data", add);
    stream.on("end", () => {
      if (isOver) return;
      isOver = true;
      onEnd();
      resolve(payload.whole());
    });
    stream.on("close", () => fail(() => new ClientGone()));
  });
}

/**
 * Most bodies come in one piece, which is handed on as it is. Others are copied together as they come: kept apart, a
 * body that arrives byte by byte would take a hundred times its size.
 */
class Payload {
  size = 0;
  private bytes: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    const size = this.size + piece.length;
    if (this.size === 0) {
      this.bytes = piece;
    } else {
      if (size > this.bytes.length) this.grow(Math.max(2 * this.bytes.length, size));
      piece.copy(this.bytes, this.size);
    }
    this.size = size;
  }

  whole(): Buffer {
    return this.bytes.subarray(0, this.size);
  }

  private grow(capacity: number): void {
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.bytes.copy(larger, 0, 0, this.size);
    this.bytes = larger;
  }
}
