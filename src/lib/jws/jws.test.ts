import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { CompactSign, calculateJwkThumbprint, FlattenedSign, importJWK } from "jose";
import { describe, expect, test } from "vitest";
import { type AlgorithmName, algorithmNames } from "./algorithm.ts";
import { JwsError } from "./error.ts";
import { isSignedWithSecret } from "./hmac.ts";
import { parseJwkSet } from "./jwk-set.ts";
import { importJwk, importKeyObject, importPem } from "./key.ts";
import { jsonPayload, parseCompactJws, parseFlattenedJws } from "./message.ts";
import { thumbprint } from "./thumbprint.ts";
import { isSignedBy } from "./verify.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pairs = {
  RSA: rsa,
  "P-256": generateKeyPairSync("ec", { namedCurve: "P-256" }),
  "P-384": generateKeyPairSync("ec", { namedCurve: "P-384" }),
  "P-521": generateKeyPairSync("ec", { namedCurve: "P-521" }),
  Ed25519: generateKeyPairSync("ed25519"),
};
type Pair = keyof typeof pairs;

const pairFor = (alg: AlgorithmName): Pair =>
  alg === "ES256"
    ? "P-256"
    : alg === "ES384"
      ? "P-384"
      : alg === "ES512"
        ? "P-521"
        : alg === "EdDSA"
          ? "Ed25519"
          : "RSA";

const jwkOf = (key: KeyObject) => key.export({ format: "jwk" }) as Record<string, unknown>;
const claims = { sub: "bob", iat: 1 };

const sign = (alg: string, key: KeyObject, payload: object = claims, header: object = {}) =>
  new CompactSign(Buffer.from(JSON.stringify(payload))).setProtectedHeader({ alg, ...header }).sign(key);

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

describe("what jose signs", () => {
  test.each(algorithmNames)("%s is verified, and only with its own key", async (alg) => {
    const pair = pairFor(alg);
    const jws = parseCompactJws(await sign(alg, pairs[pair].privateKey));
    expect(jsonPayload(jws)).toEqual(claims);
    for (const [name, { publicKey }] of Object.entries(pairs)) {
      expect(isSignedBy(jws, importJwk(jwkOf(publicKey))), name).toBe(name === pair);
      expect(isSignedBy(jws, importPem(publicKey.export({ format: "pem", type: "spki" }) as string)), name).toBe(
        name === pair,
      );
    }
  });

  test.each(algorithmNames)("%s fails when any part is changed", async (alg) => {
    const key = importKeyObject(pairs[pairFor(alg)].publicKey);
    const [header, payload, signature] = (await sign(alg, pairs[pairFor(alg)].privateKey)).split(".");
    const bytes = Buffer.from(signature!, "base64url");
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(isSignedBy(parseCompactJws(`${header}.${payload}.${changed.toString("base64url")}`), key)).toBe(false);
    }
    const other = part({ sub: "eve" });
    expect(isSignedBy(parseCompactJws(`${header}.${other}.${signature}`), key)).toBe(false);
    for (const length of [0, 1, bytes.length - 1]) {
      const cut = bytes.subarray(0, length).toString("base64url");
      expect(isSignedBy(parseCompactJws(`${header}.${payload}.${cut}`), key)).toBe(false);
    }
    const longer = Buffer.concat([bytes, Buffer.alloc(1)]).toString("base64url");
    expect(isSignedBy(parseCompactJws(`${header}.${payload}.${longer}`), key)).toBe(false);
  });

  test("the flattened form", async () => {
    const body = await new FlattenedSign(Buffer.from("hello"))
      .setProtectedHeader({ alg: "ES256" })
      .sign(pairs["P-256"].privateKey);
    const jws = parseFlattenedJws(body);
    expect(jws.payload.toString()).toBe("hello");
    expect(isSignedBy(jws, importKeyObject(pairs["P-256"].publicKey))).toBe(true);
  });
});

describe("algorithms that a message cannot choose", () => {
  const none = `${part({ alg: "none" })}.${part(claims)}.`;
  const pem = rsa.publicKey.export({ format: "pem", type: "spki" }) as string;
  const confused = `${part({ alg: "HS256" })}.${part(claims)}`;
  const hmac = `${confused}.${createHmac("sha256", pem).update(confused).digest("base64url")}`;

  test.each([
    ["none", none],
    ["None", `${part({ alg: "None" })}.${part(claims)}.`],
    ["a public key as the secret", hmac],
    ["an unknown one", `${part({ alg: "XX256" })}.${part(claims)}.AA`],
    ["constructor", `${part({ alg: "constructor" })}.${part(claims)}.AA`],
  ])("%s", (_, text) => {
    expect(() => isSignedBy(parseCompactJws(text), importKeyObject(rsa.publicKey))).toThrow(
      "an algorithm that is not supported",
    );
  });

  test("a shared secret is only good where it is asked for", () => {
    expect(isSignedWithSecret(parseCompactJws(hmac), Buffer.from(pem))).toBe(true);
    expect(isSignedWithSecret(parseCompactJws(hmac), Buffer.from("other"))).toBe(false);
    expect(isSignedWithSecret(parseCompactJws(none), Buffer.from(pem))).toBe(false);
  });

  test("a key that names its algorithm is used with no other", async () => {
    const jws = parseCompactJws(await sign("RS256", rsa.privateKey));
    expect(isSignedBy(jws, importJwk({ ...jwkOf(rsa.publicKey), alg: "RS256" }))).toBe(true);
    expect(isSignedBy(jws, importJwk({ ...jwkOf(rsa.publicKey), alg: "PS256" }))).toBe(false);
  });

  test("a changed salt length of PSS is refused", async () => {
    const { sign: bare, constants } = await import("node:crypto");
    const signed = `${part({ alg: "PS256" })}.${part(claims)}`;
    const signature = (saltLength: number) =>
      bare("sha256", Buffer.from(signed), {
        key: rsa.privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength,
      });
    const holds = (saltLength: number) =>
      isSignedBy(
        parseCompactJws(`${signed}.${signature(saltLength).toString("base64url")}`),
        importKeyObject(rsa.publicKey),
      );
    expect([32, 20, 0].map(holds)).toEqual([true, false, false]);
  });
});

