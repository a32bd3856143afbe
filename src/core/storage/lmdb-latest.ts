/**
 * Knows from the files of LMDB which transaction is the latest, and holds LMDB to it.
 *
 * A process that opens an environment writes the number of the transaction that it has read some microseconds ago into
 * the lock file, without any lock (ITS#9496 of OpenLDAP; the npm package lacks the fix). When another process commits in
 * between, its commit is forgotten, and overwritten by the next one. So every writer makes sure that it builds on the
 * latest transaction before it writes, and whoever finds an older number in the lock file puts the right one there.
 * The opening process itself does so at once; until then, writers do not acknowledge what readers may miss.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { lockTransactionAt, pageSizeAt, transactionAt } from "./lmdb-header.ts";

export class LatestTransaction {
  readonly #data: number;
  /** Stays open as long as LMDB has the file open: closing it would give up the locks that this process has on it. */
  readonly #lock: number;
  readonly #pageSize: number;
  readonly #number = Buffer.alloc(8);

  constructor(path: string) {
    this.#data = openSync(join(path, "data.mdb"), "r");
    this.#lock = openSync(join(path, "lock.mdb"), "r+");
    readSync(this.#data, this.#number, 0, 4, pageSizeAt);
    this.#pageSize = this.#number.readUInt32LE(0);
  }

  /** Whether a transaction that is about to write continues the latest one. Ask inside it, where it has the lock. */
  isBefore(writing: number): boolean {
    return writing === this.#latest() + 1;
  }

  restore(): void {
    for (let latest = this.#latest(); this.#read(this.#lock, lockTransactionAt) < latest; latest = this.#latest()) {
      this.#number.writeBigUInt64LE(BigInt(latest));
      writeSync(this.#lock, this.#number, 0, 8, lockTransactionAt);
    }
  }

  close(): void {
    closeSync(this.#data);
    closeSync(this.#lock);
  }

  #latest(): number {
    return Math.max(this.#read(this.#data, transactionAt), this.#read(this.#data, this.#pageSize + transactionAt));
  }

  #read(file: number, position: number): number {
    readSync(file, this.#number, 0, 8, position);
    return Number(this.#number.readBigUInt64LE(0));
  }
}
