import { describe, expect, it } from "vitest";
import { encodeToken } from "../../../core/seal/generate-root.ts";
import { decodeToken } from "./generate-root.ts";

describe("decodeToken", () => {
  it("reads what the server encodes", () => {
    const [token, otp] = ["s.ZAhtEkOnzUf6WDxUzefY8azF", "9ShIb5iMh89qDk3xYta9JkXO27"];
    expect(decodeToken(`${encodeToken(token, otp)}\n`, otp)).toBe(token);
  });

  it("says that they do not belong together", () => {
    expect(() => decodeToken("AAAA", "longer")).toThrow("differ in length");
    expect(() => decodeToken("AAAA", "")).toThrow("-otp");
  });
});
