/** Base64. */
import { type Library, overload } from "../declarations.ts";
import { EvaluationError } from "../errors.ts";

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const encodersLibrary: Library = {
  overloads: [
    overload("base64_decode_string", "base64.decode(string) -> bytes", (meter, text: string) => {
      meter.chargeText(text.length);
      const bare = text.replace(/={1,2}$/, "");
      const isPadded = bare.length !== text.length;
      if (!base64.test(text) || bare.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
        throw new EvaluationError("illegal base64 data");
      }
      return new Uint8Array(Buffer.from(bare, "base64"));
    }),
    overload("base64_encode_bytes", "base64.encode(bytes) -> string", (meter, bytes: Uint8Array) => {
      meter.chargeText(Math.ceil(bytes.length / 3) * 4);
      return Buffer.from(bytes).toString("base64");
    }),
  ],
};
