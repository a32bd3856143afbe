import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { clusterPath } from "../../../../test/support/acme-authority.ts";
import { jwkOf, newKey, signedMessage, type Wrong } from "../../../../test/support/acme-caller.ts";
import { acmeServer, client, runJobs, stranger } from "../../../../test/support/acme-server.ts";

/** What the envelope of a request must hold before anybody looks inside. */

const types = (type: string) => `urn:ietf:params:acme:error:${type}`;

const weak = () => generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" });

const refusals: [name: string, wrong: () => Wrong, status: number, type: string][] = [
  ["no content type", () => ({ contentType: "" }), 415, "malformed"],
  ["another content type", () => ({ contentType: "application/json" }), 415, "malformed"],
  ["no JSON", () => ({ tamper: () => "{" }), 400, "malformed"],
  ["a doubled member", () => ({ tamper: () => '{"payload":"","payload":""}' }), 400, "malformed"],
  ["a list", () => ({ tamper: () => "[]" }), 400, "malformed"],
  ["no signature", () => ({ tamper: ({ signature: _, ...rest }) => rest }), 400, "malformed"],
  ["an unprotected header", () => ({ tamper: (jws) => ({ ...jws, header: { alg: "none" } }) }), 400, "malformed"],
  ["several signatures", () => ({ tamper: (jws) => ({ ...jws, signatures: [] }) }), 400, "malformed"],
  ["another spelling", () => ({ tamper: (jws) => ({ ...jws, signature: `${jws["signature"]}=` }) }), 400, "malformed"],
  ["another payload", () => ({ tamper: (jws) => ({ ...jws, payload: "eyJhIjoxfQ" }) }), 400, "malformed"],
  ["another's signature", () => ({ signWith: newKey() }), 400, "malformed"],
  ["no algorithm", () => ({ header: { alg: undefined } }), 400, "malformed"],
  ["the algorithm none", () => ({ header: { alg: "none" } }), 400, "badSignatureAlgorithm"],
  ["a symmetric algorithm", () => ({ header: { alg: "HS256" } }), 400, "badSignatureAlgorithm"],
  ["an algorithm for other keys", () => ({ header: { alg: "RS256" } }), 400, "malformed"],
  ["a critical extension", () => ({ header: { crit: ["exp"] } }), 400, "malformed"],
  ["no url", () => ({ header: { url: undefined } }), 400, "malformed"],
  ["another url", () => ({ header: { url: `${clusterPath}/acme/new-order` } }), 401, "unauthorized"],
  ["another host", () => ({ header: { url: "https://evil.test/v1/pki/acme/new-account" } }), 401, "unauthorized"],
  ["no nonce", () => ({ nonce: undefined }), 400, "badNonce"],
  ["a made-up nonce", () => ({ nonce: "A".repeat(44) }), 400, "badNonce"],
  ["a nonce that is no text", () => ({ header: { nonce: 7 } }), 400, "badNonce"],
  ["both kid and jwk", () => ({ header: { kid: "x", jwk: jwkOf(newKey()) } }), 400, "malformed"],
  ["neither kid nor jwk", () => ({ header: { kid: undefined, jwk: undefined } }), 400, "malformed"],
  [
    "a kid where a key is wanted",
    () => ({ header: { kid: `${clusterPath}/acme/account/1`, jwk: undefined } }),
    400,
    "accountDoesNotExist",
  ],
  ["a weak key", () => ({ header: { jwk: weak(), alg: "RS256" } }), 400, "badPublicKey"],
  ["a symmetric key", () => ({ header: { jwk: { kty: "oct", k: "AAAA" } } }), 400, "badPublicKey"],
  [
    "a point that is on no curve",
    () => ({ header: { jwk: { ...jwkOf(newKey()), x: jwkOf(newKey())["x"] } } }),
    400,
    "badPublicKey",
  ],
];

describe("a request is refused with", () => {
  test.each(refusals)("%s", async (_, wrong, status, type) => {
    const acme = stranger(await acmeServer());
    const answer = await acme.post("new-account", {}, wrong());
    expect(answer.body).toMatchObject({ type: types(type), status, detail: expect.any(String) });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "application/problem+json",
      "replay-nonce": expect.stringMatching(/^[\w-]{44}$/),
      link: [`<${clusterPath}/acme/directory>;rel="index"`],
    });
  });
});

test("an unknown algorithm is answered with those that are known", async () => {
  const answer = await stranger(await acmeServer()).post("new-account", {}, { header: { alg: "ES999" } });
  expect(answer.body.algorithms).toContain("ES256");
});

test("the nonce of a refusal is good for the next try", async () => {
  const acme = stranger(await acmeServer());
  const refused = await acme.post("new-account", {}, { nonce: "B".repeat(44) });
  const nonce = String(refused.headers["replay-nonce"]);
  expect(await acme.post("new-account", {}, { nonce })).toMatchObject({ status: 201 });
});

describe("a nonce", () => {
  test("is used once, also by a request that is refused for what it asks", async () => {
    const acme = await client(await acmeServer());
    const [first, second] = [await acme.nonce(), await acme.nonce()];
    expect(await acme.post(acme.kid, undefined, { nonce: first })).toMatchObject({ status: 200 });
    expect(await acme.post("new-order", {}, { nonce: second })).toMatchObject({ status: 400 });
    for (const nonce of [first, second]) {
      expect((await acme.post(acme.kid, undefined, { nonce })).body.type).toBe(types("badNonce"));
    }
  });

  test("is not used up by a request that nobody signed", async () => {
    const acme = await client(await acmeServer());
    const nonce = await acme.nonce();
    expect(await acme.post(acme.kid, undefined, { nonce, signWith: newKey() })).toMatchObject({ status: 400 });
    expect(await acme.post(acme.kid, undefined, { nonce })).toMatchObject({ status: 200 });
  });

  test("is accepted once of many tries at the same moment", async () => {
    const acme = await client(await acmeServer());
    const nonce = await acme.nonce();
    const answers = await Promise.all(Array.from({ length: 8 }, () => acme.post(acme.kid, undefined, { nonce })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("grows old, and its mark is forgotten", async () => {
    const server = await acmeServer();
    const acme = await client(server);
    const nonce = await acme.nonce();
    server.passSeconds(601);
    expect((await acme.post(acme.kid, undefined, { nonce })).body.type).toBe(types("badNonce"));
    const marks = async () => {
      const mounts = await server.kernel.records.transaction((storage) => storage.list("logical/"));
      const lists = mounts.map((mount) =>
        server.kernel.records.transaction((storage) => storage.list(`logical/${mount}acme/nonces/`)),
      );
      return (await Promise.all(lists)).flat();
    };
    expect(await marks()).not.toEqual([]);
    server.passSeconds(1200);
    await runJobs(server);
    expect(await marks()).toEqual([]);
  });
});

test("a message to one directory is no message to another", async () => {
  const server = await acmeServer();
  const acme = await client(server);
  const other = stranger(server, "roles/any/acme");
  const header = { alg: "ES256", nonce: await acme.nonce(), url: other.url("orders"), kid: acme.kid };
  const answer = await other.post("orders", undefined, { tamper: () => signedMessage(header, undefined, acme.key) });
  expect(answer.body.type).toBe(types("accountDoesNotExist"));
});

test("reading without a signature is refused, with the way to do it", async () => {
  const acme = await client(await acmeServer());
  expect(await acme.get(acme.kid)).toMatchObject({ status: 405, body: { type: types("malformed") } });
});
