import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { importKeyObject } from "../../../lib/jws/key.ts";
import { curvePair, otherRsaPair, rsaPair, signToken } from "../issuer-fixture.suite.ts";
import { StaticKeys } from "../key-source.ts";
import { type IdTokenExpectations, verifyIdToken } from "./id-token.ts";

const now = 1_900_000_000;
const keys = new StaticKeys([importKeyObject(rsaPair.publicKey), importKeyObject(curvePair.publicKey)]);
const usual: IdTokenExpectations = {
  keys,
  algorithms: [],
  issuer: "https://op.example",
  clientId: "me",
  audiences: [],
  nonce: "n_1",
  maxAge: 0,
  accessToken: "",
  code: "",
};
const claims = { iss: "https://op.example", sub: "bob", aud: "me", iat: now, exp: now + 60, nonce: "n_1" };
const half = (text: string) => hash("sha256", text, "buffer").subarray(0, 16).toString("base64url");
const verify = (more: object, expected: object = {}, pair = rsaPair) =>
  verifyIdToken(signToken({ ...claims, ...more }, pair), { ...usual, ...expected }, now * 1000);

describe("is good", () => {
  test.each<[string, object, object]>([
    ["as it is", {}, {}],
    ["one audience in a list", { aud: ["me"] }, {}],
    ["several audiences, and the client is the authorized party", { aud: ["me", "api"], azp: "me" }, {}],
    ["another audience that the role names, with azp", { aud: "api", azp: "me" }, { audiences: ["api"] }],
    ["without a nonce where none was sent", { nonce: undefined }, { nonce: undefined }],
    ["within the skew of clocks", { iat: now + 59, nbf: now + 59, exp: now - 59 }, {}],
    ["a login that is recent enough", { auth_time: now - 100 }, { maxAge: 100 }],
    ["hashes that fit", { at_hash: half("at"), c_hash: half("co") }, { accessToken: "at", code: "co" }],
    ["a hash of what did not come along", { at_hash: "xx" }, {}],
  ])("%s", async (_, more, expected) => {
    expect(await verify(more, expected)).toMatchObject({ sub: "bob" });
  });

  test("by another algorithm, if the configuration names it", async () => {
    await expect(verify({}, {}, curvePair)).rejects.toThrow("unexpected algorithm");
    expect(await verify({}, { algorithms: ["ES256"] }, curvePair)).toMatchObject({ sub: "bob" });
  });
});

describe("is refused", () => {
  test.each<[string, object, object, string]>([
    ["another issuer", { iss: "https://op.example/" }, {}, "invalid issuer"],
    ["no subject", { sub: undefined }, {}, "invalid subject"],
    ["an empty subject", { sub: "" }, {}, "invalid subject"],
    ["no audience", { aud: [] }, {}, "invalid audience"],
    ["another audience", { aud: "you" }, {}, "invalid audience"],
    ["an audience that the role does not name", {}, { audiences: ["api"] }, "invalid audience"],
    ["several audiences without azp", { aud: ["me", "api"] }, {}, "authorized party"],
    ["several audiences, the client not among them", { aud: ["you", "api"], azp: "me" }, {}, "not among them"],
    ["another authorized party", { azp: "you" }, {}, "invalid authorized party"],
    ["another nonce", { nonce: "n_2" }, {}, "invalid ID token nonce"],
    ["no nonce", { nonce: undefined }, {}, "invalid ID token nonce"],
    ["over", { exp: now - 61 }, {}, "expired"],
    ["without an end", { exp: undefined }, {}, "expired"],
    ["not yet", { nbf: now + 61 }, {}, "not yet valid"],
    ["from the future", { iat: now + 61 }, {}, "issued in the future"],
    ["an old login", { auth_time: now - 161 }, { maxAge: 100 }, "longer ago than max_age"],
    ["a login at an unknown time", {}, { maxAge: 100 }, "missing auth_time"],
    ["the hash of another access token", { at_hash: half("other") }, { accessToken: "at" }, "at_hash"],
    ["the hash of another code", { c_hash: half("other") }, { code: "co" }, "c_hash"],
  ])("%s", async (_, more, expected, words) => {
    await expect(verify(more, expected)).rejects.toThrow(words);
  });

  test("signed by a stranger", async () => {
    await expect(verify({}, {}, otherRsaPair)).rejects.toThrow("no known key");
  });
});