describe("messages that are refused as they stand", () => {
  const good = `${part({ alg: "RS256" })}.${part(claims)}.AAAA`;
  const [header, payload] = good.split(".") as [string, string];

  test.each<[string, string, string]>([
    ["two parts", `${header}.${payload}`, "three parts"],
    ["four parts", `${good}.AA`, "three parts"],
    ["five parts (an encrypted one)", `${good}.AA.AA`, "three parts"],
    ["nothing", "", "three parts"],
    ["JSON", JSON.stringify({ protected: header, payload, signature: "AAAA" }), "three parts"],
    ["white space in the signature", `${header}.${payload}.AA AA`, "the signature is not canonical base64url"],
    [
      "white space in the header",
      `${header.slice(0, 4)} ${header.slice(4)}.${payload}.AAAA`,
      "the header is not canonical",
    ],
    ["a line feed behind", `${good}\n`, "the signature is not canonical"],
    ["padding", `${header}.${payload}.AA==`, "the signature is not canonical"],
    ["spare bits", `${header}.${payload}.AB`, "the signature is not canonical"],
    ["the other alphabet", `${header}.${payload}.+/+/`, "the signature is not canonical"],
    ["a question mark", `${header}.${payload}.AA?A`, "the signature is not canonical"],
    ["one letter too many", `${header}.${payload}.AAAAA`, "the signature is not canonical"],
    ["a header that is no JSON", `${part("{")}.${payload}.AA`, "the header is not good JSON"],
    ["a header that is a list", `${part([])}.${payload}.AA`, "the header is not a JSON object"],
    ["a header that says things twice", `${part('{"alg":"RS256","alg":"none"}')}.${payload}.AA`, 'duplicate key "alg"'],
    [
      "a header that is not UTF-8",
      `${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${payload}.AA`,
      "the header is not UTF-8",
    ],
    ["a header without algorithm", `${part({})}.${payload}.AA`, "names no algorithm"],
    ["an algorithm that is a number", `${part({ alg: 1 })}.${payload}.AA`, "names no algorithm"],
    [
      "a key id that is a number",
      `${part({ alg: "RS256", kid: 1 })}.${payload}.AA`,
      "the key id (kid) is not a string",
    ],
    ["critical parameters", `${part({ alg: "RS256", crit: ["exp"], exp: 1 })}.${payload}.AA`, "crit"],
    ["a bare payload", `${part({ alg: "RS256", b64: false })}.${payload}.AA`, "b64"],
    ["too long", `${header}.${"A".repeat(262_144)}.AA`, "at most 262144 characters"],
    ["too deep", `${part(`{"alg":"RS256","x":${"[".repeat(100)}${"]".repeat(100)}}`)}.${payload}.AA`, "depth"],
  ])("%s", (_, text, words) => {
    expect(() => parseCompactJws(text)).toThrow(JwsError);
    expect(() => parseCompactJws(text)).toThrow(words);
  });

  test.each<[string, string, string]>([
    ["claims that stand twice", '{"sub":"bob","sub":"eve"}', 'duplicate key "sub"'],
    ["a list", "[1]", "the payload is not a JSON object"],
    ["text behind", "{}x", "the payload is not good JSON"],
  ])("%s in the payload", (_, text, words) => {
    const jws = parseCompactJws(`${header}.${part(text)}.AA`);
    expect(() => jsonPayload(jws)).toThrow(words);
  });

  test.each<[string, unknown, string]>([
    ["a string", "x", "expected a JSON object"],
    [
      "an unprotected header",
      { protected: header, payload, signature: "AA", header: { kid: "x" } },
      "unprotected header",
    ],
    ["many signatures", { payload, signatures: [] }, "more than one signature"],
    ["a missing part", { protected: header, payload }, "expected the strings"],
  ])("%s in the flattened form", (_, body, words) => {
    expect(() => parseFlattenedJws(body)).toThrow(words);
  });

  test("any bytes are read or refused, and never crash", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."eyJ.{}A_-=\u00e9 \u0000") }), (text) => {
        try {
          parseCompactJws(text);
        } catch (error) {
          expect(error).toBeInstanceOf(JwsError);
        }
      }),
    );
  });
});

