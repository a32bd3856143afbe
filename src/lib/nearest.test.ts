import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest.ts";

const known = ["address", "ca-cert", "dev", "format", "namespace", "tls_cert_file", "tls_key_file"];

describe("nearestName", () => {
  it.each([
    ["adress", "address"],
    ["addres", "address"],
    ["addrses", "address"],
    ["Address", "address"],
    ["dve", "dev"],
    ["namspace", "namespace"],
    ["tls_crt_file", "tls_cert_file"],
    ["tls_keyfile", "tls_key_file"],
    ["dev", "dev"],
    ["zzz", undefined],
    ["x", undefined],
    ["", undefined],
    ["backend", undefined],
    ["a".repeat(100_000), undefined],
  ])("of %s is %s", (written, nearest) => {
    expect(nearestName(written, known)).toBe(nearest);
  });

  it("knows nothing near among nothing", () => {
    expect(nearestName("dev", [])).toBeUndefined();
    expect(nearestName("dev", ["d".repeat(100_000)])).toBeUndefined();
  });
});
