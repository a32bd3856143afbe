import { describe, expect, it } from "vitest";
import { Refusal, Unreachable } from "../client/failure.ts";
import { adviceFor } from "./explain.ts";

const request = { method: "GET", url: "http://127.0.0.1:8200/v1/secret/data/a", namespace: undefined };
const circumstances = { address: "http://127.0.0.1:8200", addressSource: "the default", hasToken: true };
const refused = (status: number, message: string) => new Refusal(request, status, [message], {});

describe("advice on refusals", () => {
  it.each([
    [503, "Vault is sealed", "strongroom operator unseal"],
    [501, "", "strongroom operator init"],
    [400, "server is not initialized", "strongroom operator init"],
    [400, "Client sent an HTTP request to an HTTPS server.", "https://"],
    [403, "permission denied", "strongroom token capabilities secret/data/a"],
  ])("%i %s", (status, message, advice) => {
    expect(adviceFor(refused(status, message), circumstances)).toContain(advice);
  });

  it("tells those who are not logged in to log in", () => {
    const advice = adviceFor(refused(403, "permission denied"), { ...circumstances, hasToken: false });
    expect(advice).toContain("strongroom login");
  });

  it.each([
    [400, "missing data fields"],
    [404, "no handler"],
    [503, "too busy"],
    [500, "internal error"],
  ])("there is none for %i %s", (status, message) => {
    expect(adviceFor(refused(status, message), circumstances)).toBeUndefined();
  });
});

describe("advice on silence", () => {
  it.each([
    ["ECONNREFUSED", "Is the server running?"],
    ["ENOTFOUND", "STRONGROOM_ADDR"],
    ["ETIMEDOUT", "-timeout"],
    ["EPROTO", "http://"],
    ["HPE_INVALID_CONSTANT", "https://"],
    ["ECONNRESET", "https://"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "-ca-cert"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "-ca-cert"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "-tls-server-name"],
    ["CERT_HAS_EXPIRED", "expired"],
  ])("%s", (code, advice) => {
    expect(adviceFor(new Unreachable(request, code, "reason"), circumstances)).toContain(advice);
  });

  it("names the address and where it came from", () => {
    const advice = adviceFor(new Unreachable(request, "ECONNREFUSED", "reason"), circumstances);
    expect(advice).toContain("Nobody answers at http://127.0.0.1:8200 (the default).");
  });

  it("is none for what nobody knows", () => {
    expect(adviceFor(new Unreachable(request, "EODD", "reason"), circumstances)).toBeUndefined();
    expect(adviceFor(new Error("bug"), circumstances)).toBeUndefined();
  });
});