describe("keys that are refused", () => {
  const good = jwkOf(rsa.publicKey);
  const point = jwkOf(pairs["P-256"].publicKey);
  const small = jwkOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey);

  test.each<[string, unknown, string]>([
    ["no object", "key", "not a JSON object"],
    ["a private key", jwkOf(rsa.privateKey), "private or symmetric"],
    ["a symmetric key", { kty: "oct", k: "AAAA" }, "private or symmetric"],
    ["an unknown type", { kty: "AKP" }, "unknown type (kty)"],
    ["no type", {}, "unknown type (kty)"],
    ["1024 bits", small, "1024 bits: at least 2048"],
    ["exponent 1", { ...good, e: "AQ" }, "exponent"],
    ["an even exponent", { ...good, e: "AQAA" }, "exponent"],
    ["an exponent that is not canonical", { ...good, e: "AQAB=" }, "canonical"],
    ["no modulus", { ...good, n: undefined }, "has no n"],
    ["an unknown curve", { ...point, crv: "secp256k1" }, "unknown curve"],
    ["another curve", { ...point, crv: "P-384" }, "not 48 bytes"],
    ["a point off the curve", { ...point, y: point["x"] }, "not valid"],
    ["a short coordinate", { ...point, x: "AAAA" }, "not 32 bytes"],
    ["X25519", { kty: "OKP", crv: "X25519", x: "A".repeat(43) }, "unknown curve"],
    ["for encryption", { ...good, use: "enc" }, "not for signatures"],
    ["for signing only", { ...good, key_ops: ["sign"] }, "not for verification"],
    ["operations that are no list", { ...good, key_ops: "verify" }, "not for verification"],
    ["a key id that is a number", { ...good, kid: 5 }, "kid is not a string"],
  ])("%s", (_, jwk, words) => {
    expect(() => importJwk(jwk)).toThrow(JwsError);
    expect(() => importJwk(jwk)).toThrow(words);
  });

  const pem = rsa.publicKey.export({ format: "pem", type: "spki" }) as string;
  test.each<[string, string, string]>([
    ["no PEM", "hello", "does not contain any valid public keys"],
    ["two blocks", pem + pem, "trailing data"],
    ["text behind", `${pem}x`, "trailing data"],
    ["a private key", rsa.privateKey.export({ format: "pem", type: "pkcs8" }) as string, "does not contain any valid"],
    ["broken", pem.replace(/M/g, "N"), "does not contain any valid"],
    [
      "RSA-PSS",
      generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey.export({
        format: "pem",
        type: "spki",
      }) as string,
      "unknown type",
    ],
    [
      "secp256k1",
      generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey.export({
        format: "pem",
        type: "spki",
      }) as string,
      "unknown curve",
    ],
  ])("PEM: %s", (_, text, words) => {
    expect(() => importPem(text)).toThrow(words);
  });

  test("one bad key does not spoil a set", () => {
    const set = {
      keys: [{ kty: "AKP", alg: "ML-DSA-44" }, small, { ...good, kid: "a" }, null, { ...point, kid: "b", x5c: ["zz"] }],
    };
    expect(parseJwkSet(JSON.stringify(set)).map(({ kid, kind }) => [kid, kind])).toEqual([
      ["a", "RSA"],
      ["b", "P-256"],
    ]);
    for (const text of ["[]", "{", '{"keys":{}}', '{"keys":[],"keys":[]}'])
      expect(() => parseJwkSet(text)).toThrow(JwsError);
  });
});

describe("thumbprints", () => {
  test.each(Object.entries(pairs))("%s as jose computes it", async (_, { publicKey }) => {
    const jwk = jwkOf(publicKey);
    expect(thumbprint(importJwk(jwk))).toBe(await calculateJwkThumbprint(jwk as never));
  });

  test("the examples of RFC 7638 and RFC 8037", () => {
    const n =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
    expect(thumbprint(importJwk({ kty: "RSA", n, e: "AQAB", alg: "RS256", kid: "2011-04-29" }))).toBe(
      "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
    );
    const key = importJwk({ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    expect(thumbprint(key)).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    const example =
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    expect(isSignedBy(parseCompactJws(example), key)).toBe(true);
  });
});

test("our verdict is jose's, for whatever payload", async () => {
  const { compactVerify } = await import("jose");
  const key = importKeyObject(pairs.Ed25519.publicKey);
  const theirs = await importJWK(jwkOf(pairs.Ed25519.publicKey) as never, "EdDSA");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.boolean(), async (payload, forged) => {
      const text = await new CompactSign(payload).setProtectedHeader({ alg: "EdDSA" }).sign(pairs.Ed25519.privateKey);
      const token = forged ? text.replace(/^(.*\.)(.)/, (_, head, first) => head + (first === "A" ? "B" : "A")) : text;
      const accepted = await compactVerify(token, theirs).then(
        () => true,
        () => false,
      );
      expect(isSignedBy(parseCompactJws(token), key)).toBe(accepted);
    }),
    { numRuns: 50 },
  );
});
