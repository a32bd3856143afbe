/** The `nonce` that ties the calls of one operation together: a random UUID. */
import type { Random } from "../../api/engine.ts";

export function operationId(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
